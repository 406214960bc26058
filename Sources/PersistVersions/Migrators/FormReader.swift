import PersistFlow
import PersistIndex
import PersistSyntax

/// Spells the code of a migration as it runs: with what a run of it says of its values and calls put
/// in, locals numbered; and notes what is called on the way.
struct FormReader {
  let program: Program
  let values: KnownValues
  /// Whether it reads no more than the sums of all lock files are made of: no loop over a list that
  /// isn't written out, and no closure that the migration itself keeps.
  let isPlain: Bool
  /// The run of the code that is read.
  var run: CodeRun?
  /// What locals, parameters and arguments of closures stand for.
  var names: [Declared: Form] = [:]
  /// What `self` stands for in an extension of a type from elsewhere.
  var ownForm: Form?
  /// The variables of loops that stand for any element.
  var elements: Set<Declared> = []
  /// How many locals have got a number.
  var count = 0
  /// The functions that are being put in.
  var open: [FunctionID] = []
  /// The calls that led to them.
  var path: [Ref] = []
  var steps: [MigrationStep] = []
  var outer: Int?
  /// The functions of known values that were put in.
  var listed: Set<FunctionID> = []
  /// How many nodes have been read.
  private var nodesRead = 0

  init(_ program: Program, _ values: KnownValues, isPlain: Bool) {
    self.program = program
    self.values = values
    self.isPlain = isPlain
  }

  // MARK: Statements

  /// The statements of a block or closure; what only logs is left out.
  mutating func statements(in list: Ref) -> [Form] {
    let all = program.statements(in: list)
    return all.enumerated().filter { !program.isExempt(debugOnly: $0.element) }.flatMap {
      statement($0.element, isLast: $0.offset == all.count - 1)
    }
  }

  private mutating func statement(_ ref: Ref, isLast: Bool) -> [Form] {
    switch program.kind(ref) {
    case .expression:
      if isLogging(ref) { return [] }
      if let loop = loop(ref) { return loop }
      if let inlined = inlinedStatement(ref) { return inlined }
      let form = form(ref)
      return form == .nothing ? [] : [form]
    case .forStatement: return loop(ref) ?? [form(ref)]
    case .variableDecl: return program.children(ref, .binding).flatMap { binding($0) }
    case .functionDecl: return []
    case .switchStatement:
      return branch(of: ref)?.flatMap { statement($0, isLast: false) } ?? [form(ref)]
    case .returnStatement:
      guard let value = program.child(ref, .expression) else { return isLast ? [] : [.leave(nil)] }
      if isLast { return statement(value, isLast: true) }
      return [.leave(form(value))]
    case .doStatement where program.child(ref, .catchClause) == nil:
      return program.child(ref, .block).map { statements(in: $0) } ?? []
    default: return [form(ref)]
    }
  }

  private mutating func binding(_ ref: Ref) -> [Form] {
    let parts = program.children(ref)
    guard let pattern = parts.first else { return [] }
    let value = parts.dropFirst().last { program.kind($0) == .expression }
    guard program.kind(pattern) == .boundName else { return [generic(ref)] }
    guard let value else {
      let accessors = program.child(ref, .accessors).map { generic($0) } ?? .nothing
      return [.row([.words("var"), .local(bind(pattern)), accessors])]
    }
    let given = form(value)
    let isConstant = program.node(ref).flags.contains(.isLet) || isLet(ref)
    if isConstant && (given.isPlain || given.isConstant) {
      names[.local(pattern)] = given
      return []
    }
    if !isPlain, isConstant, case .closure = given {
      names[.local(pattern)] = given
      return []
    }
    return [.declaration(bind(pattern), given)]
  }

  func isLet(_ binding: Ref) -> Bool {
    guard let declaration = program.parent(binding) else { return false }
    let outline = program.outline(declaration)
    let node = program.node(declaration)
    return (Int(node.first)..<Int(program.node(binding).first)).contains {
      outline.text(ofToken: $0) == "let"
    }
  }

  /// Gives a local the next number.
  mutating func bind(_ local: Ref) -> Int {
    count += 1
    names[.local(local)] = .local(count)
    return count
  }

  // MARK: Expressions

  /// What any node says.
  mutating func form(_ ref: Ref) -> Form {
    nodesRead += 1
    guard program.isWithin(nodesRead, .migrationNodes) else { return .words("…") }
    switch program.kind(ref) {
    case .expression: return expression(ref)
    case .chain: return chain(ref)
    case .name: return name(ref)
    case .string: return string(ref)
    case .boundName: return .local(bind(ref))
    case .block: return .block(statements(in: ref))
    case .closure: return closure(ref)
    case .argument:
      guard let value = program.children(ref).first else { return .nothing }
      let label = program.labelText(ref)
      return label.isEmpty ? form(value) : .labelled(label, form(value))
    case .array: return .list(program.children(ref).map { form($0) })
    case .tuple: return tuple(ref)
    case .optionalBinding: return optionalBinding(ref)
    case .enumElement: return .text(program.nameText(ref))
    default: return generic(ref)
    }
  }

