import PersistSyntax

/// Where the system, a person or a task begins to run code of the project.
package struct EntryPoint: Hashable, Sendable {
  /// Who begins.
  package enum Kind: Sendable {
    /// The system, when the app is launched.
    case launch
    /// A person, with a button, a menu, a gesture.
    case action
    /// The system, in a widget or another extension.
    case appExtension
    /// The system, for an intent that does not bring the app to the front.
    case intent
    /// The system, in a watch app.
    case watch
    /// The system, while the app is in the background.
    case background
    /// A `Task` that no view owns.
    case task
  }

  package let kind: Kind
  /// The function, or the name of the call that takes the closure.
  package let place: Ref
}

/// How code is reached from an entry point.
package struct CallPath: Sendable {
  package let entryPoint: EntryPoint
  /// The calls from the entry point on, up to and without the place that is reached.
  package let steps: [Ref]
}

/// By whom the methods of a type are begun.
private struct KindOfEntryType: Query {
  let type: TypeID

  static var provisional: EntryPoint.Kind? { nil }
  func answer(in program: Program) -> EntryPoint.Kind? { program.findKind(ofEntryType: type) }
}

/// The entry point that runs a node without a call of the sources.
private struct EntryPointAround: Query {
  let node: Ref

  static var provisional: EntryPoint? { nil }
  func answer(in program: Program) -> EntryPoint? { program.findEntryPoint(around: node) }
}

// MARK: - Ways to a place

extension Program {
  /// The shortest way to a node from an entry point of some kinds that leads past no place which
  /// `isBarred` holds for; nil when none is known.
  package func callPath(
    to node: Ref, from kinds: Set<EntryPoint.Kind>, throughStored: Bool = false,
    unless isBarred: (Ref) -> Bool = { _ in false }
  ) -> CallPath? {
    var ways: [(site: Ref, steps: [Ref])] = [(node, [])]
    var seen: Set<Ref> = []
    // What nothing runs leads only to what nothing runs either.
    let isDead = isUnused(node)
    while !ways.isEmpty, isWithin(seen.count, .pathSites) {
      var found: [CallPath] = []
      var next: [(site: Ref, steps: [Ref])] = []
      for (site, steps) in ways where !isBarred(site) {
        if let entryPoint = entryPoint(around: site) {
          if kinds.contains(entryPoint.kind) {
            found.append(CallPath(entryPoint: entryPoint, steps: steps))
            continue
          }
          if entryPoint.kind != .task { continue }
        }
        for caller in sites(leadingTo: site, throughStored: throughStored)
        where !isExempt(caller) && seen.insert(caller).inserted && (isDead || !isUnused(caller)) {
          next.append((caller, [caller] + steps))
        }
      }
      // Of those equally near, the one whose name comes first: where they stand doesn't matter.
      if found.count < 2 {
        ways = next
      } else {
        found.sort { isBefore($0.entryPoint, $1.entryPoint) }
      }
      if let nearest = found.first { return nearest }
    }
    return nil
  }

  private func isBefore(_ one: EntryPoint, _ other: EntryPoint) -> Bool {
    (symbol(one.place), one.place) < (symbol(other.place), other.place)
  }

  /// Hands out the entry points from which a node is reached, through what makes views as well,
  /// nearest first, until the answer is that there are enough.
  package func visitEntryPoints(leadingTo node: Ref, _ isEnough: (EntryPoint) -> Bool) {
    var pending = [node]
    var seen: Set<Ref> = [node]
    var found: Set<EntryPoint> = []
    while !pending.isEmpty, isWithin(seen.count, .reachedSites) {
      var equallyNear: [EntryPoint] = []
      var next: [Ref] = []
      for site in pending {
        if let entryPoint = entryPoint(around: site) {
          if found.insert(entryPoint).inserted { equallyNear.append(entryPoint) }
          if entryPoint.kind == .launch || entryPoint.kind == .appExtension { continue }
        }
        next.append(site)
      }
      if equallyNear.count > 1 { equallyNear.sort { isBefore($0, $1) } }
      if equallyNear.contains(where: isEnough) { return }
      pending = next.flatMap { sites(leadingTo: $0, throughStored: true, throughViews: true) }
        .filter { !isExempt($0) && seen.insert($0).inserted }
    }
  }

