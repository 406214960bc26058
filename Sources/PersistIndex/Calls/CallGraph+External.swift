import PersistSyntax

// MARK: - What methods from elsewhere give

extension Program {
  func externalResult(_ receiver: SwiftType, _ name: Name, _ call: Ref) -> SwiftType {
    if let other = otherVersion(name, call) { return other }
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
      let told = receiver == .unknown ? typeOfTelling(name) : .unknown
      if told != .unknown { return told }
      return generatedRequest(name, call) ?? fetchResult(name, receiver, call)
    }
  }

  /// `notes.thaw()` and `note.freeze()`, which give the same of a realm.
  private func otherVersion(_ name: Name, _ call: Ref) -> SwiftType? {
    guard name == "thaw" || name == "freeze" else { return nil }
    let receiver = receiverType(ofCall: call).unwrapped
    switch receiver {
    case .declared(let id, _) where !isRealmObject(id): return nil
    case .declared, .array, .external: return name == "thaw" ? .optional(receiver) : receiver
    default: return nil
    }
  }

  /// `Trip.fetchRequest()`, which Xcode generates together with the properties.
  private func generatedRequest(_ name: Name, _ call: Ref) -> SwiftType? {
    guard name == "fetchRequest", case .metatype(.declared(let id, _)) = receiverType(ofCall: call),
      ([types[id].ref] + types[id].extensions).contains(where: { part in
        files[Int(part.file)].isGenerated
      })
    else { return nil }
    return .external("NSFetchRequest", [.declared(id)])
  }

  /// What the closure of `perform` returns.
  private func performResult(_ call: Ref) -> SwiftType {
    guard let closure = arguments(call).last,
      case .function(_, let result) = type(of: closure), result != .void
    else { return .unknown }
    return result
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
    guard case .metatype(.declared(let type, _)) = receiverType(ofCall: call),
      Words.recordBases.contains(where: { inherits(type, from: $0) })
    else { return nil }
    return type
  }

  private func collectionResult(_ name: Name, _ element: SwiftType, _ call: Ref) -> SwiftType {
    if Words.sameElementMethods.contains(name) { return .array(element) }
    if Words.oneElementMethods.contains(name) { return .optional(element) }
    return .unknown
  }
}
