import PersistFlow
import PersistIndex
import PersistSyntax

// MARK: - Chains and calls

extension FormReader {
  /// A chain: constants and calls of project functions in it are replaced by what they stand for.
  mutating func chain(_ ref: Ref, dropping last: Int = 0) -> Form {
    let parts = Array(program.children(ref).dropLast(last))
    guard let primary = parts.first else { return generic(ref) }
    var mark = prefix(of: ref, primary)
    var (result, index) =
      knownPrefix(parts) ?? recordPrefix(parts, in: ref) ?? (self.primary(primary, parts), 1)
    while index < parts.count {
      let part = parts[index]
      switch program.kind(part) {
      case .member:
        let name = program.nameText(part)
        let isFirst = result == .nothing && (mark.isEmpty || mark == "&")
        result = isFirst ? .words(name) : .member(result, name)
      case .call:
        if let inlined = inlinedValue(part) {
          (mark, result) = ("", inlined)
        } else {
          result = call(part, on: result)
        }
      case .optionalChain: result = .suffixed(result, "?")
      case .force: result = .suffixed(result, "!")
      case .subscriptSuffix:
        result = .element(result, program.children(part).map { form($0) })
      default: result = .suffixed(result, form(part).description)
      }
      index += 1
    }
    return mark.isEmpty ? result : .prefixed(mark, result)
  }

  /// Operators that stand before the primary: `&`, `!`, `-`.
  private func prefix(of chain: Ref, _ primary: Ref) -> String {
    let outline = program.outline(chain)
    return (Int(program.node(chain).first)..<Int(program.node(primary).first))
      .map { outline.text(ofToken: $0) }.joined()
  }

  private mutating func primary(_ primary: Ref, _ parts: [Ref]) -> Form {
    guard program.kind(primary) == .name else { return form(primary) }
    if let ownForm, parts.count > 1, program.kind(parts[1]) == .call,
      program.declared(primary) == nil,
      program.nameText(primary).first?.isLowercase ?? false,
      isOfForeignExtension(primary)
    {
      return .member(ownForm, program.nameText(primary))
    }
    if program.nameText(primary) == "self", parts.count > 1 { return ownForm ?? .nothing }
    return name(primary)
  }

  private func isOfForeignExtension(_ ref: Ref) -> Bool {
    program.enclosingType(ref).map { program.types[$0].kind == .extensionDecl } ?? false
  }

  /// A name: what it stands for where that is known.
  mutating func name(_ ref: Ref) -> Form {
    let written = Form.words(program.nameText(ref))
    guard let declared = program.declared(ref) else { return written }
    if let known = names[declared] { return known }
    let value = run?.value(of: ref)
    switch declared {
    case .local, .closureArgument:
      if case .instance(let type, _)? = value {
        return .words(program.nameText(program.types[type].ref))
      }
      return value.flatMap { form(of: $0) } ?? written
    case .property: return value.flatMap { constant($0) } ?? ownMember(ref)
    case .selfValue: return ownForm ?? written
    default: return written
    }
  }

  private func ownMember(_ ref: Ref) -> Form {
    let name = program.nameText(ref)
    guard let ownForm, isOfForeignExtension(ref) else { return .words(name) }
    return .member(ownForm, name)
  }

  // MARK: Calls

  /// A call, which is noted as a step.
  private mutating func call(_ ref: Ref, on callee: Form) -> Form {
    let name = program.calledNode(ref).map { program.nameText($0) } ?? ""
    var receiver = Form.nothing
    if case .member(let inner, name) = callee { receiver = inner }
    let step = steps.count
    steps.append(
      MigrationStep(
        call: ref, name: name, receiver: receiver, arguments: [], path: path, outer: outer))
    let before = outer
    outer = step
    defer { outer = before }
    var values: [Form] = []
    var closures: [Form] = []
    var known: [MigrationStep.Argument] = []
    for argument in program.arguments(ref) {
      let label = program.kind(argument) == .argument ? program.labelText(argument) : ""
      if let closure = program.closure(of: argument) {
        closures.append(self.closure(closure))
      } else if let code = givenCode(argument, of: ref) {
        closures.append(code)
      } else {
        let value = program.children(argument).first.map { form($0) } ?? .nothing
        // GRDB 4 gave the first argument of `execute` its label.
        values.append(label.isEmpty || label == "sql" ? value : .labelled(label, value))
        known.append(.init(label: label, value: value, place: argument))
      }
    }
    steps[step] = MigrationStep(
      call: ref, name: name, receiver: receiver, arguments: known, path: path, outer: before)
    return .call(callee, values, closures: closures)
  }

