import PersistSyntax

// MARK: - What the launch of the app comes to

extension Program {
  /// Whether the launch of the app comes to a place: from the app's type or delegate, from a
  /// property that is made with it or with a singleton, or from an initializer of such an object,
  /// past no place that `isBarred` holds for.
  package func launchReaches(
    _ place: Ref, unless isBarred: (Ref) -> Bool = { _ in false }
  ) -> Bool {
    var pending = [place]
    var seen: Set<Ref> = [place]
    while let site = pending.popLast(), isWithin(seen.count, .reachedSites) {
      guard !isBarred(site) else { continue }
      if let entryPoint = entryPoint(around: site), entryPoint.kind != .task {
        if entryPoint.kind == .launch { return true }
        continue
      }
      switch beginning(around: site) {
      case .launch: return true
      case .sites(let sites):
        pending += sites.filter { !isExempt($0) && seen.insert($0).inserted }
      }
    }
    return false
  }

  /// The calls that begin the app from code, such as `main.swift`.
  package var appLaunches: [Ref] {
    Words.callsOfApps.flatMap { calls(named: $0) }
      + calls(named: "main").filter { call in
        guard case .metatype(.declared(let type, _)) = receiverType(ofCall: call) else {
          return false
        }
        return Words.launchTypes.contains { inherits(type, from: $0) }
      }
  }

  private enum Beginning {
    case launch
    /// The places that lead there.
    case sites([Ref])
  }

  private func beginning(around site: Ref) -> Beginning {
    if let function = enclosingFunction(site) {
      guard functions[function].kind == .initDecl, let owner = functions[function].owner else {
        return .sites(callers(of: function))
      }
      return isMadeAtLaunch(owner) ? .launch : .sites(callers(of: function))
    }
    guard let id = storedProperty(around: site) else { return .sites(sites(leadingTo: site)) }
    guard let owner = properties[id].owner, !properties[id].isStatic else {
      // It is made when it is first asked for.
      let uses = uses(ofProperty: id).filter { !contains(properties[id].ref, $0) }
      return uses.isEmpty ? .launch : .sites(uses)
    }
    return isMadeAtLaunch(owner) ? .launch : .sites(constructions(of: owner))
  }

  /// The property whose value a node belongs to, when that is stored and made at once.
  private func storedProperty(around site: Ref) -> PropertyID? {
    for ancestor in ancestors(site) {
      if let id = property(declaredAt: ancestor) { return properties[id].isComputed ? nil : id }
      if kind(ancestor) == .closure, !isCalledAtOnce(ancestor), callTaking(ancestor) == nil {
        return nil
      }
    }
    return nil
  }

  /// Whether an object of a type is there from launch on: the app, its delegates, a singleton that
  /// more than a person's actions ask for.
  private func isMadeAtLaunch(_ type: TypeID) -> Bool {
    if Words.launchTypes.contains(where: { inherits(type, from: $0) }) { return true }
    return types[type].properties.contains { id in
      guard properties[id].isStatic, self.type(ofProperty: id).unwrapped == .declared(type) else {
        return false
      }
      let uses = uses(ofProperty: id).filter { !isExempt($0) && enclosingType($0) != type }
      return uses.isEmpty || !uses.allSatisfy { isAskedFor($0) }
    }
  }

  private func constructions(of type: TypeID) -> [Ref] {
    (calls(named: types[type].name) + initCalls(of: types[type].name)).filter { call in
      switch callTarget(call) {
      case .initializer(let made, _): made == type
      case .externalInitializer(let made): namesakes(of: made, file: Int(call.file)).contains(type)
      default: false
      }
    }
  }
}
