import PersistIndex
import PersistSyntax

/// A place that keeps a container, pool or queue of a store which another place of the same process
/// opens as well.
package struct SecondSite: Sendable {
  package let opening: StoreOpening
  /// The call that gets the container, which is the opening itself or calls what opens.
  package let site: Ref
  /// The call that opened the store before, in source order.
  package let first: Ref
}

// MARK: - Two containers of one store

extension Program {
  /// Whether what saves on its way opens a store and hands that out: what it writes there is no change
  /// of anybody.
  package func isOpener(_ save: StoreOpening) -> Bool {
    guard save.root != save.site, kind(save.site) == .call,
      case .external(let name, _) = resultType(ofCall: save.site).unwrapped
    else { return false }
    return Frameworks.keptStores.contains(name)
  }

  /// The containers, pools and queues of stores that the same process opens at another place as well,
  /// in source order.
  package var secondSites: [SecondSite] {
    var first: [StoreSite: Ref] = [:]
    var seen: [StoreSite: Set<Ref>] = [:]
    var found: [SecondSite] = []
    for modifier in containerModifiers
    where !isExempt(modifier) && !runsInExtension(modifier)
      && children(modifier, .argument).count == 1
    {
      let store = StoreSite(process: process(at: modifier), file: defaultStore(of: modifier))
      if first[store] == nil { first[store] = modifier }
    }
    for kept in keptSites {
      let isOther = seen[kept.store, default: []].insert(kept.holder).inserted
      guard isOther || first[kept.store].map({ areGivenTogether($0, kept.site) }) ?? false else {
        continue
      }
      // Of two databases that are open for a moment neither is shared.
      let isKept = isContainer(kept.opening) || property(declaredAt: kept.holder) != nil
      guard
        first[kept.store].map({ !isOver(kept, before: $0) && areBuiltTogether(kept.site, $0) })
          ?? isKept
      else { continue }
      if let before = first[kept.store] {
        found.append(SecondSite(opening: kept.opening, site: kept.site, first: before))
      } else {
        first[kept.store] = kept.site
      }
    }
    return found.sorted { $0.site < $1.site }
  }

  /// Whether two values are arguments of one call.
  private func areGivenTogether(_ one: Ref, _ other: Ref) -> Bool {
    let first = ancestors(one).prefix { !contains($0, other) }
    let second = ancestors(other).prefix { !contains($0, one) }
    return ancestors(one).dropFirst(first.count).first.map { kind($0) == .call } ?? false
      && !(first + second).contains { kind($0) == .closure }
  }

  /// Whether a function that opens a database for itself is done before the kept one is opened.
  private func isOver(_ kept: KeptSite, before site: Ref) -> Bool {
    guard !isContainer(kept.opening), let function = function(declaredAt: kept.holder) else {
      return false
    }
    let calls = shippingCallers(of: function)
    return !calls.isEmpty
      && calls.allSatisfy {
        enclosingBody($0) == enclosingBody(site) && perhapsRuns($0, before: site)
          && !perhapsRuns(site, before: $0)
      }
  }

  private struct KeptSite {
    let opening: StoreOpening
    let store: StoreSite
    let holder: Ref
    let site: Ref
  }

  /// The places that get a container, those that keep it before those that make it for an action; each
  /// in source order.
  private var keptSites: [KeptSite] {
    let all = storeFlow.openings.sorted { $0.site < $1.site }.flatMap { opening -> [KeptSite] in
      guard opening.site == opening.root, !opening.isInMemory, !isExempt(opening.site),
        Frameworks.lastingOpenings.contains(calledName(opening.site)),
        !runsInExtension(opening.site),
        isContainer(opening) || !isReadOnly(opening),
        storeFlow.innermostPath(at: opening.site) == nil, let file = storeFile(of: opening.site)
      else { return [] }
      return holders(ofStoreMadeBy: opening.site)
        .filter { isRun($0.holder) && !runsWithoutApp($0.holder) }
        .filter { isContainer(opening) || !isClosed($0.holder) }
        .map { holder, site in
          // What opens a database again replaces what the property held.
          let property = isContainer(opening) ? nil : propertyGiven(site)
          return KeptSite(
            opening: opening, store: StoreSite(process: process(at: site), file: file),
            holder: property ?? holder, site: site)
        }
    }
    func rank(_ kept: KeptSite) -> Int {
      if isAction(kept.holder) { return 2 }
      return isContainer(kept.opening) || property(declaredAt: kept.holder) != nil ? 0 : 1
    }
    return (0...2).flatMap { wanted in all.filter { rank($0) == wanted } }
  }

