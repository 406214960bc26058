import PersistIndex
import PersistSyntax

/// An object that a closure adds to its realm, while the code around it goes on with it.
struct RealmAddition {
  /// The object where it is added.
  let place: Ref
  let name: String
  /// Where the code around uses it.
  let later: Ref
}

// MARK: - Objects that are added on another thread

extension Program {
  /// The objects that a crossing's code adds to a realm, so that they belong to its thread, and that
  /// the code around uses behind it.
  func additions(in crossing: IsolationCrossing) -> [RealmAddition] {
    guard kind(crossing.body) == .closure, let (hop, _) = callTaking(crossing.body),
      let home = enclosingBody(crossing.body)
    else { return [] }
    return descendants(crossing.body, .call).compactMap { call in
      guard calledName(call) == "add", isRealmCall(call), let argument = arguments(call).first,
        let value = children(argument).first, let chain = child(value, .chain),
        children(value) == [chain], children(chain).count == 1,
        let name = children(chain).first, kind(name) == .name,
        case .local(let local)? = declared(name), !contains(crossing.body, local),
        kind(local) == .boundName, enclosingBody(local) == home,
        realmKind(of: type(ofLocal: local)) == .object, isMade(local)
      else { return nil }
      let later = uses(ofLocal: local).first { use in
        use > hop && !contains(hop, use) && enclosingBody(use) == home && isAsked(use)
      }
      return later.map { RealmAddition(place: name, name: nameText(name), later: $0) }
    }
  }

  /// Whether a local gets a new object, which no realm has yet.
  private func isMade(_ local: Ref) -> Bool {
    guard let binding = parent(local), kind(binding) == .binding,
      let value = child(binding, .expression), let chain = child(value, .chain),
      let last = children(chain).last, kind(last) == .call,
      case .initializer(let type, _) = callTarget(last)
    else { return false }
    return isRealmObject(type)
  }

  /// Whether code reads or sets something of an object, or hands it on.
  private func isAsked(_ use: Ref) -> Bool {
    guard let chain = parent(use) else { return false }
    if children(chain).count > 1 {
      return kind(children(chain)[1]) == .member && name(children(chain)[1]) != "isInvalidated"
    }
    return handsOn(chain, keeping: false)
  }
}
