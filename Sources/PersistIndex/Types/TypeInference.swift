import PersistSyntax

/// The type of a value node.
struct TypeOfValue: Query {
  let value: Ref

  func _rawHashValue(seed: Int) -> Int { value._rawHashValue(seed: seed) }
  static var provisional: SwiftType { .unknown }
  static func memo(in program: Program) -> Memo<Self> { program.typesOfValues }
  func answer(in program: Program) -> SwiftType { program.infer(value) }
}

// MARK: - Types of values

extension Program {
  /// The type of an expression, chain or other value node; `.unknown` where it can't be told.
  package func type(of ref: Ref) -> SwiftType {
    answer(TypeOfValue(value: ref))
  }

  fileprivate func infer(_ ref: Ref) -> SwiftType {
    switch kind(ref) {
    case .expression: return inferExpression(ref)
    case .chain: return state(ofChain: ref, upTo: nil).whole
    case .argument:
      return children(ref).first { kind($0) == .expression || kind($0) == .closure }
        .map { type(of: $0) } ?? .unknown
    default: return inferPrimary(ref)
    }
  }

  /// The type behind a module's name and a period at the beginning of a chain.
  func typeOfModule(_ primary: Ref, _ suffix: Ref) -> TypeID? {
    guard kind(primary) == .name, kind(suffix) == .member,
      nameText(primary).first?.isUppercase == true, declared(primary) == nil
    else { return nil }
    return topLevelType(name(suffix), inModule: name(primary), file: Int(primary.file)).only
  }

  private func inferPrimary(_ ref: Ref) -> SwiftType {
    switch kind(ref) {
    case .name: return inferName(ref)
    case .string: return .external("String", [])
    case .literal: return typeOfLiteral(ref)
    case .keyPath: return type(ofKeyPath: ref, from: .unknown)
    case .implicitMember:
      guard let chain = parent(ref), case let wanted = expectedType(of: chain).unwrapped,
        wanted != .unknown
      else { return .unknown }
      return type(ofMember: name(ref), of: .metatype(wanted))
    case .array: return inferArray(ref)
    case .tuple:
      let parts = children(ref, .argument)
      return parts.count == 1
        ? type(of: parts[0])
        : SwiftType.tuple(parts.map { type(of: $0) }, parts.map { label($0) }).bounded(in: self)
    case .dictionary:
      let pair = children(ref, .argument).compactMap { child($0, .expression) }
      guard pair.count >= 2 else { return expectedType(of: ref).unwrapped }
      let (key, value) = (type(of: pair[0]), type(of: pair[1]))
      if case .metatype(let key) = key, case .metatype(let value) = value,
        isTypeLiteral(pair[0]), isTypeLiteral(pair[1])
      {
        return .metatype(.dictionary(key, value))
      }
      return value == .unknown ? .unknown : SwiftType.dictionary(key, value).bounded(in: self)
    case .ifStatement, .switchStatement: return typeOfBranches(ref)
    case .closure: return inferClosure(ref)
    case .boundName, .parameter, .capture, .catchClause: return type(ofLocal: ref)
    default: return .unknown
    }
  }

  private func inferArray(_ ref: Ref) -> SwiftType {
    let elements = children(ref, .argument).prefix(Limit.elements.count)
      .compactMap { child($0, .expression) }
    guard let first = elements.first else { return expectedType(of: ref).unwrapped }
    if elements.count == 1, case .metatype(let type) = self.type(of: first), isTypeLiteral(first) {
      return .metatype(.array(type))
    }
    let element = joined(elements.map { typeOfBranch($0) })
    return element.isKnown ? SwiftType.array(element).bounded(in: self) : .unknown
  }

  /// A closure's type: its written parameters, and what its code results in.
  private func inferClosure(_ ref: Ref) -> SwiftType {
    let parameters = child(ref, .parameters).map { children($0, .parameter) } ?? []
    let result = child(ref, .type).map { type(ofTypeNode: $0) } ?? typeOfResult(ref)
    return SwiftType.function(
      parameters.map { child($0, .type).map { type(ofTypeNode: $0) } ?? .unknown }, result
    ).bounded(in: self)
  }

  /// Whether an expression is nothing but a type's name, as in `[Trip]()`.
  private func isTypeLiteral(_ ref: Ref) -> Bool {
    let parts = children(ref)
    guard parts.count == 1, kind(parts[0]) == .chain else { return false }
    return children(parts[0]).allSatisfy { kind($0) == .name || kind($0) == .member }
      && children(parts[0]).last.map { name($0) != "self" } ?? false
  }

