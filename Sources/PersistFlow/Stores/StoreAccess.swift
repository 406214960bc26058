import PersistIndex
import PersistSyntax

/// The accesses of one type or task to a shared store that nothing holds the process awake for.
package struct UnassertedAccess: Sendable {
  /// The first opening, fetch or save in source order.
  package let first: Ref
  /// The calls from what runs it.
  package let path: CallPath
  package let others: [Ref]
  /// The other places from which the accesses are run.
  package let entryPoints: [EntryPoint]
  /// Each access with the calls from what runs it.
  package let ways: [(access: Ref, path: CallPath)]
  /// Whether a view gets the store at the first, and its queries read it.
  package let isOfView: Bool
  /// Whether nothing is written.
  package let onlyFetches: Bool
}

// MARK: - Into suspension

extension Program {
  /// The accesses to a shared store that an extension, an intent, a background task or a task
  /// outside of views reaches with no assertion on the way, one for each type or task, in source
  /// order.
  package var unassertedAccesses: [UnassertedAccess] {
    guard !openingsInGroup.isEmpty else { return [] }
    let uses = (["fetch", "save", "read", "write"] + [Frameworks.storeOfViews])
      .flatMap { calls(named: $0) }
    let accesses = Set(uses + openingsInGroup.map(\.site)).sorted()
    var groups: [(keys: Set<Ref>, found: [(access: Ref, path: CallPath)])] = []
    for call in accesses {
      guard !isExempt(call), accessesStore(call), !isForMacOnly(call), !runsOnWatchOnly(call),
        projects.platforms(of: files[Int(call.file)].path) != [.watchOS]
      else { continue }
      let path = callPath(to: call, from: [.appExtension, .intent, .background, .task]) { site in
        isAsserted(site)
      }
      guard let path else { continue }
      var keys: Set<Ref> = [holder(of: call), holder(of: path.entryPoint.place)]
      var found = [(access: call, path: path)]
      // What one type does is one matter, and so is what one task does.
      for index in groups.indices.reversed() where !groups[index].keys.isDisjoint(with: keys) {
        let group = groups.remove(at: index)
        keys.formUnion(group.keys)
        found = group.found + found
      }
      groups.append((keys, found))
    }
    return groups.compactMap { access(of: $0.found) }.sorted { $0.first < $1.first }
  }

  private func access(of found: [(access: Ref, path: CallPath)]) -> UnassertedAccess? {
    let found = found.sorted { $0.access < $1.access }
    guard let first = found.first else { return nil }
    var entryPoints: [EntryPoint] = []
    for (_, path) in found where path.entryPoint != first.path.entryPoint {
      if !entryPoints.contains(path.entryPoint) { entryPoints.append(path.entryPoint) }
    }
    return UnassertedAccess(
      first: first.access, path: first.path, others: found.dropFirst().map(\.access),
      entryPoints: entryPoints, ways: found,
      isOfView: calledName(first.access) == Frameworks.storeOfViews,
      onlyFetches: found.allSatisfy {
        ["fetch", "read", Frameworks.storeOfViews].contains(calledName($0.access))
      })
  }

  /// The type that code belongs to, or the class that it inherits from; or the function or property
  /// outside of types.
  private func holder(of node: Ref) -> Ref {
    if let type = enclosingType(node) {
      return types[lineage(of: type).last { types[$0].kind == .classDecl } ?? type].ref
    }
    return outermostBody(node) ?? enclosingDeclaration(node)
  }

  private func accessesStore(_ call: Ref) -> Bool {
    if isNamedOpening(call) || openingsInGroup.contains(where: { $0.site == call }) {
      return true
    }
    let name = calledName(call)
    let target = callTarget(call)
    if name == Frameworks.storeOfViews, arguments(call).first.map({ label($0) == .none }) ?? false {
      if case .functions = target { return false }
      return answer(LiesInGroup(openings: ["ModelContainer"]))
    }
    guard case .externalMethod(let receiver, _) = target else { return false }
    return Words.storeUsers.contains { user in
      user.types.contains { receiver.isExternal($0) } && user.methods.contains(name)
        && (answer(LiesInGroup(openings: user.openings)) || comesFromGroup(call))
    }
  }

  /// Whether the very context or database whose method a call is belongs to stores in app groups,
  /// wherever others may lie.
  private func comesFromGroup(_ call: Ref) -> Bool {
    let shared = Set(openingsInGroup.map(\.site))
    return openings(behindReceiverOf: call)?.allSatisfy { shared.contains($0) } ?? false
  }

  /// Whether all stores on disk that such calls open lie in app groups, and there is one, so that a
  /// context is one of that.
  fileprivate func findGroupStores(_ openings: Set<Name>) -> Bool {
    let shared = Set(openingsInGroup.map(\.site))
    let all = storeFlow.openings.filter { opening in
      opening.site == opening.root && !opening.isInMemory && !isExempt(opening.site)
        && openings.contains(calledName(opening.site)) && !isUnreachable(opening.site)
    }
    // What a call opens that the configuration names may be of any framework.
    guard !all.isEmpty else { return openingsInGroup.contains { isNamedOpening($0.site) } }
    return all.allSatisfy { shared.contains($0.site) }
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
    reaches(body) { answer(NamesAssertion(body: $0)) }
  }

  fileprivate func namesAssertion(_ body: Ref) -> Bool {
    names(
      { node in
        let name = nameText(node)
        return Words.backgroundAssertions.contains(Name(name)) || isAssertion(name)
          || isNamed(node, in: project.assertions)
      }, in: body)
  }
}

/// Whether a body asks for time in the background.
private struct IsAsserted: Query {
  let body: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findAssertion(body) }
}

/// Whether a body itself names what keeps the process awake.
private struct NamesAssertion: Query {
  let body: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.namesAssertion(body) }
}

/// Whether the stores on disk that some calls open lie in app groups.
private struct LiesInGroup: Query {
  let openings: Set<Name>

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findGroupStores(openings) }
}