  /// Where the code around a node is made to run: the calls of its function, the uses of the
  /// property whose value it gives, or what makes the owner of that property.
  func sites(leadingTo node: Ref, throughStored: Bool = false, throughViews: Bool = false) -> [Ref]
  {
    if let function = enclosingFunction(node) { return callers(of: function) }
    return sites(leadingToPropertyAround: node, throughStored, throughViews)
  }

  private func sites(
    leadingToPropertyAround node: Ref, _ throughStored: Bool, _ throughViews: Bool
  ) -> [Ref] {
    guard let holder = ancestors(node).last(where: { property(declaredAt: $0) != nil }),
      let property = property(declaredAt: holder)
    else { return [] }
    let declaration = properties[property]
    if declaration.isComputed {
      // What shows a view runs its body.
      if throughViews, declaration.name == "body", let owner = declaration.owner {
        return makers(of: owner)
      }
      let isSet = ancestors(node).contains { kind($0) == .accessor && name($0) == "set" }
      return (isSet ? settings(ofProperty: property) : uses(ofProperty: property))
        + keyPaths(to: property)
    }
    // Code that a property begins with runs where the property is used.
    if let code = closure(in: holder), contains(code, node) { return uses(ofProperty: property) }
    guard throughStored else { return [] }
    guard let owner = declaration.owner, !declaration.isStatic,
      !declaration.modifiers.contains("lazy")
    else { return uses(ofProperty: property) }
    return makers(of: owner)
  }

  /// The entry point that runs a node without a call of the sources, from the inside out.
  package func entryPoint(around node: Ref) -> EntryPoint? { answer(EntryPointAround(node: node)) }

  fileprivate func findEntryPoint(around node: Ref) -> EntryPoint? {
    guard !isLeftOut(node.file) else { return nil }
    let found = findBeginning(around: node)
    return viewOfExtension(around: node, found) ?? found
  }

  private func findBeginning(around node: Ref) -> EntryPoint? {
    var next = parent(node)
    while let current = next {
      switch kind(current) {
      case .closure:
        if let entryPoint = entryPoint(taking: current) { return entryPoint }
      case .functionDecl, .initDecl:
        if let function = function(declaredAt: current) { return entryPoint(ofFunction: function) }
      case .binding:
        if let id = property(declaredAt: current) { return entryPoint(ofProperty: id) }
      default: break
      }
      next = parent(current)
    }
    return nil
  }

  /// The view of an extension around a node: the system and the person run its code in a process that
  /// may be suspended at any time.
  private func viewOfExtension(around node: Ref, _ found: EntryPoint?) -> EntryPoint? {
    guard found.map({ $0.kind == .action }) ?? true, isViewCode(node) else { return nil }
    let place = found?.place ?? enclosingDeclaration(node)
    guard processKinds(at: node) == [.appExtension] else { return nil }
    return EntryPoint(kind: .appExtension, place: place)
  }

  private func entryPoint(taking closure: Ref) -> EntryPoint? {
    guard let (call, label) = callTaking(closure), let place = calledNode(call) else { return nil }
    let name = calledName(call)
    if name == "register", calleeNames(call, "BGTaskScheduler") {
      return EntryPoint(kind: .background, place: place)
    }
    if name == "backgroundTask" { return EntryPoint(kind: .background, place: place) }
    if Words.actions.contains(name) || label == "action" {
      return EntryPoint(kind: .action, place: place)
    }
    if name == "Task" || name == "detached" && calleeNames(call, "Task") {
      return isOfView(closure) ? nil : EntryPoint(kind: .task, place: place)
    }
    return nil
  }

  private func calleeNames(_ call: Ref, _ type: Name) -> Bool {
    callee(call).first.map { name($0) == type } ?? false
  }