  private func inferName(_ ref: Ref) -> SwiftType {
    switch declared(ref) {
    case .local(let local): return type(ofLocal: local)
    case .closureArgument(let closure, let index): return type(ofArgument: index, of: closure)
    case .selfValue(let type):
      let own = type.map { selfType($0) } ?? .unknown
      return own != .unknown && isInStaticMember(ref) ? .metatype(own) : own
    case .property(let property): return type(ofProperty: property)
    case .functions(let candidates):
      return candidates.count == 1 ? functionType(candidates[0]) : .unknown
    case .type(let type): return .metatype(declaredType(type, arguments: genericArguments(ref)))
    case nil:
      if nameText(ref) == "super" {
        return enclosingType(ref).flatMap { inherited(by: $0).first } ?? .unknown
      }
      if nameText(ref).first?.isUppercase == true {
        return .metatype(resolve([name(ref)], arguments: genericArguments(ref), from: ref))
      }
      return implicitMember(name(ref), at: ref)
    }
  }

  /// The type of a function of the sources as a value.
  func functionType(_ id: FunctionID) -> SwiftType {
    .function(parameterTypes(of: id).map { erased($0) }, resultType(id))
  }

  /// A type of the sources, or what its typealias stands for.
  package func declaredType(_ type: TypeID, arguments: [SwiftType] = []) -> SwiftType {
    guard types[type].kind == .typealiasDecl else {
      return .declared(type, takesArguments(type) ? arguments : [])
    }
    return erased(substitute(aliasTarget(type), bindings(of: type, to: arguments)))
  }

  private func takesArguments(_ type: TypeID) -> Bool {
    child(types[type].ref, .genericParameters) != nil
  }

  // MARK: Locals

  /// The type of what a `boundName`, `parameter`, `capture`, `catchClause` or `accessor` declares.
  package func type(ofLocal ref: Ref) -> SwiftType {
    switch kind(ref) {
    case .parameter: return typeOfParameter(ref)
    case .capture: return child(ref, .expression).map { type(of: $0) } ?? .unknown
    case .catchClause: return .external("Error", [])
    case .accessor:
      return ancestors(ref).first { kind($0) == .binding }
        .flatMap { property(declaredAt: $0) }.map { type(ofProperty: $0) } ?? .unknown
    case .boundName: return typeOfBoundName(ref)
    default: return .unknown
    }
  }

  private func typeOfParameter(_ ref: Ref) -> SwiftType {
    if let type = child(ref, .type) {
      let written = narrowed(self.type(ofTypeNode: type))
      return kind(ref) == .parameter && outline(ref).parameter(Int(ref.node)).isVariadic
        ? .array(written) : written
    }
    guard let list = parent(ref), let closure = parent(list), kind(closure) == .closure,
      let index = children(list, .parameter).firstIndex(of: ref)
    else { return .unknown }
    return type(ofArgument: index, of: closure)
  }

  private func typeOfBoundName(_ ref: Ref) -> SwiftType {
    guard let binder = binder(ofName: ref) else { return .unknown }
    let value = type(matchedBy: binder, ref)
    guard parent(ref) != binder else { return value }
    return pattern(binding: ref).map { type(ofPattern: $0, value: value) } ?? .unknown
  }

  /// The type of the value that is matched with the pattern that a name stands in.
  private func type(matchedBy binder: Ref, _ ref: Ref) -> SwiftType {
    let parts = children(binder)
    let values = parts.filter { kind($0) == .expression && !contains($0, ref) }
    if let written = parts.first(where: { kind($0) == .type }) {
      return narrowed(type(ofTypeNode: written))
    }
    switch kind(binder) {
    case .optionalBinding:
      return (values.first.map { type(of: $0) } ?? typeOfShorthand(ref, binder)).unwrapped
    case .forStatement: return values.first.map { element(of: type(of: $0)) } ?? .unknown
    case .caseItem: return subjectType(ofItem: binder)
    default:
      return values.first.map { type(of: $0) } ?? parent(binder).flatMap { typeOfWrapper(at: $0) }
        ?? .unknown
    }
  }

  /// What a loop over a value goes through.
  private func element(of type: SwiftType) -> SwiftType {
    type.element == .unknown ? associatedType("Element", of: type.unwrapped) : type.element
  }

  /// `if let x` without a value: the type of the `x` outside. Many in one another are asked from the
  /// outside in, so that none waits for all around it.
  private func typeOfShorthand(_ ref: Ref, _ binder: Ref) -> SwiftType {
    let known = TypeOfShorthand.memo(in: self)
    var waiting = [TypeOfShorthand(name: ref, binder: binder)]
    while let query = waiting.last, known.answers[query] == nil,
      case .local(let outer)? = lookUp(name(query.name), from: query.binder), outer < query.name,
      let around = parent(outer), kind(outer) == .boundName, kind(around) == .optionalBinding,
      child(around, .expression) == nil
    {
      waiting.append(TypeOfShorthand(name: outer, binder: around))
    }
    return waiting.reversed().map { answer($0) }.last ?? .unknown
  }

