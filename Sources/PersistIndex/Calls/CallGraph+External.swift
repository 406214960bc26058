import PersistSyntax

// MARK: - What methods from elsewhere give

extension Program {
  func externalResult(_ receiver: SwiftType, _ name: Name, _ call: Ref) -> SwiftType {
    switch receiver.unwrapped {
    case .array(let element), .set(let element):
      return collectionResult(name, element, call)
    case .dictionary(_, let value):
      return name == "removeValue" ? .optional(value) : .unknown
    case .metatype(let type):
      if case .external(let external, _) = type {
        return Words.staticMember(name, of: external)
      }
      return .unknown
    case .external(let type, _):
      if Words.performMethods.contains(name), isContext(receiver) { return performResult(call) }
      let known = Words.methodResult(name, of: type)
      if known == .unknown, makesForeignContext(call) {
        return .external("NSManagedObjectContext", [])
      }
      return known == .unknown ? fetchResult(name, receiver, call) : known
    default:
      return generatedRequest(name, call) ?? otherVersion(name, call)
        ?? fetchResult(name, receiver, call)
    }
  }

  /// `note.thaw()` and `note.freeze()`, which give the same object of a realm.
  private func otherVersion(_ name: Name, _ call: Ref) -> SwiftType? {
    guard name == "thaw" || name == "freeze",
      case .declared(let id) = receiverType(ofCall: call).unwrapped, isRealmObject(id)
    else { return nil }
    return name == "thaw" ? .optional(.declared(id)) : .declared(id)
  }

  /// `Trip.fetchRequest()`, which Xcode generates together with the properties.
  private func generatedRequest(_ name: Name, _ call: Ref) -> SwiftType? {
    guard name == "fetchRequest", case .metatype(.declared(let id)) = receiverType(ofCall: call),
      ([types[id].ref] + types[id].extensions).contains(where: { part in
        files[Int(part.file)].isGenerated
      })
    else { return nil }
    return .external("NSFetchRequest", [.declared(id)])
  }

  /// What a generic function of the sources gives at a call, where an argument says what its
  /// parameter `T` stands for: a closure that returns a `T`, `T.self`, or a request for `T`.
  func genericResult(_ id: FunctionID, _ call: Ref) -> SwiftType {
    let function = functions[id]
    guard let node = function.result, let list = child(function.ref, .genericParameters) else {
      return .unknown
    }
    let outline = outline(function.ref)
    let generic = Set(outline.tokenNames(of: Int(list.node)))
    let names = outline.tokenNames(of: node)
    guard names.count == 1, generic.contains(names[0]) else { return .unknown }
    for (index, parameter) in function.parameters.enumerated() {
      guard let type = parameter.type, outline.tokenNames(of: type).contains(names[0]),
        let argument = argument(of: call, for: index, of: function)
      else { continue }
      let found = binding(of: names[0], in: type, outline, to: argument)
      guard found != .unknown else { continue }
      guard let written = written(Ref(file: Int(function.ref.file), node: node)),
        written.function == nil
      else { return .unknown }
      let value = written.unwrapped.kind == .arrayType ? SwiftType.array(found) : found
      return written.isOptional ? .optional(value.unwrapped) : value
    }
    return .unknown
  }

  /// What a generic parameter in a parameter's type stands for, by an argument.
  private func binding(of name: Name, in type: Int, _ outline: Outline, to argument: Ref)
    -> SwiftType
  {
    let tokens = Int(outline.nodes[type].first)..<Int(outline.nodes[type].end)
    if let arrow = tokens.last(where: { outline.tokens[$0].kind == .arrow }) {
      let rest = (arrow + 1..<tokens.upperBound).filter {
        outline.tokens[$0].kind == .identifier || outline.tokens[$0].kind == .leftSquare
      }
      guard rest.count == 1, outline.name(ofToken: rest[0]) == name else { return .unknown }
      return returned(by: argument)
    }
    switch self.type(of: argument) {
    case .metatype(let given): return given
    case .external("NSFetchRequest", let arguments) where arguments.count == 1:
      return arguments[0]
    case .external("FetchDescriptor", let arguments) where arguments.count == 1:
      return arguments[0]
    case let given where outline.tokenNames(of: type) == [name]:
      let isList = tokens.contains { outline.tokens[$0].kind == .leftSquare }
      return isList ? given.element : given.unwrapped
    default: return .unknown
    }
  }

