import PersistFlow
import PersistIndex
import PersistSyntax

extension Program {
  /// The framework's call behind an opening, as the other end of a finding.
  func opener(_ opening: StoreOpening) -> Findings.Related {
    Findings.Related(chain(of: opening.root), "`\(openedName(opening.root))` opens the store here")
  }

  /// The steps by which the failure of an opening comes to a place.
  func steps(from opening: StoreOpening, to path: FailurePath?, end: Findings.Related)
    -> [Findings.Related]
  {
    guard opening.before != nil else { return [] }
    var steps = [Findings.Related(chain(of: opening.root), "the store can't be opened")]
    for step in storeFlow.steps(to: opening).dropFirst() {
      steps.append(Findings.Related(chain(of: step.site), "the error comes from this call"))
    }
    if let path, path.head != end.place {
      steps.append(Findings.Related(path.head, "the error is handled here"))
    }
    return steps + [end]
  }

  /// What the crash report shows when the opening fails after an update, in brackets; "" for stores
  /// whose errors have no such numbers.
  func crashCode(_ opening: StoreOpening) -> String {
    switch openedName(opening.root) {
    case "ModelContainer": " (134504 or 134110 in the crash report)"
    case "loadPersistentStores", "addPersistentStore": " (134140 or 134110 in the crash report)"
    default: ""
    }
  }

  /// The causes that a log line would tell apart, with the framework's own number first.
  func causes(_ opening: StoreOpening) -> String {
    switch openedName(opening.root) {
    case "ModelContainer": "134504, a full disk, a locked device"
    case "loadPersistentStores", "addPersistentStore": "134140, a full disk, a locked device"
    default: "a failed migration, a full disk, a locked device"
    }
  }

  /// What the failure of an opening is called in a message.
  func failure(_ opening: StoreOpening) -> String {
    if opening.name == "migrate" { return "`migrate` fails" }
    let isInitializer = opening.name == "init" && opening.site == opening.root
    return "`\(isInitializer ? openedName(opening.root) : opening.name)` can't open the store"
  }

  private static let openingTypes = [
    "ModelContainer", "Realm", "DatabaseQueue", "DatabasePool", "Connection",
  ]

  /// The type whose initializer opens, or the method.
  func openedName(_ root: Ref) -> String {
    if calledName(root) == "init", case .externalInitializer(let type) = callTarget(root),
      let chain = parent(root), let first = children(chain).first
    {
      // `.init()` names no type.
      return first == calledNode(root)
        ? Self.openingTypes.first { type.isExternal(Name($0)) } ?? text(first) : text(first)
    }
    return calledText(root)
  }
}
