import PersistIndex
import PersistSyntax

// MARK: - Chains and calls

extension MigrationReader {
  /// A chain: constants and calls of project functions in it are replaced by what they stand for.
  mutating func chain(_ ref: Ref, dropping last: Int = 0) -> Form {
    let parts = Array(program.children(ref).dropLast(last))
    guard let primary = parts.first else { return generic(ref) }
    if last == 0, let form = knownForm(parts) { return form }
    var mark = prefix(of: ref, primary)
    var (result, index) =
      constantPrefix(parts, in: ref) ?? knownPrefix(parts) ?? recordPrefix(parts, in: ref) ?? (
        self.primary(primary, parts), 1
      )
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
    switch declared {
    case .local(let local):
      return outerConstant(local) ?? written
    case .property(let id): return constant(id) ?? ownMember(ref)
    case .selfValue: return ownForm ?? written
    default: return written
    }
  }

  private func ownMember(_ ref: Ref) -> Form {
    let name = program.nameText(ref)
    guard let ownForm, isOfForeignExtension(ref) else { return .words(name) }
    return .member(ownForm, name)
  }

  /// A constant that the function around a closure declares.
  private mutating func outerConstant(_ local: Ref) -> Form? {
    guard program.kind(local) == .boundName, let binding = program.parent(local),
      program.kind(binding) == .binding, let value = program.child(binding, .expression)
    else { return nil }
    let form = form(value)
    return form.literal == nil ? nil : form
  }

  // MARK: Constants

  /// What a property stands for when it is a constant.
  mutating func constant(_ id: PropertyID) -> Form? {
    let property = program.properties[id]
    let file = Int(property.ref.file)
    guard program.isWithin(reading.count, .constants), reading.insert(id).inserted else {
      return nil
    }
    defer { reading.remove(id) }
    let value: Ref?
    if property.isComputed {
      value = property.accessors.flatMap { program.onlyValue(in: Ref(file: file, node: $0)) }
    } else {
      value =
        property.isLet || property.isStatic
        ? property.initializer.map { Ref(file: file, node: $0) } : nil
    }
    guard let value, !program.descendants(value, .closure).contains(where: { _ in true }) else {
      return nil
    }
    let saved = (names, ownForm, count, steps.count)
    defer {
      (names, ownForm, count) = (saved.0, saved.1, saved.2)
      steps.removeSubrange(saved.3...)
    }
    let form = form(value)
    return form.isConstant ? form : nil
  }

  /// The longest beginning of a chain, calls left out, that is a constant.
  private mutating func constantPrefix(_ parts: [Ref], in chain: Ref) -> (Form, Int)? {
    var end = 1
    while end < parts.count, program.kind(parts[end]) == .member { end += 1 }
    guard end > 1 else { return nil }
    // A called member is no constant.
    if end < parts.count, program.kind(parts[end]) == .call { end -= 1 }
    while end > 1 {
      if let form = constantMember(parts[end - 1], in: chain, before: parts[end - 2]) {
        return (form, end)
      }
      end -= 1
    }
    return nil
  }

  private mutating func constantMember(_ member: Ref, in chain: Ref, before: Ref) -> Form? {
    let name = program.nameText(member)
    let base = program.type(ofChain: chain, upTo: member).unwrapped
    if let key = codingKey(member, in: chain, before: before) {
      return .text(key)
    }
    if ["name", "rawValue", "stringValue"].contains(name), let raw = rawValue(before, in: chain) {
      return .text(raw)
    }
    guard case .metatype(.declared(let type, _)) = base else {
      if case .declared(let type, _) = base,
        case .property(let id)? = program.member(program.name(member), of: type),
        program.properties[id].isStatic || program.properties[id].isComputed
      {
        return constant(id)
      }
      if ["name", "rawValue"].contains(name) { return columnName(before, in: chain) }
      return nil
    }
    if case .property(let id)? = program.member(program.name(member), of: type) {
      return constant(id)
    }
    if name == "databaseTableName" {
      return .text(tableName(of: type))
    }
    if name == "tableName" { return nil }
    if program.enumElements(type).contains(where: { program.nameText($0) == name }),
      program.inherits(type, from: "ColumnExpression"), let raw = rawValue(member, in: chain)
    {
      return .call(.words("Column"), [.text(raw)], closures: [])
    }
    return nil
  }

