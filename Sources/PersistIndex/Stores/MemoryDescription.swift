import PersistSyntax

// MARK: - Descriptions of stores in memory

extension Program {
  /// What gives a container a store in memory before a call opens it, when nothing in between says
  /// otherwise: an assignment, or a call of a function that makes one.
  package func memoryDescription(before call: Ref) -> Ref? {
    if calledName(call) == "loadPersistentStores" { return lastDescription(before: call) }
    let opened = functions(calledBy: call)
    guard !opened.isEmpty, opened.allSatisfy({ answer(OpensDescribed(function: $0)) }) else {
      return nil
    }
    return lastDescription(before: call)
  }

  /// Whether a function loads the stores that its container was given before.
  fileprivate func opensDescribed(_ function: FunctionID) -> Bool {
    guard let body = body(of: function) else { return false }
    var loads = false
    for node in descendants(body, .call) {
      if calledName(node) == "loadPersistentStores" { loads = true }
      if calledName(node) == "NSPersistentStoreDescription" { return false }
    }
    return loads
  }

  /// The last description before a call that surely holds there, if it is of a store in memory.
  private func lastDescription(before call: Ref) -> Ref? {
    guard let holder = enclosingBody(call) else { return nil }
    let body = child(holder, .block) ?? holder
    var found: Ref?
    for node in nodesRun(in: body) where node < call {
      guard let isInMemory = describes(node), !isOnOtherSide(node, of: call, in: body) else {
        continue
      }
      let isChosen = ancestors(node).prefix { $0 != body }.contains {
        [.ifStatement, .switchCase, .guardStatement].contains(kind($0)) && !contains($0, call)
      }
      if isInMemory {
        if !isChosen { found = node }
      } else if !isChosen {
        found = nil
      }
    }
    return found
  }

  /// Whether a node stands in one branch of an `if` and a call in another.
  private func isOnOtherSide(_ node: Ref, of call: Ref, in body: Ref) -> Bool {
    ancestors(node).prefix { $0 != body }.contains { scope in
      guard kind(scope) == .ifStatement, contains(scope, call) else { return false }
      let sides = children(scope).filter { [.block, .ifStatement].contains(kind($0)) }
      guard let own = sides.first(where: { contains($0, node) }),
        let other = sides.first(where: { contains($0, call) })
      else { return false }
      return own != other
    }
  }

  /// Whether a node describes a store in memory or one on disk; nil when it does neither.
  private func describes(_ node: Ref) -> Bool? {
    switch kind(node) {
    case .expression:
      // What a condition chooses is certain for neither.
      guard assignment(node)?.value != nil else { return nil }
      return saysMemory(node) ? true : nil
    case .call:
      if describesInMemory(by: node) { return true }
      guard let function = functions(calledBy: node).first, let body = body(of: function),
        descendants(body, .expression).contains(where: { describes($0) == true })
      else { return nil }
      let given = children(node, .argument)
      return given.contains { saysInMemory($0, depth: 0) }
    default: return nil
    }
  }
}

/// Whether a function loads the stores that its container was given before.
private struct OpensDescribed: Query {
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.opensDescribed(function) }
}
