import PersistIndex
import PersistSyntax

/// Uses of the main actor's `ModelContext` in an asynchronous function that belongs to no actor.
struct MainModelContextUse {
  let value: String
  /// The property or parameter that holds the context.
  let source: Ref
  let function: Ref
  /// The places, in source order.
  var places: [Ref]
}

extension Program {
  /// The uses of the main actor's `ModelContext` away from it, one a function and context.
  var modelContextsOffMain: [MainModelContextUse] {
    let methods: [Name] = [
      "insert", "delete", "save", "fetch", "fetchCount", "rollback", "transaction", "enumerate",
      "fetchIdentifiers",
    ]
    var found: [[Ref]: MainModelContextUse] = [:]
    for call in modelContextCalls(named: methods) where !isExempt(call) {
      guard receiverType(ofCall: call).isExternal("ModelContext"),
        let called = calledNode(call), kind(called) == .member, let chain = parent(call),
        let last = children(chain).last(where: { $0 < called && kind($0) != .optionalChain }),
        let function = unisolatedFunction(of: call),
        let source = property(usedBy: last).map({ properties[$0].ref }),
        fromCallers(contextExecutors(ofChain: chain, upTo: called)).isMain
      else { continue }
      let key = [function, source]
      found[
        key, default: .init(value: nameText(last), source: source, function: function, places: [])
      ]
      .places.append(called)
    }
    return found.values.sorted { $0.places[0] < $1.places[0] }
  }

  /// The asynchronous function that runs a place off the main actor, with no closure between.
  private func unisolatedFunction(of place: Ref) -> Ref? {
    guard closure(moving: place) == nil, queue(at: place) == .elsewhere else { return nil }
    return ancestors(place).first { [.functionDecl, .initDecl, .accessor].contains(kind($0)) }
      .flatMap { kind($0) == .functionDecl && isolation(ofDeclaration: $0).isOpen ? $0 : nil }
  }
}

extension Isolation {
  /// Whether it is no actor of its own.
  fileprivate var isOpen: Bool { self == .nonisolated || self == .unknown }
}
