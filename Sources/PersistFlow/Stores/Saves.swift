import PersistIndex
import PersistSyntax

// MARK: - Saving contexts

extension Program {
  /// The calls that save a context, in source order.
  package var contextSaves: [Ref] {
    // Without a type for it, a context is known by its name.
    let saves =
      holdsModelsOrContexts
      ? calls(named: "save")
      : calls(
        named: "save", inFilesUsingAny: Words.contextNames.union(["performBackgroundTask"]))
    return saves.filter { savesContext($0) }
  }

  /// Whether a call is a context's `save()`.
  package func savesContext(_ call: Ref) -> Bool {
    guard calledName(call) == "save", arguments(call).isEmpty else { return false }
    switch callTarget(call) {
    case .externalMethod(let receiver, _): return isContext(receiver)
    case .unknownMethod:
      let parts = callee(call).filter { ![.optionalChain, .force].contains(kind($0)) }
      guard parts.count > 1 else { return false }
      let receiver = parts[parts.count - 2]
      guard kind(receiver) == .member || kind(receiver) == .name else { return false }
      if isGivenContext(receiver) { return true }
      return Words.contextNames.contains(name(receiver))
        && (kind(receiver) == .member || !isKnown(receiver))
    default: return false
    }
  }

  /// Whether a name is the context that `performBackgroundTask` gives to its closure.
  private func isGivenContext(_ name: Ref) -> Bool {
    let closure: Ref?
    switch declared(name) {
    case .local(let local) where kind(local) == .parameter: closure = parent(local).flatMap(parent)
    case .closureArgument(let taker, 0): closure = taker
    default: return false
    }
    guard let closure, kind(closure) == .closure, let (call, _) = callTaking(closure) else {
      return false
    }
    return calledName(call) == "performBackgroundTask" && functions(calledBy: call).isEmpty
  }

  /// Whether the sources tell the type of what a name stands for.
  private func isKnown(_ name: Ref) -> Bool { type(of: name) != .unknown }
}

extension Program {
  /// Whether the type around a save keeps what can be fetched again, as its name says or the place of
  /// the store that it opens.
  package func savesToCache(_ call: Ref) -> Bool {
    guard let type = enclosingType(call) else { return false }
    if nameText(types[type].ref).camelWords.contains(where: Words.cacheWords.contains) {
      return true
    }
    let own = storeFlow.openings.filter {
      $0.site == $0.root && !$0.isInMemory && enclosingType($0.site) == type
    }
    return !own.isEmpty
      && own.allSatisfy { opening in
        words(in: opening.site).contains { Words.cacheWords.contains($0) }
          || descendants(opening.site, .argument).contains {
            storePaths($0).contains(where: \.isPassing)
          }
      }
  }

  /// Whether a failure path does nothing, or only calls closures that nobody gives.
  package func isEmpty(_ path: FailurePath) -> Bool {
    path.clause.map { catchesAll($0) } ?? false
      && path.nodes.allSatisfy { node in
        kind(node) == .block && children(node).allSatisfy { isForDebugAlone($0) || tellsNobody($0) }
      }
  }

  /// Whether nothing of a statement is in the build that users get.
  private func isForDebugAlone(_ statement: Ref) -> Bool {
    kind(statement) == .ifConfig
      && children(statement, .ifConfigClause).allSatisfy { isDebug($0) || children($0).isEmpty }
  }

  /// Whether a comment in the empty body of a `catch` says why nothing is done.
  package func givesReason(in clause: Ref) -> Bool {
    let outline = outline(clause)
    let range = outline.byteRange(of: Int(clause.node))
    return outline.tokens.comments.contains { comment in
      guard range.contains(Int(comment.offset)) else { return false }
      let start = Int(comment.offset)
      let text = outline.text[start..<start + Int(comment.length)]
      let words = text.split { !$0.isLetter && $0 != "'" }
      return words.count > 3 && !["TODO", "FIXME", "Handle"].contains(words[0])
    }
  }

  /// Whether the function around a place clears away what its next run would clear away.
  package func isPurge(around place: Ref) -> Bool {
    enclosingFunction(place).map { function in
      says(function, Words.purgingWords)
        || says(function, Words.emptyingWords) && says(function, Words.cacheWords)
    } ?? false
  }

  /// Whether the type around a place is what others log with, and can't log its own failure.
  package func isLogger(around place: Ref) -> Bool {
    enclosingType(place).map { nameText(types[$0].ref).camelWords.last == "logger" } ?? false
  }

  /// Whether the name of a function says that its work can be done again at any time.
  package func isRepeatable(_ name: String) -> Bool {
    !Set(name.camelWords).isDisjoint(with: Words.refreshingWords.union(Words.purgingWords))
  }

  private func says(_ function: FunctionID, _ words: Set<String>) -> Bool {
    !Set(functionName(function).camelWords).isDisjoint(with: words)
  }
}
