import PersistSyntax

/// Whether a declaration holds a context with a queue of its own.
private struct IsPrivateContext: Query {
  let source: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findPrivateContext(source) }
}

// MARK: - Core Data contexts with a queue of their own

extension Program {
  /// Whether a declaration holds a context that was made with a queue of its own.
  package func isPrivateContext(_ source: Ref) -> Bool {
    answer(IsPrivateContext(source: source))
  }

  fileprivate func findPrivateContext(_ source: Ref) -> Bool {
    var value: Ref?
    if let id = property(declaredAt: source) {
      value = properties[id].initializer.map { Ref(file: Int(source.file), node: $0) }
    } else if kind(source) == .boundName, let binding = parent(source), kind(binding) == .binding {
      value = child(binding, .expression)
    }
    if value.map({ makesPrivateContext($0) }) ?? false { return true }
    // What comes in as a parameter is judged at the callers.
    return kind(source) != .parameter && areAllPrivate(origins(ofDeclaration: source))
  }

  private func makesPrivateContext(_ value: Ref) -> Bool {
    guard let chain = child(value, .chain), let last = children(chain).last, kind(last) == .call
    else { return false }
    if let closure = children(chain).first, kind(closure) == .closure {
      return descendants(closure, .call).contains { makesPrivate($0) }
    }
    if makesPrivate(last) { return true }
    guard case .functions(let candidates) = callTarget(last), candidates.count == 1,
      isCoreDataContext(resultType(candidates[0])), let body = body(of: candidates[0])
    else { return false }
    return descendants(body, .call).contains { makesPrivate($0) }
  }

  /// Whether all that a value can be are contexts with queues of their own.
  private func areAllPrivate(_ origins: [Ref]?) -> Bool {
    guard let origins, !origins.isEmpty else { return false }
    return origins.allSatisfy { origin in
      children(origin).last.map { kind($0) == .call && makesPrivate($0) } ?? false
    }
  }

  /// The uses, without `perform`, of a private context that a call of a function of the sources
  /// gives: `store.background().fetch(…)`.
  var handedOutContextUses: [MisplacedUse] {
    files(using: "CoreData").filter(mayHoldContexts).flatMap { file in
      files[file].outline.nodes.indices.compactMap { node -> MisplacedUse? in
        guard files[file].outline.nodes[node].kind == .call else { return nil }
        return handedOutUse(Ref(file: file, node: node))
      }
    }
  }

  private func handedOutUse(_ call: Ref) -> MisplacedUse? {
    guard case .functions(let candidates) = callTarget(call), !candidates.isEmpty,
      candidates.allSatisfy({ isCoreDataContext(resultType($0)) }), let chain = parent(call),
      let member = children(chain).first(where: { $0 > call }), kind(member) == .member,
      let first = children(chain).first, let id = enclosingFunction(call), let body = body(of: id),
      contains(body, call)
    else { return nil }
    let name = self.name(member)
    let isSafe = [Words.performMethods, Words.threadSafeMembers, Words.contextSettings]
      .contains { $0.contains(name) }
    guard !isSafe, areAllPrivate(origins(ofResultOf: call)), !runsInPerform(call, in: body),
      !isCalledInPerform(id, [id]), !isSilent(call)
    else { return nil }
    return MisplacedUse(
      place: first, value: chainText(chain, upTo: member), source: functions[candidates[0]].ref,
      reason: .outsidePerform, model: nil)
  }

  /// The text of a chain before one of its parts.
  private func chainText(_ chain: Ref, upTo part: Ref) -> String {
    let outline = outline(chain)
    let start = outline.byteRange(of: Int(chain.node)).lowerBound
    let before = outline.tokens[Int(node(part).first) - 1]
    return outline.text[start..<max(start, before.end)]
  }

  private func makesPrivate(_ call: Ref) -> Bool {
    let name = calledName(call)
    if name == "newBackgroundContext" { return true }
    guard name == "NSManagedObjectContext", let argument = child(call, .argument) else {
      return false
    }
    return text(argument).contains("private")
  }
}
