import PersistFlow
import PersistIndex
import PersistSyntax

/// A model that code asks whether it still exists, and reads in a closure that runs later and asks
/// nothing: the answer is old by then.
struct EarlyQuestion {
  let model: TypeID
  /// The member that asks.
  let question: Ref
  /// The call that takes the closure.
  let call: Ref
  /// The use of the model in the closure.
  let read: Ref
}

extension Program {
  private static let questions: Set<Name> = ["isDeleted", "modelContext", "managedObjectContext"]

  /// The questions that are asked too early, in source order.
  var earlyQuestions: [EarlyQuestion] {
    var seen: Set<[Ref]> = []
    return uses(of: Self.questions).filter { !isExempt($0) }.compactMap { use in
      guard let (local, model) = asked(by: use), let body = enclosingBody(use) else { return nil }
      for name in descendants(body, .name) where name > use && holds(name, local) {
        guard case .touch = lifeUse(of: name, model),
          let closure = lateClosure(around: name, after: use, in: body),
          !isAsked(local, in: closure, before: name),
          seen.insert([local, closure]).inserted
        else { continue }
        return EarlyQuestion(
          model: model, question: use, call: callTaking(closure)?.call ?? closure, read: name)
      }
      return nil
    }
  }

  /// The local that a member asks whether its model still exists.
  private func asked(by use: Ref) -> (Ref, TypeID)? {
    guard kind(use) == .member, let chain = parent(use), kind(chain) == .chain,
      children(chain).last == use
    else { return nil }
    let parts = children(chain).filter { ![.optionalChain, .force].contains(kind($0)) }
    guard parts.count == 2, kind(parts[0]) == .name,
      case .local(let local)? = declared(parts[0]), !isAssignmentTarget(use),
      case .declared(let type, _) = type(ofChain: chain, upTo: use).unwrapped, isModel(type),
      member(name(use), of: type) == nil,
      name(use) == "isDeleted" || nilComparison(of: chain) != nil
    else { return nil }
    return (realmHolders(from: local).last ?? local, resolveAlias(type))
  }

  private func holds(_ name: Ref, _ root: Ref) -> Bool {
    guard case .local(let local)? = declared(name) else { return false }
    return local == root || realmHolders(from: local).last == root
  }

  /// The closure around a place that runs after the code around it, which asked before.
  private func lateClosure(around place: Ref, after question: Ref, in body: Ref) -> Ref? {
    ancestors(place).prefix { $0 != body }.first { scope in
      guard kind(scope) == .closure, !contains(scope, question), scope > question else {
        return false
      }
      return [.later, .muchLater].contains(time(of: scope))
    }
  }

  /// Whether a closure asks a model of a local anything before a place.
  private func isAsked(_ local: Ref, in closure: Ref, before place: Ref) -> Bool {
    descendants(closure, .member).contains { member in
      guard Self.questions.contains(name(member)), member < place,
        let head = parent(member).flatMap({ children($0).first })
      else { return false }
      return kind(head) == .name && holds(head, local)
    }
  }
}