  /// The function or closure that an argument is, as if it were written there.
  private mutating func givenCode(_ argument: Ref, of call: Ref) -> Form? {
    let inner = run?.runs(of: argument).last
    if !isPlain, case .closure(let place, _, _)? = inner?.code {
      let count = bindParameters(of: place)
      return within(inner) { .closure(count, $0.statements(in: place)) }
    }
    let value = program.children(argument).first
    guard let id = function(of: inner) ?? value.flatMap({ program.namedFunction($0) }),
      program.functions[id].body != nil, !open.contains(id),
      program.isWithin(open.count, .migrationCalls)
    else { return nil }
    path.append(call)
    defer { path.removeLast() }
    let function = program.functions[id]
    let file = Int(function.ref.file)
    for parameter in function.parameters { _ = bind(Ref(file: file, node: parameter.node)) }
    return within(inner) { .closure(function.parameters.count, $0.putIn(id)) }
  }

  private func function(of run: CodeRun?) -> FunctionID? {
    if case .function(let id, _)? = run?.code { id } else { nil }
  }

  // MARK: Functions put in

  /// The statements of the function that a statement calls, when they are to be put in.
  mutating func inlinedStatement(_ ref: Ref) -> [Form]? {
    let parts = program.children(ref).filter {
      program.kind($0) != .awaitMark
        && !(program.kind($0) == .tryMark && program.node($0).flags.isDisjoint(with: [.isOptional]))
    }
    guard parts.count == 1, program.kind(parts[0]) == .chain,
      let last = program.children(parts[0]).last, program.kind(last) == .call
    else { return nil }
    return inlined(last)
  }

  private mutating func inlinedValue(_ call: Ref) -> Form? {
    guard let id = functionToPutIn(call) else { return nil }
    if let value = program.onlyValue(of: id), !open.contains(id) {
      return enter(id, call) { reader in reader.form(value) }
    }
    guard let statements = inlined(call) else { return nil }
    return .block(statements)
  }

  private mutating func inlined(_ call: Ref) -> [Form]? {
    guard let id = functionToPutIn(call) else { return inlinedClosure(call) }
    return enter(id, call) { reader in reader.putIn(id) }
  }

  /// What a call runs whose callee is a closure that is known.
  private mutating func inlinedClosure(_ call: Ref) -> [Form]? {
    guard let inner = run?.runs(of: call).last, case .closure(let place, _, _) = inner.code,
      program.calledNode(call).map({ program.nameText($0) }) != "forEach",
      !isPlain || !isOwn(call), program.isWithin(open.count, .migrationCalls)
    else { return nil }
    let given = program.arguments(call).map { argument($0) }
    for declaration in values.captures(of: place) where names[.local(declaration)] == nil {
      names[.local(declaration)] = .outer
    }
    var parameters = given.indices.map { Declared.closureArgument(place, $0) }
    if let list = program.child(place, .parameters) {
      parameters = program.children(list, .parameter).map { .local($0) }
    }
    for (parameter, form) in zip(parameters, given) { names[parameter] = form }
    return within(inner) { $0.statements(in: place) }
  }

  /// Whether a call calls what the migration itself has put into a variable, or given a parameter.
  private func isOwn(_ call: Ref) -> Bool {
    guard let first = program.callee(call).first, let declared = program.declared(first),
      let form = names[declared]
    else { return false }
    return form != .outer
  }

  /// The function of a call whose code belongs to the migration.
  private func functionToPutIn(_ call: Ref) -> FunctionID? {
    let called =
      function(of: run?.runs(of: call).last).map { [$0] }
      ?? program.functions(calledBy: call).filter { program.functions[$0].body != nil }
    guard called.count == 1, let id = called.first, !open.contains(id),
      program.functions[id].kind == .functionDecl, program.isWithin(open.count, .migrationCalls)
    else { return nil }
    if program.worksOnDatabase(id) { return id }
    guard let value = program.onlyValue(of: id), program.functions[id].parameters.count < 4 else {
      return nil
    }
    return program.descendants(value, .string).isEmpty
      || program.descendants(value, .call).count > 3
      ? nil : id
  }