  /// Whether a node stands in a view, an app's scenes or a controller of views; not in a method of the
  /// app, which is there as long as the process.
  private func isOfView(_ node: Ref) -> Bool {
    guard let type = enclosingType(node) else { return false }
    if isViewCode(node) {
      return !inherits(type, from: "App")
        || enclosingFunction(node).map { functions[$0].kind != .functionDecl } ?? true
    }
    if types[type].kind == .extensionDecl { return Words.viewClasses.contains(types[type].name) }
    return Words.viewClasses.contains { inherits(type, from: $0) }
  }

  private func entryPoint(ofFunction function: FunctionID) -> EntryPoint? {
    let declaration = functions[function]
    let labels = Set(declaration.parameters.map(\.label))
    if !labels.isDisjoint(with: Words.backgroundLabels) || takesBackgroundTask(function) {
      return EntryPoint(kind: .background, place: declaration.ref)
    }
    if !labels.isDisjoint(with: Words.launchLabels)
      || Words.launchMethods.contains(declaration.name) && declaration.owner != nil
    {
      return EntryPoint(kind: .launch, place: declaration.ref)
    }
    return declaration.owner.flatMap { kind(ofEntryType: $0) }
      .map { EntryPoint(kind: $0, place: declaration.ref) }
  }

  private func entryPoint(ofProperty property: PropertyID) -> EntryPoint? {
    guard let owner = properties[property].owner, !properties[property].isStatic else {
      return nil
    }
    return kind(ofEntryType: owner).map { EntryPoint(kind: $0, place: properties[property].ref) }
  }

  private func takesBackgroundTask(_ function: FunctionID) -> Bool {
    functions[function].parameters.contains { parameter in
      guard let node = parameter.type else { return false }
      let type = type(ofTypeNode: Ref(file: Int(functions[function].ref.file), node: node))
      return Words.backgroundTasks.contains { type.isExternal($0) }
    }
  }

  /// By whom the methods of a type are begun; nil for types of which the sources call them.
  private func kind(ofEntryType type: TypeID) -> EntryPoint.Kind? {
    answer(KindOfEntryType(type: type))
  }

  fileprivate func findKind(ofEntryType type: TypeID) -> EntryPoint.Kind? {
    if Words.intentTypes.contains(where: { inherits(type, from: $0) }) {
      return opensApp(type) ? .action : .intent
    }
    if lineage(of: type).contains(where: { !answeredIntents($0).isEmpty }) { return .intent }
    if Words.extensionTypes.contains(where: { inherits(type, from: $0) }) { return .appExtension }
    if Words.watchTypes.contains(where: { inherits(type, from: $0) }) { return .watch }
    if isPrincipal(type) { return .appExtension }
    if Words.commandTypes.contains(where: { inherits(type, from: $0) })
      || types[type].attributes.contains("main")
    {
      return .launch
    }
    return inherits(type, from: "App") ? .launch : nil
  }

  /// The protocols by which a type answers Siri's intents, none of which the sources declare.
  func answeredIntents(_ type: TypeID) -> Set<Name> {
    inheritanceNodes(of: type).reduce(into: []) { names, node in
      if written(node)?.lastName?.text.hasSuffix(Words.endOfIntentProtocols) ?? false,
        case .external(let name, _) = self.type(ofTypeNode: node)
      {
        names.insert(name)
      }
    }
  }

  /// Whether the system makes the objects of a class that belongs to extensions alone: it is made
  /// from something of the system's and by nothing in the sources.
  private func isPrincipal(_ type: TypeID) -> Bool {
    guard types[type].kind == .classDecl, processKinds(at: types[type].ref) == [.appExtension],
      inherited(by: type).contains(where: { if case .external = $0 { true } else { false } })
    else { return false }
    return makers(of: type).isEmpty
  }

  /// Whether an intent brings the app to the front before it runs.
  private func opensApp(_ type: TypeID) -> Bool {
    lineage(of: type).flatMap { types[$0].properties }.contains { id in
      let property = properties[id]
      guard property.name == "openAppWhenRun" || property.name == "supportedModes",
        let value = property.initializer ?? property.accessors
      else { return false }
      let given = Ref(file: Int(property.ref.file), node: value)
      if property.name == "openAppWhenRun" { return holds(Keyword.true, in: given) }
      return names("foreground", in: given) && !names("background", in: given)
    }
  }
}
