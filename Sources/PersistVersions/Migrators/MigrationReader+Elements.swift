import PersistIndex
import PersistSyntax

// MARK: - Lists of migrations that a loop registers

extension MigrationReader {
  /// What a loop registers for each element of a list that is known: of tuples, of values with
  /// properties, of enum cases; nil where it registers nothing or its list isn't known.
  mutating func loop(
    _ variables: [Declared], registering source: [Ref], _ body: Ref
  ) -> [Form]? {
    guard registers(body), let rows = rows(of: source, variables.count), !rows.isEmpty,
      program.isWithin(rows.count, .loopElements)
    else { return nil }
    let saved = elements
    defer { elements = saved }
    var texts: [Form] = []
    for row in rows {
      for (variable, element) in zip(variables, row) {
        elements[variable] = element
        names[variable] = nil
      }
      texts += statements(in: body)
    }
    return texts
  }

  /// What the variables of a loop stand for in each round: an element, its parts, elements of two
  /// lists, or a number that nobody needs and an element.
  private func rows(of source: [Ref], _ count: Int) -> [[Ref?]]? {
    var parts = source
    if let only = parts.first, parts.count == 1, program.kind(only) == .expression,
      let chain = program.child(only, .chain), program.isOnlyPart(chain, of: only)
    {
      parts = program.children(chain)
    }
    if let call = parts.last, program.kind(call) == .call {
      switch program.calledName(call) {
      case "zip" where parts.count == 2 && count == 2:
        let lists = program.arguments(call).compactMap { argument in
          program.children(argument).first.flatMap { elements(of: $0, depth: 0) }
        }
        guard lists.count == 2 else { return nil }
        return zip(lists[0], lists[1]).map { [$0, $1] }
      case "enumerated" where count == 2:
        return elements(ofChain: Array(parts.dropLast(2)), depth: 0)?.map { [nil, $0] }
      default: break
      }
    }
    guard let list = elements(ofChain: parts, depth: 0) else { return nil }
    if count == 1 { return list.map { [$0] } }
    return list.map { element in (0..<count).map { part($0, .none, of: element) } }
  }

  /// Whether a loop's body registers a migration or calls what does.
  private func registers(_ body: Ref) -> Bool {
    program.descendants(body, .call).contains { call in
      program.calledName(call) == "registerMigration"
        || program.functions(calledBy: call).contains { registrars.contains($0) }
    }
  }

  /// The elements of the list that an expression stands for, in their order.
  private func elements(of source: Ref, depth: Int) -> [Ref]? {
    guard program.isWithin(depth, .loopNames) else { return nil }
    if program.kind(source) == .array {
      return program.children(source, .argument).compactMap { program.children($0).first }
    }
    if program.kind(source) == .expression {
      let parts = program.children(source).filter {
        ![.tryMark, .awaitMark, .cast].contains(program.kind($0))
      }
      let operands = parts.filter { program.kind($0) != .binaryOperator }
      guard parts.allSatisfy({ program.kind($0) != .binaryOperator || program.name($0) == "+" })
      else { return nil }
      var all: [Ref] = []
      for operand in operands {
        guard let list = elements(of: operand, depth: depth) else { return nil }
        all += list
      }
      return all
    }
    return program.kind(source) == .chain
      ? elements(ofChain: program.children(source), depth: depth) : nil
  }

  private func elements(ofChain parts: [Ref], depth: Int) -> [Ref]? {
    guard let last = parts.last else { return nil }
    if [.array, .expression].contains(program.kind(last)), parts.count == 1 {
      return elements(of: last, depth: depth)
    }
    if program.name(last) == "allCases", let chain = program.parent(last),
      case .metatype(.declared(let type, _)) = program.type(ofChain: chain, upTo: last)
    {
      return program.enumElements(type)
    }
    let value: Ref?
    if program.kind(last) == .call {
      let called = program.functions(calledBy: last)
      value = called.count == 1 ? program.onlyValue(of: called[0]) : nil
    } else {
      value = element(ofChain: parts, depth: depth + 1)
    }
    return value.flatMap { elements(of: $0, depth: depth + 1) }
  }

