import PersistIndex
import PersistSyntax

// MARK: - Errors that local variables carry on

extension Program {
  /// Whether more is done with what a name means than to throw it or to ask whether it's there, also
  /// where a local variable carries it on.
  func isUsed(_ name: Ref, depth: Int = 0) -> Bool {
    guard isWithin(depth, .errorNames) else { return true }
    for outer in ancestors(name) {
      switch kind(outer) {
      case .throwStatement: return false
      case .ifConfigClause where isDebug(outer): return false
      case .functionDecl, .initDecl, .accessor, .closure, .members:
        return isCarriedOn(name, depth)
      default: continue
      }
    }
    return isCarriedOn(name, depth)
  }

  private func isCarriedOn(_ name: Ref, _ depth: Int) -> Bool {
    guard let chain = parent(name), kind(chain) == .chain else { return true }
    if nilComparison(of: chain) != nil { return false }
    // What is set inside of the path is no longer what was caught.
    if assignment(toChain: chain) != nil { return depth == 0 }
    if let member = children(chain).dropFirst().first, isLook(member) { return false }
    guard let local = local(taking: chain) else { return true }
    return isLookedAt(local, depth: depth + 1)
  }

  /// Whether a member only says whether there is an error, adds one, or throws the one of a result.
  private func isLook(_ member: Ref) -> Bool {
    ["isEmpty", "count", "get"].contains(name(member)) || Words.addingMethods.contains(name(member))
  }

  /// Whether more is done with what a local variable holds than to throw it.
  func isLookedAt(_ local: Ref, depth: Int = 1) -> Bool {
    // What a parameter is set to, the caller gets.
    kind(local) != .boundName
      || uses(ofLocal: local).contains { isUsed($0, depth: depth) }
      || shorthandBindings(ofLocal: local).contains { binding in
        children(binding, .boundName).contains { isLookedAt($0, depth: depth + 1) }
      }
  }

  /// The local variable that an assignment sets, if it sets one as a whole.
  func local(setBy assignment: Assignment) -> Ref? {
    guard kind(assignment.target) == .chain, children(assignment.target).count == 1,
      let name = child(assignment.target, .name), case .local(let local)? = declared(name)
    else { return nil }
    return local
  }

  /// The local variable that is given what a chain means, as it is or in another error.
  private func local(taking chain: Ref) -> Ref? {
    var value = chain
    while let outer = parent(value) {
      switch kind(outer) {
      case .expression:
        if let made = assignment(outer) { return local(setBy: made) }
        guard let holder = parent(outer) else { return nil }
        switch kind(holder) {
        case .binding, .optionalBinding: return child(holder, .boundName)
        case .argument: value = holder
        case .tuple where children(holder).count == 1: value = holder
        default: return nil
        }
      case .call:
        guard let made = parent(outer) else { return nil }
        if let list = list(addedToBy: outer) { return list }
        guard isFailure(made) || endsWithError([made]) else { return nil }
        value = made
      case .chain, .argument, .tuple: value = outer
      default: return nil
      }
    }
    return nil
  }

  /// The local list or dictionary that a call adds to.
  private func list(addedToBy call: Ref) -> Ref? {
    guard Words.addingMethods.contains(calledName(call)), let chain = parent(call),
      children(chain).count == 3, let name = child(chain, .name),
      case .local(let local)? = declared(name)
    else { return nil }
    return local
  }
}