  /// The places that make an object whose initializer opens a store on disk, and drop it when their
  /// function returns, where several places make one; in source order.
  package var passingStacks: [(site: Ref, type: TypeID)] {
    var found: [(site: Ref, type: TypeID)] = []
    var seen: Set<Ref> = []
    for opening in storeFlow.openings.sorted(by: { $0.site < $1.site }) {
      guard opening.site == opening.root, !opening.isInMemory, !isExempt(opening.site),
        Frameworks.fileOpenings.contains(calledName(opening.site)),
        let initializer = ancestors(opening.site).first(where: { kind($0) == .initDecl }),
        let id = function(declaredAt: initializer),
        functions[id].parameters.allSatisfy(\.hasDefault),
        let owner = functions[id].owner,
        [.classDecl, .structDecl, .actorDecl].contains(types[owner].kind),
        seen.insert(initializer).inserted
      else { continue }
      let sites = callers(of: id).filter {
        arguments($0).isEmpty && !isExempt($0) && !runsInExtension($0)
      }
      guard sites.count > 1 else { continue }
      found += sites.filter { isDroppedAtOnce($0) }.map { ($0, owner) }
    }
    return found.sorted { $0.site < $1.site }
  }

  /// Whether what a call makes is held by a local of a function alone, which hands it to nobody.
  private func isDroppedAtOnce(_ call: Ref) -> Bool {
    guard let chain = parent(call), let expression = parent(chain),
      isOnlyPart(chain, of: expression), let binding = parent(expression),
      kind(binding) == .binding,
      property(declaredAt: binding) == nil, let local = child(binding, .boundName),
      let body = enclosingBody(call), [.functionDecl, .closure].contains(kind(body))
    else { return false }
    return uses(ofLocal: local).allSatisfy { use in
      parent(use).map { children($0).count > 1 } ?? false
    }
  }

  /// Which file a container of a process keeps its store in.
  private struct StoreSite: Hashable {
    let process: String
    let file: KnownText
  }

  /// The process that runs the code at a place, or else its module.
  private func process(at place: Ref) -> String {
    let name = processName(at: place)
    return name.isEmpty ? "\(files[Int(place.file)].module)" : name
  }

  private func storeFile(of call: Ref) -> KnownText? {
    let stores = openedStores(by: call)
    let files = Set(stores.map(\.file))
    guard files.count == 1, stores.allSatisfy({ $0.isInMemory == false }) else { return nil }
    return files.first ?? nil
  }

  /// The declarations that keep a container, each with the call by which it gets it: the property,
  /// or the function that makes it for its own use; for a function that hands it out, its callers,
  /// and for an initializer that several places call, these.
  private func holders(ofStoreMadeBy call: Ref) -> [(holder: Ref, site: Ref)] {
    Reach(from: call) { call in
      guard !self.hangsOnCondition(call), let function = self.enclosingFunction(call),
        self.handsOut(function, storeMadeBy: call)
      else { return [] }
      return self.shippingCallers(of: function).filter {
        !self.runsInExtension($0) && self.storeFlow.innermostPath(at: $0) == nil
          && !self.isStandIn($0)
          && (self.process(at: $0) == self.process(at: call)
            || !self.processKinds(at: $0).isEmpty && self.mayShareProcess($0, call))
      }
    }.compactMap { call in holder(ofStoreMadeBy: call).map { ($0, call) } }
  }

  private func holder(ofStoreMadeBy call: Ref) -> Ref? {
    guard !hangsOnCondition(call) else { return nil }
    if let function = enclosingFunction(call) {
      return handsOut(function, storeMadeBy: call) || isRescue(function)
        ? nil : functions[function].ref
    }
    guard let property = ancestors(call).last(where: { property(declaredAt: $0) != nil }),
      let id = self.property(declaredAt: property)
    else { return nil }
    guard properties[id].isComputed else { return property }
    // What a view's action opens is opened beside what the app keeps.
    guard let entryPoint = entryPoint(around: call),
      [.action, .task].contains(entryPoint.kind)
    else { return nil }
    return entryPoint.place
  }

  /// Whether callers get the store that a function makes, or an object that several places make.
  private func handsOut(_ function: FunctionID, storeMadeBy call: Ref) -> Bool {
    guard let result = functions[function].result else {
      return functions[function].kind == .initDecl && shippingCallers(of: function).count > 1
        && !isViewCode(call)
    }
    return Frameworks.keptStores.contains { names($0, in: Ref(file: Int(call.file), node: result)) }
  }