  // MARK: Elements

  /// What an expression says that names an element of such a list, or a part of one; nil where it
  /// names something else.
  func element(of value: Ref) -> Ref? {
    let chain = program.kind(value) == .chain ? value : program.child(value, .chain)
    guard !elements.isEmpty || ownElement != nil, let chain, program.isOnlyPart(chain, of: value),
      namesElement(program.children(chain))
    else { return nil }
    return element(ofChain: program.children(chain), depth: 0)
  }

  /// Whether the first part of a chain stands for an element, or for a property of one.
  private func namesElement(_ parts: [Ref]) -> Bool {
    guard let first = parts.first, program.kind(first) == .name,
      let declared = program.declared(first)
    else { return false }
    // What has a text already is read as that.
    if case .selfValue = declared { return ownElement != nil && parts.count > 1 }
    if elements[declared] != nil { return names[declared] == nil || parts.count > 1 }
    guard ownElement != nil, case .property(let id) = declared else { return false }
    return !program.properties[id].isStatic
  }

  /// The expression that a chain of names and members stands for.
  func element(ofChain parts: [Ref], depth: Int) -> Ref? {
    guard program.isWithin(depth, .loopNames), var value = parts.first.flatMap({ root($0) }) else {
      return constantValue(parts)
    }
    for member in parts.dropFirst() {
      guard program.kind(member) == .member,
        let next = part(Int(program.nameText(member)), program.name(member), of: value)
      else { return nil }
      value = next
    }
    return value
  }

  private func root(_ first: Ref) -> Ref? {
    guard program.kind(first) == .name, let declared = program.declared(first) else { return nil }
    if case .selfValue = declared { return ownElement }
    if let known = elements[declared] { return known }
    if case .property(let id) = declared, let own = ownElement,
      !program.properties[id].isStatic
    {
      return part(nil, program.properties[id].name, of: own)
    }
    return nil
  }

  /// The value of the constant, or of the computed property, that a chain ends with.
  private func constantValue(_ parts: [Ref]) -> Ref? {
    guard let last = parts.last else { return nil }
    var property = program.property(usedBy: last)
    switch program.kind(last) {
    case .name:
      if case .local(let local)? = program.declared(last), program.kind(local) == .boundName,
        let binding = program.parent(local), isLet(binding)
      {
        return program.child(binding, .expression)
      }
    case .implicitMember:
      if case .declared(let type, _) = program.type(of: last).unwrapped,
        case .property(let id)? = program.member(program.name(last), of: type)
      {
        property = id
      }
    case .member: break
    default: return nil
    }
    guard let id = property else { return nil }
    let declared = program.properties[id]
    let file = Int(declared.ref.file)
    if let accessors = declared.accessors, declared.isComputed {
      return program.onlyValue(in: Ref(file: file, node: accessors))
    }
    guard declared.isLet || declared.isStatic else { return nil }
    return declared.initializer.map { Ref(file: file, node: $0) }
  }

  /// A part of an element: of a tuple by number or label, of a value that is made there by what its
  /// initializer is given, of an enum's case by its raw value or what a getter says for it.
  private func part(
    _ index: Int?, _ name: Name, of element: Ref, depth: Int = 0
  ) -> Ref? {
    guard program.isWithin(depth, .loopNames) else { return nil }
    if program.kind(element) == .enumElement {
      if name == "rawValue" { return program.child(element, .expression) ?? element }
      return valueOfCase(element, name)
    }
    if let tuple = program.tuple(in: element) {
      let list = program.children(tuple)
      let labelled = list.first { name != .none && program.label($0) == name }
      let position = index ?? position(name, of: element)
      let found = labelled ?? position.flatMap { $0 < list.count ? list[$0] : nil }
      return found.flatMap { program.children($0).first }
    }
    guard let chain = program.kind(element) == .chain ? element : program.child(element, .chain),
      let last = program.children(chain).last
    else { return nil }
    if program.kind(last) == .call, case .initializer(let type, _) = program.callTarget(last) {
      return argument(name, of: last, making: type)
    }
    if let enumCase = enumCase(namedBy: last, in: chain) {
      return part(index, name, of: enumCase, depth: depth + 1)
    }
    guard let value = constantValue(program.children(chain)), value != element else { return nil }
    return part(index, name, of: value, depth: depth + 1)
  }

