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
      return known == .unknown ? fetchResult(name, receiver, call) : known
    default:
      return generatedRequest(name, call) ?? fetchResult(name, receiver, call)
    }
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

  /// What the closure of `perform` returns.
  private func performResult(_ call: Ref) -> SwiftType {
    guard let closure = arguments(call).last else { return .unknown }
    let single = closureResult(closure)
    if single != .unknown || kind(closure) != .closure { return single }
    let results = descendants(closure, .returnStatement).filter { enclosingBody($0) == closure }
      .compactMap { child($0, .expression) }.map { type(of: $0) }.filter { $0 != .unknown }
    return Set(results).count == 1 ? results[0] : .unknown
  }

  /// `fetch(FetchDescriptor<T>())`, `fetch(request)` and other queries of a context.
  private func fetchResult(_ name: Name, _ receiver: SwiftType, _ call: Ref) -> SwiftType {
    if let fetched = Words.fetchesRecords(name), let record = record(fetchedBy: call) {
      return fetched == .one ? .optional(.declared(record)) : .array(.declared(record))
    }
    guard name == "fetch" || name == "objects" || name == "object" || name == "execute",
      let argument = children(call, .argument).first
    else { return .unknown }
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