  /// Whether a function runs only where the first opening has failed, so that it opens no second
  /// store: on its failure path, or by an action that is offered where nothing is open.
  private func isRescue(_ function: FunctionID) -> Bool {
    Reach(from: shippingCallers(of: function), by: shippingCallers(around:)).surely { call in
      storeFlow.innermostPath(at: call) != nil
        || entryPoint(around: call)?.kind == .action && hangsOnCondition(call)
    }
  }

  /// Whether a value is there only for where nobody gives another one.
  private func isStandIn(_ call: Ref) -> Bool {
    enclosingType(call).map { inherits($0, from: Frameworks.environmentKey) } ?? false
      || ancestors(call).contains { kind($0) == .parameter }
  }

  /// Whether an opening makes a container of SwiftData, not a database of GRDB.
  private func isContainer(_ opening: StoreOpening) -> Bool {
    calledName(opening.site) == "ModelContainer"
  }

  /// Whether a function that opens a database for itself closes one.
  private func isClosed(_ holder: Ref) -> Bool {
    guard let body = function(declaredAt: holder).flatMap({ body(of: $0) }) else { return false }
    return names("close", in: body)
  }

  /// The property that a call's value, or what it loads, is assigned to.
  private func propertyGiven(_ call: Ref) -> Ref? {
    guard let loaded = callee(call).dropLast().last else { return propertyAssigned(call) }
    if let id = property(usedBy: loaded) { return properties[id].ref }
    guard case .local(let local)? = declared(loaded) else { return propertyAssigned(call) }
    return uses(ofLocal: local).lazy.compactMap { self.propertyAssigned($0) }.first
  }

  /// The property that a value is assigned to.
  private func propertyAssigned(_ value: Ref) -> Ref? {
    ancestors(value).prefix { ![.block, .closure].contains(kind($0)) }.lazy
      .compactMap { self.assignment($0) }.first
      .flatMap { children($0.target).last }.flatMap { property(usedBy: $0) }
      .map { properties[$0].ref }
  }

  /// Whether what gets a container is neither a property nor a function.
  private func isAction(_ holder: Ref) -> Bool {
    property(declaredAt: holder) == nil && function(declaredAt: holder) == nil
  }

  /// Whether a container is made only where a condition holds, such as that none was handed in; a
  /// setting may hold while another container is there.
  private func hangsOnCondition(_ call: Ref) -> Bool {
    !areBuiltTogether(call, call)
      || !conditions.runs(call, whenever: nil) {
        $0.condition.isFailure || $0.isBinding || asksSettings($0)
      }
  }

  private func asksSettings(_ condition: PlacedCondition) -> Bool {
    let looks = condition.looks
    return !looks.isEmpty
      && looks.allSatisfy { look in
        switch look {
        case .setting, .keptSetting: true
        case .name(let node):
          property(usedBy: node).map { looks.contains(.keptSetting($0)) } ?? false
        default: false
        }
      }
  }

  /// Whether somebody calls a function, or the system does.
  private func isRun(_ holder: Ref) -> Bool {
    guard let function = function(declaredAt: holder) else { return true }
    if functions[function].modifiers.contains("override") { return true }
    return callers(of: function).contains { !isExempt($0) } || isBegunByTheSystem(function)
  }

  /// Whether a function runs only where the process doesn't begin the app, such as in a mode for the
  /// command line.
  private func runsWithoutApp(_ holder: Ref) -> Bool {
    func launches(_ call: Ref) -> [Ref] {
      appLaunches.filter { $0.file == call.file && enclosingBody($0) == enclosingBody(call) }
    }
    guard let id = function(declaredAt: holder) else { return false }
    return Reach(from: shippingCallers(of: id)) { call in
      launches(call).isEmpty ? self.shippingCallers(around: call) : []
    }.surely { call in
      let launches = launches(call)
      return !launches.isEmpty
        && !launches.contains { perhapsRuns(call, before: $0) || perhapsRuns($0, before: call) }
    }
  }

  private func isBegunByTheSystem(_ function: FunctionID) -> Bool {
    guard let body = functions[function].body else { return false }
    return entryPoint(around: Ref(file: Int(functions[function].ref.file), node: body)) != nil
  }

  /// Whether a node stands in a type of a widget or another extension: a process of its own.
  private func runsInExtension(_ node: Ref) -> Bool {
    if processKinds(at: node) == [.appExtension] { return true }
    guard let type = enclosingType(node) else { return false }
    return Words.processTypes.contains { inherits(type, from: $0) }
  }
}
