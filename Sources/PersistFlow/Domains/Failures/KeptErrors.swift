import PersistIndex
import PersistSyntax

// MARK: - Errors that local variables carry on

extension Program {
  /// What is done with what a name means.
  private enum Deed {
    case drops, uses
    /// It means something else from there on.
    case sets
    /// A local variable carries it on.
    case keeps(Ref)
  }

  /// Whether more is done with what a name means than to throw it or to ask whether it's there, also
  /// where a local variable carries it on.
  func isUsed(_ name: Ref) -> Bool {
    switch deed(with: name) {
    case .drops: false
    case .uses, .sets: true
    case .keeps(let local): isLookedAt(local)
    }
  }

  private func deed(with name: Ref) -> Deed {
    for outer in ancestors(name) {
      switch kind(outer) {
      case .throwStatement: return .drops
      case .ifConfigClause where isDebug(outer): return .drops
      case .functionDecl, .initDecl, .accessor, .closure, .members: break
      default: continue
      }
      break
    }
    guard let chain = parent(name), kind(chain) == .chain else { return .uses }
    if nilComparison(of: chain) != nil { return .drops }
    if assignment(toChain: chain) != nil { return .sets }
    if let member = children(chain).dropFirst().first, isLook(member) { return .drops }
    return local(taking: chain).map { .keeps($0) } ?? .uses
  }

  /// Whether a member only says whether there is an error, adds one, or throws the one of a result.
  private func isLook(_ member: Ref) -> Bool {
    ["isEmpty", "count", "get"].contains(name(member)) || Words.addingMethods.contains(name(member))
  }

  /// Whether more is done with what a local variable holds than to throw it.
  func isLookedAt(_ local: Ref) -> Bool {
    Reach(from: local) { local in
      self.uses(ofLocal: local).compactMap { use in
        if case .keeps(let next) = self.deed(with: use) { next } else { nil }
      } + self.shorthandBindings(ofLocal: local).flatMap { self.children($0, .boundName) }
    }.contains { local in
      // What a parameter is set to, the caller gets.
      kind(local) != .boundName
        || uses(ofLocal: local).contains { if case .uses = deed(with: $0) { true } else { false } }
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
