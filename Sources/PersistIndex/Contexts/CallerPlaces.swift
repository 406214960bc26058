import PersistSyntax

/// Where a function or getter is called.
package struct CallerPlaces {
  package var sites: [(place: Ref, queue: PlaceQueue)] = []
  /// Whether others may call it too.
  package var isOpen = false
  /// Whether it is open for nothing but calls of its name, of which the sources don't tell what
  /// they call.
  var isUnseen = false
}

// MARK: - Callers

extension Program {
  /// Where a function or getter is called, each with the queue there.
  package func places(calling body: Ref) -> CallerPlaces {
    guard kind(body) != .accessor else { return places(reading: body) }
    guard let id = function(declaredAt: body) else { return CallerPlaces(isOpen: true) }
    let requirements = requirements(of: id)
    let calls = ([id] + requirements).flatMap { callers(of: $0) }.filter {
      calledNode($0).flatMap { callTaking(selector: $0) } == nil
    }
    var sites = calls.map { call in (calledNode(call) ?? call, queue(at: call)) }
    let isMethod = functions[id].kind == .functionDecl
    let isUnseen = isMethod && isCalledUnseen(id, besides: calls)
    var isOpen = sites.isEmpty && mayBeCalledByOthers(id)
    for use in uses(of: [functions[id].name]) where !isExempt(use) {
      if let call = callTaking(selector: use) {
        guard refers(use, to: id) else { continue }
        let queue = queue(ofSelectorIn: call)
        if queue == .unknown { isOpen = true } else { sites.append((use, queue)) }
        continue
      }
      guard !isCalled(use), refers(use, to: id) else { continue }
      guard let (call, argument) = callTaking(name: use) else {
        isOpen = true
        continue
      }
      let queue = queue(ofFunctionNamed: argument, in: call)
      if queue == .unknown { isOpen = true } else { sites.append((use, queue)) }
    }
    return CallerPlaces(
      sites: sites, isOpen: isOpen || isUnseen,
      isUnseen: isUnseen && !isOpen && !mayBeCalledByOthers(id))
  }

  /// Whether something of that name may be called, of which the sources don't tell what it is, or
  /// that is called in a closure which `perform` takes.
  private func isCalledUnseen(_ id: FunctionID, besides sites: [Ref]) -> Bool {
    let known = Set(sites)
    return calls(named: functions[id].name).contains { call in
      guard !isExempt(call) else { return false }
      switch callTarget(call) {
      case .functions(let all) where !all.isEmpty && !all.contains(id): return false
      case .initializer, .externalInitializer: return false
      case .externalMethod(let receiver, _) where receiver.unwrapped != .unknown: return false
      default:
        guard known.contains(call) else { return true }
        return false
      }
    }
  }

  private func places(reading accessor: Ref) -> CallerPlaces {
    guard let list = parent(accessor), let binding = parent(list),
      let id = property(declaredAt: binding)
    else { return CallerPlaces(isOpen: true) }
    let isSetter = nameText(accessor) == "set"
    let sites = uses(ofProperty: id).filter { (valueAssigned(to: $0) != nil) == isSetter }
      .map { ($0, queue(at: $0)) }
    return CallerPlaces(sites: sites, isOpen: sites.isEmpty)
  }

  private func isCalled(_ use: Ref) -> Bool {
    guard let chain = parent(use) else { return true }
    let parts = children(chain)
    guard let index = parts.firstIndex(of: use) else { return true }
    return parts[(index + 1)...].first { kind($0) != .optionalChain && kind($0) != .force }
      .map { kind($0) == .call } ?? false
  }

  /// Whether a name that is not called means a function.
  private func refers(_ use: Ref, to id: FunctionID) -> Bool {
    if kind(use) == .name {
      if case .functions(let candidates)? = declared(use) { return candidates.contains(id) }
      return false
    }
    guard let chain = parent(use), let owner = functions[id].owner else { return false }
    switch type(ofChain: chain, upTo: use).unwrapped {
    case .declared(let type, _), .metatype(.declared(let type, _)):
      return lineage(of: type).contains(owner)
    default: return false
    }
  }

  private func isPublic(_ type: TypeID) -> Bool {
    children(types[type].ref, .modifier).contains { ["public", "open"].contains(name($0)) }
  }

  /// The requirements of the sources' protocols that a method fulfils.
  private func requirements(of id: FunctionID) -> [FunctionID] {
    guard let owner = functions[id].owner else { return [] }
    return lineage(of: owner).dropFirst().filter { types[$0].kind == .protocolDecl }.flatMap {
      ownMembers($0, functions[id].name)?.functions ?? []
    }.filter { functions[$0].body == nil && haveOneSignature(id, $0) }
  }

  /// Whether something outside of the sources may call a method: one that overrides, or that a
  /// protocol from elsewhere may ask for.
  package func mayBeCalledByOthers(_ id: FunctionID) -> Bool {
    let function = functions[id]
    if function.modifiers.contains("override") || function.attributes.contains("objc") {
      return true
    }
    guard let owner = function.owner, !function.isPrivate, !function.isStatic else { return false }
    return lineage(of: owner).contains { type in
      inherited(by: type).contains { inherited in
        if case .external(let name, _) = inherited {
          return !Words.nonisolatedTypes.contains(name) && !Words.mainActorTypes.contains(name)
            || name == "NSFetchedResultsControllerDelegate"
        }
        return inherited == .unknown
      }
        || function.kind == .functionDecl && types[type].kind == .protocolDecl
          && ownMembers(type, function.name) != nil && isPublic(type)
    }
  }
}