  /// The case of an enum of the sources that a chain ends with.
  func enumCase(namedBy last: Ref, in chain: Ref) -> Ref? {
    var type = program.type(of: chain).unwrapped
    if program.kind(last) == .member { type = program.type(ofChain: chain, upTo: last) }
    if case .metatype(let inner) = type { type = inner }
    guard case .declared(let id, _) = type else { return nil }
    return program.enumElements(id).first { program.name($0) == program.name(last) }
  }

  /// The place of a label in the tuple type that the list of an element is declared with.
  private func position(_ name: Name, of element: Ref) -> Int? {
    guard let list = program.ancestors(element).first(where: { program.kind($0) == .array }),
      let binding = program.ancestors(list).first(where: {
        [.binding, .accessors, .functionDecl].contains(program.kind($0))
      })
    else { return nil }
    var type: SwiftType = .unknown
    if let holder = program.kind(binding) == .accessors ? program.parent(binding) : binding {
      if let property = program.property(declaredAt: holder) {
        type = program.type(ofProperty: property)
      } else if let local = program.child(holder, .boundName) {
        type = program.type(of: local)
      } else if let function = program.function(declaredAt: holder) {
        type = program.resultType(function)
      }
    }
    guard case .array(.tuple(_, let labels)) = type.unwrapped else { return nil }
    return labels.firstIndex(of: name)
  }

  /// What a call that makes a value gives to one of its properties.
  private func argument(_ name: Name, of call: Ref, making type: TypeID) -> Ref? {
    guard case .property(let id)? = program.member(name, of: type) else { return nil }
    for argument in program.arguments(call) {
      let isTrailing = program.kind(argument) == .closure
      let isOwn =
        program.properties(setBy: argument, of: call).contains(id)
        || program.closure(of: argument).map {
          isTrailing && program.property(of: type, keeping: $0, in: call) == id
        } ?? false
      if isOwn { return program.closure(of: argument) ?? program.children(argument).first }
    }
    let property = program.properties[id]
    if let accessors = property.accessors, property.isComputed {
      return program.onlyValue(in: Ref(file: Int(property.ref.file), node: accessors))
    }
    return property.initializer.map { Ref(file: Int(property.ref.file), node: $0) }
  }

  // MARK: What elements do

  /// The function of the type of an element that a chain ends with: `step.migrate`.
  func elementFunction(_ parts: [Ref]) -> (function: FunctionID, own: Ref)? {
    guard parts.count > 1, namesElement(parts), let last = parts.last,
      let own = element(ofChain: Array(parts.dropLast()), depth: 0), let type = type(of: own),
      case .functions(let found)? = program.member(program.name(last), of: type)
    else { return nil }
    let bodies = found.filter { program.functions[$0].body != nil }
    return bodies.count == 1 ? (bodies[0], own) : nil
  }

  private func type(of element: Ref) -> TypeID? {
    if program.kind(element) == .enumElement { return program.enclosingType(element) }
    guard let chain = program.kind(element) == .chain ? element : program.child(element, .chain),
      let last = program.children(chain).last
    else { return nil }
    if program.kind(last) == .call {
      guard case .initializer(let type, _) = program.callTarget(last) else { return nil }
      return type
    }
    if case .declared(let type, _) = program.type(of: chain).unwrapped { return type }
    return nil
  }

