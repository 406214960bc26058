import PersistSyntax

// MARK: - Into suspension

extension Program {
  /// The accesses to a shared store that an extension, an intent, a background task or a task
  /// outside of views reaches with no assertion on the way, in source order: the first one of each
  /// body, and one for each place that asks for no time.
  package var unassertedAccesses: [(access: Ref, way: Way)] {
    guard !groupOpenings.isEmpty else { return [] }
    var seen: Set<Ref> = []
    var begun: Set<Ref> = []
    let uses = holdsModelsOrContexts ? calls(named: "fetch") + calls(named: "save") : []
    let accesses = uses + groupOpenings.map(\.site)
    return Set(accesses).sorted().compactMap { call in
      guard !isSilent(call), accessesStore(call), !isForMacOnly(call),
        let body = outermostBody(call), seen.insert(body).inserted
      else { return nil }
      let way = way(to: call, from: [.appExtension, .intent, .background, .task]) { site in
        isAsserted(site)
      }
      guard let way, begun.insert(outermostBody(way.entrance.place) ?? way.entrance.place).inserted
      else { return nil }
      return (call, way)
    }
  }

  private func accessesStore(_ call: Ref) -> Bool {
    if calledName(call) == "ModelContainer" || isNamedOpening(call) { return true }
    guard case .externalMethod(let receiver, _) = callTarget(call),
      receiver.isExternal("ModelContext")
    else { return false }
    return !opensElsewhere
  }

  /// Whether some store on disk lies outside of app groups, so that a context may be one of that.
  private var opensElsewhere: Bool {
    let shared = Set(groupOpenings.map(\.site))
    return storeFlow.openings.contains { opening in
      opening.site == opening.root && !opening.isInMemory && !isSilent(opening.site)
        && calledName(opening.site) == "ModelContainer" && !shared.contains(opening.site)
    }
  }

  private func isAssertion(_ name: String) -> Bool {
    // Most names are told apart by their bytes, which costs less than their words.
    guard name.utf8.count >= 9, name.utf8.contains(UInt8(ascii: "t")) else { return false }
    return name.first?.isUppercase == true && name.camelWords.contains("assertion")
  }

  /// Whether the body around a node asks for time in the background.
  private func isAsserted(_ node: Ref) -> Bool {
    guard let body = outermostBody(node) else { return false }
    return answer(IsAsserted(body: body))
  }

  fileprivate func findAssertion(_ body: Ref) -> Bool {
    reaches(
      { node in
        let name = nameText(node)
        return Words.backgroundAssertions.contains(Name(name)) || isAssertion(name)
          || isNamed(node, in: project.assertions)
      }, body, depth: 0)
  }

  private func isForMacOnly(_ node: Ref) -> Bool {
    ancestors(node).contains { clause in
      guard kind(clause) == .ifConfigClause else { return false }
      let line = text(clause).prefix { $0 != "\n" }
      return line.hasPrefix("#if os(macOS)")
    }
  }
}

/// Whether a body asks for time in the background.
private struct IsAsserted: Query {
  let body: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findAssertion(body) }
}