  /// What a closure returns.
  private func returned(by closure: Ref) -> SwiftType {
    let single = closureResult(closure)
    guard single == .unknown, let closure = self.closure(in: closure) else { return single }
    let results = descendants(closure, .returnStatement).filter { enclosingBody($0) == closure }
      .compactMap { child($0, .expression) }.map { type(of: $0) }.filter { $0 != .unknown }
    return Set(results).count == 1 ? results[0] : .unknown
  }

  /// What the closure of `perform` returns.
  private func performResult(_ call: Ref) -> SwiftType {
    guard let closure = arguments(call).last else { return .unknown }
    return returned(by: closure)
  }

  /// `fetch(FetchDescriptor<T>())`, `fetch(request)` and other queries of a context.
  private func fetchResult(_ name: Name, _ receiver: SwiftType, _ call: Ref) -> SwiftType {
    if let fetched = Words.fetchesRecords(name), let record = record(fetchedBy: call) {
      return fetched == .one ? .optional(.declared(record)) : .array(.declared(record))
    }
    if name == "object", argument(call, "at") != nil,
      case .external("NSFetchedResultsController", let found) = receiver.unwrapped
    {
      return found.first ?? .unknown
    }
    guard name == "fetch" || name == "objects" || name == "object" || name == "execute",
      let argument = children(call, .argument).first
    else {
      if name == "execute", case .external("NSFetchRequest", let found) = receiver.unwrapped,
        found.count == 1
      {
        return .array(found[0])
      }
      return .unknown
    }
    switch type(of: argument) {
    case .external("FetchDescriptor", let arguments) where name == "fetch" && arguments.count == 1:
      return .array(arguments[0])
    case .external("NSFetchRequest", let arguments) where name == "fetch" && arguments.count == 1:
      return .array(arguments[0])
    case .metatype(let type) where name == "objects": return .array(type)
    case .metatype(let type) where name == "object": return .optional(type)
    default: return .unknown
    }
  }

  /// The record type whose static `fetchAll` or `fetchOne` a call is.
  private func record(fetchedBy call: Ref) -> TypeID? {
    guard case .metatype(.declared(let type)) = receiverType(ofCall: call),
      Words.recordBases.contains(where: { inherits(type, from: $0) })
    else { return nil }
    return type
  }

  private func collectionResult(_ name: Name, _ element: SwiftType, _ call: Ref) -> SwiftType {
    if Words.sameElementMethods.contains(name) { return .array(element) }
    if Words.oneElementMethods.contains(name) { return .optional(element) }
    switch name {
    case "enumerated":
      return .array(
        .tuple([.external("Int", []), element], ["offset", "element"]))
    case "removeFirst", "removeLast", "remove": return element
    case "reduce":
      return children(call, .argument).first.map { type(of: $0) } ?? .unknown
    case "map", "compactMap", "flatMap":
      guard let closure = arguments(call).first else { return .unknown }
      let result = closureResult(closure)
      if result == .unknown { return .unknown }
      if name == "flatMap" { return result.element == .unknown ? .unknown : .array(result.element) }
      return .array(name == "compactMap" ? result.unwrapped : result)
    default: return .unknown
    }
  }

  /// The type of the one expression of a closure, or of the member that a key path names.
  private func closureResult(_ argument: Ref) -> SwiftType {
    var node = argument
    if kind(node) == .argument {
      guard let expression = child(node, .expression), let chain = child(expression, .chain),
        let inner = children(chain).first
      else { return .unknown }
      node = inner
    }
    switch kind(node) {
    case .closure:
      let statements = children(node).filter {
        kind($0) == .expression || kind($0) == .returnStatement
      }
      guard statements.count == 1, let only = statements.first else { return .unknown }
      return kind(only) == .returnStatement
        ? child(only, .expression).map { type(of: $0) } ?? .unknown : type(of: only)
    case .keyPath:
      guard let call = callTaking(node)?.call ?? ancestors(node).first(where: { kind($0) == .call })
      else { return .unknown }
      return type(ofMember: name(node), of: receiverType(ofCall: call).element)
    default: return .unknown
    }
  }
}