  /// What a call runs whose callee is a closure or a function that an element holds.
  mutating func inlinedElement(_ call: Ref) -> [Form]? {
    guard !elements.isEmpty || ownElement != nil, let chain = program.parent(call),
      program.kind(chain) == .chain
    else {
      return nil
    }
    let parts = program.children(chain).prefix { $0 != call }
    guard namesElement(Array(parts)), let value = element(ofChain: Array(parts), depth: 0),
      program.isWithin(open.count, .migrationCalls)
    else { return nil }
    let given = program.arguments(call).map { argument in
      program.children(argument).first.map { form($0) } ?? .nothing
    }
    guard let closure = onlyClosure(in: value) else {
      guard let id = program.namedFunction(value), !open.contains(id) else { return nil }
      let file = Int(program.functions[id].ref.file)
      for (parameter, value) in zip(program.functions[id].parameters, given) {
        names[.local(Ref(file: file, node: parameter.node))] = value
      }
      return putIn(id)
    }
    if let list = program.child(closure, .parameters) {
      for (parameter, value) in zip(program.children(list, .parameter), given) {
        names[.local(parameter)] = value
      }
    } else {
      for (index, value) in given.enumerated() { names[.closureArgument(closure, index)] = value }
    }
    return statements(in: closure)
  }

  /// The closure that a value is.
  func onlyClosure(in value: Ref) -> Ref? {
    if program.kind(value) == .closure { return value }
    guard let chain = program.kind(value) == .chain ? value : program.child(value, .chain),
      program.isOnlyPart(chain, of: value), program.children(chain).count == 1
    else { return nil }
    return program.child(chain, .closure)
  }

  /// Has the parameters of a function that registers, and its `self`, stand for what a call gives.
  mutating func bindElements(to call: Ref, of id: FunctionID) {
    let own = elementFunction(program.callee(call))?.own
    let function = program.functions[id]
    if registrars.contains(id) {
      for (index, parameter) in function.parameters.enumerated() {
        guard let argument = program.argument(of: call, for: index, of: function),
          let value = program.closure(of: argument) ?? program.children(argument).first
        else { continue }
        let place = Ref(file: Int(function.ref.file), node: parameter.node)
        elements[.local(place)] = element(of: value) ?? value
      }
    }
    ownElement = own
  }

  // MARK: Cases

  /// What a getter that switches over its enum says for a case.
  private func valueOfCase(_ element: Ref, _ name: Name) -> Ref? {
    guard let type = program.enclosingType(element),
      case .property(let id)? = program.member(name, of: type),
      let accessors = program.properties[id].accessors
    else { return nil }
    let body = Ref(file: Int(program.properties[id].ref.file), node: accessors)
    guard let statement = program.descendants(body, .switchStatement).first,
      let last = branch(of: statement, for: element)?.last
    else { return nil }
    return program.kind(last) == .returnStatement ? program.child(last, .expression) : last
  }

  /// The statements of a `switch` over an element that is a case of an enum.
  func branch(of statement: Ref) -> [Ref]? {
    guard !elements.isEmpty || ownElement != nil,
      let subject = program.child(statement, .expression)
    else { return nil }
    var element = self.element(of: subject)
    if element == nil, program.isSelf(subject) { element = ownElement }
    guard let element else { return nil }
    if program.kind(element) == .enumElement { return branch(of: statement, for: element) }
    guard let chain = program.kind(element) == .chain ? element : program.child(element, .chain),
      let last = program.children(chain).last, let found = enumCase(namedBy: last, in: chain)
    else { return nil }
    return branch(of: statement, for: found)
  }

  private func branch(of statement: Ref, for element: Ref) -> [Ref]? {
    let cases = program.children(statement, .switchCase)
    let name = program.name(element)
    let own = cases.first { clause in
      program.children(clause, .caseItem).contains { item in
        program.pattern(of: item).map { program.firstCase(of: [name], in: $0) != nil } ?? false
      }
    }
    let taken = own ?? cases.first { program.node($0).flags.contains(.isDefault) }
    return taken.map { program.children($0).filter { program.kind($0) != .caseItem } }
  }
}

extension Program {
  /// Whether code is `self` and nothing else.
  fileprivate func isSelf(_ code: Ref) -> Bool {
    node(code).end == node(code).first + 1 && firstName(of: code) == "self"
  }
}
