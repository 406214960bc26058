/// How tightly an operator binds its operands.
struct Precedence: Sendable {
  /// Higher levels bind more tightly; groups that no declaration relates may share one.
  var level: Int
  /// The same number for all operators of one group.
  var group: Int
  var associativity: PrecedenceGroup.Associativity
  /// Whether the operator assigns to its left operand.
  var isAssignment: Bool
}

/// The operators that a program knows, with their precedence groups: the standard library's and
/// those that sources declare.
package struct OperatorTable: Sendable {
  /// The operators of the standard library.
  package static let standard = OperatorTable()

  /// The groups that sources declare, by name.
  private var groups: [String: PrecedenceGroup] = [:]
  /// The name of the group of each operator that sources declare.
  private var operators: [String: String] = [:]
  /// What follows from both.
  private var precedences: [String: Precedence] = [:]
  private(set) var ternary: Precedence
  private(set) var cast: Precedence
  private(set) var arrow: Precedence
  private(set) var assignment: Precedence
  private var unknown: Precedence

  private init() {
    let none = Precedence(level: 0, group: 0, associativity: .none, isAssignment: false)
    (ternary, cast, arrow, assignment, unknown) = (none, none, none, none, none)
    resolve()
  }

  /// Adds the `operator` and `precedencegroup` declarations of an outline; the order in which
  /// outlines are added makes no difference.
  ///
  /// What the standard library declares stays as it is. Of two groups of one operator the one
  /// whose name comes first counts, and two groups of one name have the relations of both.
  package mutating func add(declarationsOf outline: Outline) {
    var hasNews = false
    var index = 1
    while index < outline.nodes.count {
      let node = outline.nodes[index]
      switch node.kind {
      case .ifConfig, .ifConfigClause:
        index += 1
        continue
      case .operatorDecl:
        if addOperator(index, of: outline) { hasNews = true }
      case .precedenceGroupDecl:
        if addGroup(index, of: outline) { hasNews = true }
      default: break
      }
      index = Int(node.subtreeEnd)
    }
    if hasNews { resolve() }
  }

  /// The precedence of an infix operator; one that nothing declares is of the default group.
  func precedence(of name: String) -> Precedence { precedences[name] ?? unknown }

  /// Whether one operator binds more tightly than another; nil when one of them is not known.
  package func bindsMoreTightly(_ name: String, than other: String) -> Bool? {
    guard let own = precedences[name], let other = precedences[other] else { return nil }
    return own.level > other.level
  }

  private mutating func addOperator(_ index: Int, of outline: Outline) -> Bool {
    let node = outline.nodes[index]
    let isInfix = outline.children(of: index).contains { child in
      let modifier = outline.nodes[child]
      return modifier.kind == .modifier
        && outline.tokens[Int(modifier.first)].keyword == .infix
    }
    guard isInfix, node.name < node.end else { return false }
    let name = outline.text(ofToken: Int(node.name))
    let colon = Int(node.name) + 1
    var group = PrecedenceGroup.defaultName
    if colon + 1 < Int(node.end), outline.tokens[colon].kind == .colon {
      group = outline.text(ofToken: colon + 1)
    }
    if let known = operators[name], known <= group { return false }
    operators[name] = group
    return true
  }

  private mutating func addGroup(_ index: Int, of outline: Outline) -> Bool {
    let node = outline.nodes[index]
    guard node.name < node.end else { return false }
    let name = outline.text(ofToken: Int(node.name))
    let group = PrecedenceGroup(index, of: outline)
    guard let known = groups[name] else {
      groups[name] = group
      return true
    }
    let joined = known.joined(with: group)
    groups[name] = joined
    return joined != known
  }

  // MARK: Levels

  private mutating func resolve() {
    let all = groups.merging(PrecedenceGroup.standard) { _, standard in standard }
    let levels = PrecedenceGroup.levels(of: all)
    func precedence(ofGroup name: String) -> Precedence {
      let place = levels[name] ?? levels[PrecedenceGroup.defaultName] ?? (0, 0)
      let group = all[name]
      return Precedence(
        level: place.level, group: place.number, associativity: group?.associativity ?? .none,
        isAssignment: group?.isAssignment ?? false)
    }
    for (name, group) in operators { precedences[name] = precedence(ofGroup: group) }
    for (group, names) in PrecedenceGroup.standardOperators {
      let precedence = precedence(ofGroup: group)
      for name in names.split(separator: " ") { precedences[String(name)] = precedence }
    }
    ternary = precedence(ofGroup: PrecedenceGroup.ternaryName)
    cast = precedence(ofGroup: "CastingPrecedence")
    arrow = precedence(ofGroup: "FunctionArrowPrecedence")
    assignment = precedence(ofGroup: "AssignmentPrecedence")
    unknown = precedence(ofGroup: PrecedenceGroup.defaultName)
  }
}
