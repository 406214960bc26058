import PersistIndex
import PersistSyntax

// MARK: - Lists of types that each say one migration

extension MigrationReader {
  /// What a loop over a list of types, or of values made of them, does for each of them; nil where
  /// it loops over something else.
  mutating func loop(
    _ variables: [Declared], overTypesIn source: [Ref], _ body: Ref
  ) -> [Form]? {
    guard variables.count == 1, let list = array(source, depth: 0) else { return nil }
    let elements = program.children(list, .argument)
    let found = elements.compactMap { type(ofElement: $0) }
    let areApart = found.count > 1 || !isMadeWithArguments(elements.first)
    guard !found.isEmpty, found.count == elements.count, areApart, Set(found).count == found.count,
      program.isWithin(found.count, .loopElements)
    else { return nil }
    var texts: [Form] = []
    for type in found {
      types[variables[0]] = type
      names[variables[0]] = .words(program.nameText(program.types[type].ref))
      texts += statements(in: body)
    }
    types[variables[0]] = nil
    return texts
  }

  /// The array literal that a chain of names stands for.
  private func array(_ parts: [Ref], depth: Int) -> Ref? {
    guard program.isWithin(depth, .loopNames), let last = parts.last else { return nil }
    if parts.count == 1, program.kind(last) == .array { return last }
    var value: Ref?
    switch program.kind(last) {
    case .name, .member:
      if case .local(let local)? = program.declared(last), program.kind(local) == .boundName,
        let binding = program.parent(local), isLet(binding)
      {
        value = program.child(binding, .expression)
      } else if let id = program.property(usedBy: last) {
        let property = program.properties[id]
        let file = Int(property.ref.file)
        if let accessors = property.accessors, property.isComputed {
          value = program.onlyValue(in: Ref(file: file, node: accessors))
        } else if property.isLet || property.isStatic {
          value = property.initializer.map { Ref(file: file, node: $0) }
        }
      }
    case .call:
      let called = program.functions(calledBy: last)
      value = called.count == 1 ? program.onlyValue(of: called[0]) : nil
    default: return nil
    }
    guard let value else { return nil }
    if program.kind(value) == .array { return value }
    let chain = program.kind(value) == .chain ? value : program.child(value, .chain)
    return chain.flatMap { array(program.children($0), depth: depth + 1) }
  }

  /// Whether an element is a value that is told from others of its type by what it is given.
  private func isMadeWithArguments(_ element: Ref?) -> Bool {
    guard let element else { return false }
    return program.descendants(element, .call).first.map { !program.arguments($0).isEmpty } ?? false
  }

  /// The type of `V1.self` or `V1()`.
  private func type(ofElement element: Ref) -> TypeID? {
    guard let value = program.child(element, .expression), program.children(value).count == 1,
      let chain = program.child(value, .chain), let last = program.children(chain).last
    else { return nil }
    let parts = program.children(chain)
    if program.kind(last) == .call {
      guard case .initializer(let type, _) = program.callTarget(last) else { return nil }
      return type
    }
    guard parts.count > 1, program.nameText(last) == "self" else { return nil }
    let before =
      parts.count == 2 ? program.type(of: parts[0]) : program.type(ofChain: chain, upTo: last)
    guard case .metatype(.declared(let type, _)) = before else { return nil }
    return type
  }

  // MARK: What the types say

  /// The constant that a chain asks a type of a list for: `migration.identifier`.
  mutating func listedConstant(_ parts: [Ref]) -> Form? {
    guard parts.count > 1, parts.count == 2 || program.kind(parts[2]) != .call,
      case .property(let id)? = listedMember(parts)
    else { return nil }
    return constant(id)
  }

  /// The function of a type of a list that a call runs: `migration.migrate(db)`.
  func listedFunction(calledBy call: Ref) -> FunctionID? {
    guard let chain = program.parent(call), program.kind(chain) == .chain else { return nil }
    let parts = program.children(chain)
    guard parts.count > 2, parts[2] == call else { return nil }
    return listedFunction(parts)
  }

  /// The function of a type of a list that an expression names: `migration.migrate`.
  func listedFunction(named expression: Ref) -> FunctionID? {
    guard program.kind(expression) == .expression, program.children(expression).count == 1,
      let chain = program.child(expression, .chain), program.children(chain).count == 2
    else { return nil }
    return listedFunction(program.children(chain))
  }

  private func listedFunction(_ parts: [Ref]) -> FunctionID? {
    guard case .functions(let found)? = listedMember(parts) else { return nil }
    let bodies = found.filter { program.functions[$0].body != nil }
    return bodies.count == 1 ? bodies[0] : nil
  }

  private func listedMember(_ parts: [Ref]) -> Declared? {
    guard program.kind(parts[0]) == .name, program.kind(parts[1]) == .member, !types.isEmpty,
      let declared = program.declared(parts[0]), let type = types[declared]
    else { return nil }
    return program.member(program.name(parts[1]), of: type)
  }
}