  /// What `if let x` without a value binds again; nil where a local is no such name.
  package func valueBound(byShorthand local: Ref) -> Declared? {
    guard kind(local) == .boundName, let binding = parent(local),
      kind(binding) == .optionalBinding, child(binding, .expression) == nil
    else { return nil }
    return lookUp(name(local), from: binding)
  }

  fileprivate func findTypeOfShorthand(_ ref: Ref, _ binder: Ref) -> SwiftType {
    switch lookUp(name(ref), from: binder) {
    case .local(let outer) where outer != ref: type(ofLocal: outer)
    case .property(let property): type(ofProperty: property)
    case .selfValue(let type): type.map { .declared($0) } ?? .unknown
    default: name(ref) == "self" ? enclosingType(ref).map { .declared($0) } ?? .unknown : .unknown
    }
  }

  /// The type of what a pattern of a `switch` or `catch` is compared with.
  func subjectType(ofItem item: Ref) -> SwiftType {
    guard let clause = parent(item) else { return .unknown }
    if kind(clause) == .catchClause { return .external("Error", []) }
    var next = parent(clause)
    while let current = next, kind(current) == .ifConfigClause || kind(current) == .ifConfig {
      next = parent(current)
    }
    guard let statement = next, kind(statement) == .switchStatement,
      let subject = child(statement, .expression)
    else { return .unknown }
    return type(of: subject)
  }

  /// Follows a pattern from the value that is matched down to one of its parts.
  private func type(ofPattern part: Ref, value: SwiftType) -> SwiftType {
    var path = [part]
    while let outer = parent(path[path.count - 1]), kind(outer).isPattern { path.append(outer) }
    return path.reversed().reduce(value) { type, part in
      switch kind(part) {
      case .patternElement: self.type(ofElement: part, in: type)
      case .castPattern: castType(source(part), of: type).unwrapped
      case .optionalPattern: type.unwrapped
      default: type
      }
    }
  }

  /// The type of an element of a tuple, or of what an enum's case carries.
  private func type(ofElement element: Ref, in type: SwiftType) -> SwiftType {
    guard let holder = parent(element), let index = children(holder).firstIndex(of: element) else {
      return .unknown
    }
    guard kind(holder) == .tuplePattern else { return payload(of: holder, index, in: type) }
    let count = children(holder).count
    if case .tuple(let elements, _) = type, elements.count == count { return elements[index] }
    return count > 1 ? .unknown : type
  }

  /// The type of an enum case's payload that a pattern such as `.loaded(let trip)` binds.
  private func payload(of enumCase: Ref, _ index: Int, in type: SwiftType) -> SwiftType {
    let name = name(enumCase)
    if case .optional(let wrapped) = type, name == "some" { return wrapped }
    switch type.unwrapped {
    case .external("Result", let arguments) where !arguments.isEmpty:
      return name == "success"
        ? arguments[0] : name == "failure" && arguments.count > 1 ? arguments[1] : .unknown
    case .declared(let declared, let given):
      for element in enumElements(declared) where self.name(element) == name {
        guard let parameters = child(element, .parameters) else { return .unknown }
        let list = children(parameters, .parameter)
        guard index < list.count, let node = child(list[index], .type) else { return .unknown }
        return settled(signatureType(ofTypeNode: node), bindings(of: declared, to: given))
      }
      return .unknown
    default: return .unknown
    }
  }

  /// The elements that an enum declares, in source order.
  package func enumElements(_ type: TypeID) -> [Ref] {
    guard let members = child(types[type].ref, .members) else { return [] }
    return children(members, .enumCaseDecl).flatMap { children($0, .enumElement) }
  }

  /// The types of what an element of an enum carries.
  package func payloadTypes(of element: Ref) -> [SwiftType] {
    let parameters = child(element, .parameters).map { children($0, .parameter) } ?? []
    return parameters.map { child($0, .type).map { type(ofTypeNode: $0) } ?? .unknown }
  }
}

/// The type of a name that a condition binds anew without a value.
private struct TypeOfShorthand: Query {
  let name: Ref
  let binder: Ref

  static var provisional: SwiftType { .unknown }
  func answer(in program: Program) -> SwiftType { program.findTypeOfShorthand(name, binder) }
}