  /// What a key of `CodingKeys` says, which the compiler declares where the sources don't.
  private mutating func codingKey(_ member: Ref, in chain: Ref, before: Ref) -> String? {
    guard program.nameText(before) == "CodingKeys", program.kind(member) == .member else {
      return nil
    }
    if case .metatype(.declared(let keys, _)) = program.type(ofChain: chain, upTo: member) {
      let isCase = program.enumElements(keys).contains { program.name($0) == program.name(member) }
      return isCase ? rawValue(member, in: chain) : nil
    }
    return program.nameText(member)
  }

  /// The name of a column that a property holds: `Columns.place.name`.
  private mutating func columnName(_ part: Ref, in chain: Ref) -> Form? {
    guard program.kind(part) == .member, let before = program.part(before: part, in: chain),
      case .call(.words("Column"), let name, _)? = constantMember(part, in: chain, before: before)
    else { return nil }
    return name.first
  }

  /// The raw value of the enum case that a part of a chain names.
  private mutating func rawValue(_ part: Ref, in chain: Ref) -> String? {
    guard program.kind(part) == .member,
      case .metatype(.declared(let type, _)) = program.type(ofChain: chain, upTo: part),
      let element = program.enumElements(type).first(where: {
        program.name($0) == program.name(part)
      })
    else { return nil }
    guard let value = program.child(element, .expression) else { return program.nameText(element) }
    return form(value).literal
  }

  /// The name that GRDB gives to the table of a record type.
  func tableName(of type: TypeID) -> String {
    let name = program.nameText(program.types[type].ref)
    let head = name.prefix { $0.isUppercase }
    guard head.count > 1 else { return name.prefix(1).lowercased() + name.dropFirst() }
    if head.count == name.count { return name.lowercased() }
    return head.dropLast().lowercased() + name.dropFirst(head.count - 1)
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
      } else if let function = functionReference(argument, of: ref) {
        closures.append(function)
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

  /// The function of the sources that an argument names, as a closure.
  private mutating func functionReference(_ argument: Ref, of call: Ref) -> Form? {
    guard let value = program.children(argument).first, let id = program.namedFunction(value) else {
      return nil
    }
    path.append(call)
    defer { path.removeLast() }
    return closure(ofFunction: id)
  }

  /// A function of the sources as if it were a closure.
  mutating func closure(ofFunction id: FunctionID) -> Form? {
    guard program.functions[id].body != nil, !open.contains(id),
      program.isWithin(open.count, .migrationCalls)
    else { return nil }
    let function = program.functions[id]
    let file = Int(function.ref.file)
    for parameter in function.parameters { _ = bind(Ref(file: file, node: parameter.node)) }
    return .closure(function.parameters.count, putIn(id))
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
    guard let id = functionToPutIn(call) else { return inlinedKnown(call) }
    return enter(id, call) { reader in reader.putIn(id) }
  }

  /// The function of a call whose code belongs to the migration.
  private func functionToPutIn(_ call: Ref) -> FunctionID? {
    let called =
      knownFunction(call).map { [$0.function] }
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
    _ id: FunctionID, _ call: Ref, _ read: (inout MigrationReader) -> Result
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
    let saved = (ownForm, path, own)
    bindKnown(to: call, of: id)
    for (place, value) in given { names[.local(place)] = value }
    ownForm = receiver
    path.append(call)
    defer { (ownForm, path, own) = saved }
    return read(&self)
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
    guard callee.count > 1, let last = callee.last, let chain = program.parent(call) else {
      return ownForm
    }
    let before = callee.filter { $0 < last }
    if let (constant, _) = before.count > 1 ? constantPrefix(before, in: chain) : nil {
      return constant
    }
    return before.dropFirst().reduce(form(before[0])) { whole, part in
      program.kind(part) == .member
        ? .member(whole, program.nameText(part)) : .suffixed(whole, form(part).description)
    }
  }

  /// The statements of a function whose parameters are bound.
  mutating func putIn(_ id: FunctionID) -> [Form] {
    guard let body = program.functions[id].body else { return [] }
    if own != .other { listed.insert(id) }
    open.append(id)
    defer { open.removeLast() }
    return statements(in: Ref(file: Int(program.functions[id].ref.file), node: body))
  }
}

extension Program {
  /// The part of a chain before another.
  fileprivate func part(before part: Ref, in chain: Ref) -> Ref? {
    children(chain).last { $0 < part }
  }

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
