import PersistIndex
import PersistSyntax

// MARK: - Values that code hands to what uses them

extension Program {
  /// Whether the value of a whole chain goes to a function or closure that uses it on the same turn,
  /// or, where that counts, to a property that keeps it.
  func handsOn(_ chain: Ref, keeping: Bool) -> Bool {
    handsOn(chain, keeping: keeping, depth: 0)
  }

  private func handsOn(_ chain: Ref, keeping: Bool, depth: Int) -> Bool {
    guard isWithin(depth, .handingCalls), let expression = parent(chain),
      kind(expression) == .expression
    else { return false }
    let parts = children(expression).filter { ![.tryMark, .awaitMark].contains(kind($0)) }
    if parts.count == 3, parts[2] == chain, isAssignmentSign(parts[1]), keeping {
      return children(parts[0]).last.flatMap { property(usedBy: $0) }.map {
        realmKind(of: type(ofProperty: $0)) != nil && !properties[$0].isComputed
      } ?? false
    }
    guard parts == [chain], let argument = parent(expression), kind(argument) == .argument,
      let call = parent(argument), kind(call) == .call
    else { return false }
    switch callTarget(call) {
    case .functions(let ids):
      guard ids.count == 1, let body = body(of: ids[0]), !isAwaited(call),
        let parameter = parameter(of: functions[ids[0]], taking: argument, in: call)
      else { return false }
      let local = Ref(file: Int(functions[ids[0]].ref.file), node: parameter.node)
      return isTouched(local, in: body, depth)
    case .closure(.local(let held)) where kind(held) == .parameter:
      guard let list = parent(held), let owner = parent(list), let id = function(declaredAt: owner),
        let index = arguments(call).firstIndex(of: argument)
      else { return false }
      return closures(handedFor: held, of: id, depth: 0).contains { closure in
        guard let list = child(closure, .parameters) else { return false }
        let parameters = children(list, .parameter)
        return index < parameters.count && isTouched(parameters[index], in: closure, depth)
      }
    default: return false
    }
  }

  /// Whether code asks a local something, loops over it or hands it on, on the turn of a body.
  private func isTouched(_ local: Ref, in body: Ref, _ depth: Int) -> Bool {
    uses(ofLocal: local).contains { use in
      contains(body, use) && staysOnTurn(use, of: body) && touchesRealmValue(use, depth: depth + 1)
    }
  }

  /// Whether code asks the local that a name spells something, loops over it or hands it on.
  func touchesRealmValue(_ use: Ref, depth: Int = 0) -> Bool {
    guard let chain = parent(use), case .local(let local)? = declared(use),
      let found = realmKind(of: type(ofLocal: local))
    else { return false }
    return touches(children(chain), 0, chain, found)
      || children(chain).filter { ![.optionalChain, .force].contains(kind($0)) } == [use]
        && handsOn(chain, keeping: false, depth: depth)
  }
}