  private mutating func tuple(_ ref: Ref) -> Form {
    let all = generic(ref)
    guard case .row(let parts) = all, parts.count > 2, parts.first == .words("("),
      parts.last == .words(")"), parts.count % 2 == 1,
      parts.indices.allSatisfy({
        ($0 % 2 == 0) == [.words("("), .words(","), .words(")")].contains(parts[$0])
      })
    else { return all }
    return .tuple(parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] })
  }

  /// `if let x` without a value says the value of the `x` outside.
  private mutating func optionalBinding(_ ref: Ref) -> Form {
    guard program.child(ref, .expression) == nil, let bound = program.child(ref, .boundName) else {
      return generic(ref)
    }
    let outside = program.lookUp(program.name(bound), from: ref)
    let value = outside.flatMap { names[$0] } ?? .words(program.nameText(bound))
    return .binding(bind(bound), value)
  }

  /// The tokens of a node, its children read each in its way.
  mutating func generic(_ ref: Ref) -> Form {
    let outline = program.outline(ref)
    let node = program.node(ref)
    var parts: [Form] = []
    var token = Int(node.first)
    func words(upTo end: Int) -> [Form] {
      let words = (token..<end).map { outline.text(ofToken: $0) }.filter { !$0.isEmpty }
      return words.isEmpty ? [] : [.words(words.joined(separator: " "))]
    }
    for child in program.children(ref) {
      let inner = program.node(child)
      guard inner.end > inner.first, Int(inner.first) >= token else { continue }
      parts += words(upTo: Int(inner.first))
      parts.append(form(child))
      token = Int(inner.end)
    }
    if token < Int(node.end) { parts += words(upTo: Int(node.end)) }
    parts.removeAll { $0 == .nothing }
    return parts.isEmpty ? .nothing : Form(parts)
  }

  private mutating func expression(_ ref: Ref) -> Form {
    var parts: [Form] = []
    for part in program.children(ref) {
      switch program.kind(part) {
      case .awaitMark: continue
      case .tryMark:
        let flags = program.node(part).flags
        if flags.contains(.isOptional) { parts.append(.words("try?")) }
        if flags.contains(.isForced) { parts.append(.words("try!")) }
      default: parts.append(form(withoutParentheses(part)))
      }
    }
    if let text = joinedText(ref, parts) { return text }
    if parts.count > 2, parts[0] == .words("_"), parts[1] == .words("=") { parts.removeFirst(2) }
    var index = 1
    while index + 1 < parts.count {
      if parts[index] == .words("+"), let left = parts[index - 1].template,
        let right = parts[index + 1].template
      {
        parts.replaceSubrange(index - 1...index + 1, with: [sqlText(left + right)])
      } else {
        index += 1
      }
    }
    return parts.isEmpty ? .nothing : Form(parts)
  }

  /// The text that `+` puts together, where it is known whole.
  private func joinedText(_ ref: Ref, _ parts: [Form]) -> Form? {
    guard !isPlain, parts.count > 2, parts.count % 2 == 1,
      stride(from: 1, to: parts.count, by: 2).allSatisfy({ parts[$0] == .words("+") }),
      let last = program.children(ref).last(where: { program.kind($0) == .binaryOperator }),
      case .text(let text)? = run?.value(of: last)
    else { return nil }
    return sqlText(text)
  }

  /// What stands in parentheses that a part of an expression could do without; else the part.
  private func withoutParentheses(_ part: Ref) -> Ref {
    guard let inner = onlyElement(of: part), let outer = program.parent(part),
      program.kind(outer) == .expression
    else { return part }
    let (around, inside) = (program.folded(outer), program.folded(inner))
    guard isArithmetic(around), isArithmetic(inside) else { return part }
    guard program.kind(inside) == .operation,
      let holder = program.foldedOperand(part).flatMap({ program.parent($0) }),
      program.kind(holder).isFolded
    else { return inner }
    let weak = program.nameText(holder)
    let strong = program.nameText(inside)
    let isSame = weak == strong && (weak == "||" || weak == "&&")
    let isTighter = OperatorTable.standard.bindsMoreTightly(strong, than: weak) ?? false
    return isSame || isTighter ? inner : part
  }

  /// The expression between the parentheses of a chain that is nothing else.
  private func onlyElement(of chain: Ref) -> Ref? {
    guard program.kind(chain) == .chain, program.children(chain).count == 1,
      let tuple = program.child(chain, .tuple), program.children(tuple).count == 1,
      let argument = program.child(tuple, .argument), program.label(argument) == .none,
      program.children(argument).count == 1
    else { return nil }
    return program.child(argument, .expression)
  }

  /// Whether an expression has only operands and operators of the standard library between them.
  private func isArithmetic(_ folded: Ref) -> Bool {
    guard program.kind(folded).isFolded else { return true }
    return program.subtree(folded).allSatisfy { index in
      let part = Ref(file: Int(folded.file), node: Int(index))
      guard program.kind(part) == .operation else { return program.kind(part) == .operand }
      let name = program.nameText(part)
      return OperatorTable.standard.bindsMoreTightly(name, than: name) != nil
    }
  }

  /// A string's text with what stands in its interpolations, where that is known.
  private mutating func string(_ ref: Ref) -> Form {
    if !isPlain, case .text(let text)? = run?.value(of: ref) { return sqlText(text) }
    var parts: [Ref: Form] = [:]
    for child in program.children(ref) {
      let value = program.kind(child) == .argument ? program.children(child).first : child
      parts[child] = value.map { form($0) } ?? .nothing
    }
    let text = program.text(ofString: ref) { part in
      let form = parts[part] ?? .nothing
      return form.template ?? "\(SQLText.hole)\(form)\(SQLText.holeEnd)"
    }
    return sqlText(text)
  }

  func sqlText(_ text: String) -> Form {
    .text(SQLText.normalized(text))
  }

  // MARK: Closures

  /// A closure with its parameters numbered.
  mutating func closure(_ ref: Ref) -> Form {
    let arguments = bindParameters(of: ref)
    return within(run?.runs(of: ref).last) { .closure(arguments, $0.statements(in: ref)) }
  }

  /// Gives the parameters of a closure numbers, those without a name too, and says how many they are.
  @discardableResult
  mutating func bindParameters(of closure: Ref) -> Int {
    if let list = program.child(closure, .parameters) {
      let parameters = program.children(list, .parameter)
      for parameter in parameters { _ = bind(parameter) }
      return parameters.count
    }
    var arguments = 0
    for name in program.descendants(closure, .name) {
      guard case .closureArgument(closure, let index)? = program.declared(name) else { continue }
      arguments = max(arguments, index + 1)
    }
    for index in 0..<min(arguments, 9) {
      count += 1
      names[.closureArgument(closure, index)] = .local(count)
    }
    return arguments
  }

  /// Whether a statement only leaves a trace.
  private func isLogging(_ ref: Ref) -> Bool {
    let parts = program.children(ref).filter {
      ![.tryMark, .awaitMark].contains(program.kind($0))
    }
    guard parts.count == 1, program.kind(parts[0]) == .chain,
      let last = program.children(parts[0]).last, program.kind(last) == .call,
      let first = program.children(parts[0]).first, program.kind(first) == .name
    else { return false }
    let names = program.children(parts[0]).prefix(3).filter {
      program.kind($0) == .name || program.kind($0) == .member
    }
    guard names.contains(where: { Self.saysTrace(program.nameText($0)) }) else { return false }
    // What takes the database does more than leave a trace.
    return !program.descendants(last, .name).contains { name in
      if case .external(let type, _) = program.type(of: name) {
        return Words.databaseParts.contains(type)
      }
      return false
    }
  }

  private static func saysTrace(_ name: String) -> Bool {
    let words = name.camelWords
    let traces: Set<String> = ["print", "nslog", "log", "logger", "logging", "logs", "dump"]
    return words.last.map { traces.contains($0) || $0.hasSuffix("log") } ?? false
      || words.first.map { traces.contains($0) && words.count == 1 || $0 == "ddlog" } ?? false
      || name == "os_log"
  }
}

extension Program {
  /// Whether a statement is compiled in debug builds alone.
  func isExempt(debugOnly statement: Ref) -> Bool {
    kind(statement) == .ifConfig
      && children(statement, .ifConfigClause).allSatisfy { clause in
        program(clause: clause)
      }
  }

  private func program(clause: Ref) -> Bool {
    children(clause).allSatisfy { isExempt($0) }
  }

  /// The text of an argument's label; "" without one.
  func labelText(_ ref: Ref) -> String {
    let token = node(ref).label
    return token == Node.noToken ? "" : outline(ref).text(ofToken: Int(token))
  }
}