  /// Binds the parameters of a function to the arguments of a call, and reads on in it.
  private mutating func enter<Result>(
    _ id: FunctionID, _ call: Ref, _ read: (inout FormReader) -> Result
  ) -> Result {
    let function = program.functions[id]
    let file = Int(function.ref.file)
    var given: [(Ref, Form)] = []
    for (index, parameter) in function.parameters.enumerated() {
      let place = Ref(file: file, node: parameter.node)
      if let argument = program.argument(of: call, for: index, of: function) {
        given.append((place, self.argument(argument)))
      } else if let value = program.child(place, .expression) {
        given.append((place, form(value)))
      }
    }
    let receiver = receiver(of: call, id)
    let saved = (ownForm, path)
    for (place, value) in given { names[.local(place)] = value }
    ownForm = receiver
    path.append(call)
    defer { (ownForm, path) = saved }
    return within(run?.runs(of: call).last, read)
  }

  private mutating func argument(_ argument: Ref) -> Form {
    if let closure = program.closure(of: argument) { return self.closure(closure) }
    let form = program.children(argument).first.map { self.form($0) } ?? .nothing
    if case .prefixed("&", let inner) = form { return inner }
    return form
  }

  private mutating func receiver(of call: Ref, _ id: FunctionID) -> Form? {
    guard let owner = program.functions[id].owner,
      program.types[owner].kind == .extensionDecl, !program.functions[id].isStatic
    else { return nil }
    let callee = program.callee(call)
    guard callee.count > 1, let last = callee.last else {
      return ownForm
    }
    let before = callee.filter { $0 < last }
    if let known = knownPrefix(before) { return known.form }
    return before.dropFirst().reduce(form(before[0])) { whole, part in
      program.kind(part) == .member
        ? .member(whole, program.nameText(part)) : .suffixed(whole, form(part).description)
    }
  }

  /// The statements of a function whose parameters are bound.
  mutating func putIn(_ id: FunctionID) -> [Form] {
    guard let body = program.functions[id].body else { return [] }
    if case .function(_, let own)? = run?.code, own != .other { listed.insert(id) }
    open.append(id)
    defer { open.removeLast() }
    return statements(in: Ref(file: Int(program.functions[id].ref.file), node: body))
  }
}

extension Program {
  /// The function of the sources that an expression names without calling it.
  package func namedFunction(_ expression: Ref) -> FunctionID? {
    guard kind(expression) == .expression, children(expression).count == 1,
      let chain = child(expression, .chain), let last = children(chain).last
    else { return nil }
    var found: Declared?
    switch kind(last) {
    case .name where children(chain).count == 1: found = declared(last)
    case .member:
      switch type(ofChain: chain, upTo: last).unwrapped {
      case .declared(let type, _), .metatype(.declared(let type, _)):
        found = member(name(last), of: type)
      default: break
      }
    default: break
    }
    guard case .functions(let candidates)? = found else { return nil }
    // What a protocol asks for has the same name and no body.
    let bodies =
      candidates.count == 1 ? candidates : candidates.filter { functions[$0].body != nil }
    return bodies.count == 1 ? bodies[0] : nil
  }

  /// Whether a function is given a part of a database, or extends one, or stands in code that is.
  package func worksOnDatabase(_ id: FunctionID) -> Bool {
    let function = functions[id]
    if let owner = function.owner, types[owner].kind == .extensionDecl {
      return Words.databaseParts.contains(types[owner].name)
    }
    let file = Int(function.ref.file)
    if function.parameters.contains(where: { parameter in
      guard let node = parameter.type else { return false }
      let type = type(ofTypeNode: Ref(file: file, node: node)).unwrapped
      guard case .external(let name, _) = type else { return false }
      return Words.databaseParts.contains(name)
    }) {
      return true
    }
    return enclosingBody(function.ref) != nil
  }
}
