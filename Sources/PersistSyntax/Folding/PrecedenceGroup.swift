/// What a `precedencegroup` declaration says.
struct PrecedenceGroup: Sendable, Equatable {
  enum Associativity: UInt8, Sendable {
    case none, left, right
  }

  var associativity = Associativity.none
  var isAssignment = false
  /// The groups that bind less tightly.
  var lower: Set<String> = []
  /// The groups that bind more tightly.
  var higher: Set<String> = []

  static let defaultName = "DefaultPrecedence"
  static let ternaryName = "TernaryPrecedence"

  init(
    _ associativity: Associativity = .none, higherThan lower: Set<String> = [],
    isAssignment: Bool = false
  ) {
    self.associativity = associativity
    self.lower = lower
    self.isAssignment = isAssignment
  }

  /// Reads the `name: value` pairs between the braces of a declaration.
  init(_ index: Int, of outline: Outline) {
    let node = outline.nodes[index]
    let end = Int(node.end)
    var at = Int(node.name) + 1
    while at + 1 < end {
      guard outline.tokens[at + 1].kind == .colon else {
        at += 1
        continue
      }
      let key = outline.text(ofToken: at)
      at += 2
      let names = Self.names(at: &at, end: end, of: outline)
      switch key {
      case "associativity":
        associativity = names.first == "left" ? .left : names.first == "right" ? .right : .none
      case "assignment": isAssignment = names.first == "true"
      case "higherThan": lower.formUnion(names)
      case "lowerThan": higher.formUnion(names)
      default: break
      }
    }
  }

  /// Reads `A, Module.B`, of which the module is left out, and moves behind it.
  private static func names(at: inout Int, end: Int, of outline: Outline) -> [String] {
    var names: [String] = []
    while at < end {
      while at + 2 < end, outline.tokens[at + 1].kind == .period { at += 2 }
      names.append(outline.text(ofToken: at))
      at += 1
      guard at < end, outline.tokens[at].kind == .comma else { break }
      at += 1
    }
    return names
  }

  /// What two declarations of one name say together, whichever comes first.
  func joined(with other: Self) -> Self {
    var joined = self
    if other.associativity.rawValue > associativity.rawValue {
      joined.associativity = other.associativity
    }
    joined.isAssignment = isAssignment || other.isAssignment
    joined.lower.formUnion(other.lower)
    joined.higher.formUnion(other.higher)
    return joined
  }

  // MARK: Levels

  /// A number and a level for each group, so that what binds more tightly has a higher level.
  static func levels(
    of groups: [String: PrecedenceGroup]
  ) -> [String: (level: Int, number: Int)] {
    var names = Set(groups.keys)
    for group in groups.values { names.formUnion(group.lower.union(group.higher)) }
    let sorted = names.sorted()
    var numbers: [String: Int] = [:]
    for (number, name) in sorted.enumerated() { numbers[name] = number }
    let levels = levels(lowerBy: relations(of: groups, names: sorted, numbers: numbers))
    return numbers.mapValues { (level: levels[$0], number: $0) }
  }

  /// The numbers of the groups that bind less tightly than each.
  private static func relations(
    of groups: [String: PrecedenceGroup], names: [String], numbers: [String: Int]
  ) -> [[Int]] {
    var lower = [[Int]](repeating: [], count: names.count)
    for (number, name) in names.enumerated() {
      guard let group = groups[name], !group.lower.isEmpty || !group.higher.isEmpty else {
        // A group without relations stands where operators without a group stand.
        if standard[name] == nil, let ternary = numbers[ternaryName] {
          lower[number].append(ternary)
        }
        continue
      }
      for other in group.lower { numbers[other].map { lower[number].append($0) } }
      for other in group.higher { numbers[other].map { lower[$0].append(number) } }
    }
    return lower
  }

  /// The level of each group, one above the highest of those that bind less tightly; where
  /// groups stand in a circle the first of them is taken as the lowest.
  private static func levels(lowerBy lower: [[Int]]) -> [Int] {
    var upper = [[Int]](repeating: [], count: lower.count)
    var waits = lower.map(\.count)
    for (number, others) in lower.enumerated() {
      for other in others { upper[other].append(number) }
    }
    var levels = [Int](repeating: 0, count: lower.count)
    var isDone = [Bool](repeating: false, count: lower.count)
    var ready = waits.indices.filter { waits[$0] == 0 }
    var firstLeft = 0
    while true {
      if ready.isEmpty {
        while firstLeft < lower.count, isDone[firstLeft] { firstLeft += 1 }
        guard firstLeft < lower.count else { return levels }
        ready.append(firstLeft)
      }
      let number = ready.removeLast()
      isDone[number] = true
      for other in upper[number] where !isDone[other] {
        levels[other] = max(levels[other], levels[number] + 1)
        waits[other] -= 1
        if waits[other] == 0 { ready.append(other) }
      }
    }
  }

  // MARK: The standard library's, from its Policy.swift

  static let standard: [String: PrecedenceGroup] = [
    "AssignmentPrecedence": PrecedenceGroup(.right, isAssignment: true),
    "FunctionArrowPrecedence": PrecedenceGroup(.right, higherThan: ["AssignmentPrecedence"]),
    ternaryName: PrecedenceGroup(.right, higherThan: ["FunctionArrowPrecedence"]),
    defaultName: PrecedenceGroup(higherThan: [ternaryName]),
    "LogicalDisjunctionPrecedence": PrecedenceGroup(.left, higherThan: [ternaryName]),
    "LogicalConjunctionPrecedence":
      PrecedenceGroup(.left, higherThan: ["LogicalDisjunctionPrecedence"]),
    "ComparisonPrecedence": PrecedenceGroup(higherThan: ["LogicalConjunctionPrecedence"]),
    "NilCoalescingPrecedence": PrecedenceGroup(.right, higherThan: ["ComparisonPrecedence"]),
    "CastingPrecedence": PrecedenceGroup(higherThan: ["NilCoalescingPrecedence"]),
    "RangeFormationPrecedence": PrecedenceGroup(higherThan: ["CastingPrecedence"]),
    "AdditionPrecedence": PrecedenceGroup(.left, higherThan: ["RangeFormationPrecedence"]),
    "MultiplicationPrecedence": PrecedenceGroup(.left, higherThan: ["AdditionPrecedence"]),
    "BitwiseShiftPrecedence": PrecedenceGroup(higherThan: ["MultiplicationPrecedence"]),
  ]

  static let standardOperators: [(group: String, names: String)] = [
    ("BitwiseShiftPrecedence", "<< &<< >> &>>"),
    ("MultiplicationPrecedence", "* &* / % &"),
    ("AdditionPrecedence", "+ &+ - &- | ^"),
    ("RangeFormationPrecedence", "... ..<"),
    ("NilCoalescingPrecedence", "??"),
    ("ComparisonPrecedence", "< <= > >= == != === !== ~= .== .!= .< .<= .> .>="),
    ("LogicalConjunctionPrecedence", "&& .&"),
    ("LogicalDisjunctionPrecedence", "|| .| .^"),
    (
      "AssignmentPrecedence",
      "= *= &*= /= %= += &+= -= &-= <<= &<<= >>= &>>= &= ^= |= .&= .|= .^="
    ),
    (defaultName, "~>"),
  ]
}
