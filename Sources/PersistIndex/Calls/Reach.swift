import PersistSyntax

/// Where the system, a person or a task begins to run code of the project.
package struct Entrance: Hashable, Sendable {
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

/// How code is reached from an entrance.
package struct Way: Sendable {
  package let entrance: Entrance
  /// The calls from the entrance on, up to and without the place that is reached.
  package let steps: [Ref]
}

/// By whom the methods of a type are begun.
private struct KindOfEntranceType: Query {
  let type: TypeID

  static var provisional: Entrance.Kind? { nil }
  func answer(in program: Program) -> Entrance.Kind? { program.findKind(ofEntranceType: type) }
}

/// The entrance that runs a node without a call of the sources.
private struct EntranceAround: Query {
  let node: Ref

  static var provisional: Entrance? { nil }
  func answer(in program: Program) -> Entrance? { program.findEntrance(around: node) }
}

// MARK: - Ways to a place

extension Program {
  /// The shortest way to a node from an entrance of some kinds that leads past no place which
  /// `isBarred` holds for; nil when none is known.
  package func way(
    to node: Ref, from kinds: Set<Entrance.Kind>, throughStored: Bool = false,
    unless isBarred: (Ref) -> Bool = { _ in false }
  ) -> Way? {
    var ways: [(site: Ref, steps: [Ref])] = [(node, [])]
    var seen: Set<Ref> = []
    var index = 0
    while index < ways.count, index < 400 {
      let (site, steps) = ways[index]
      index += 1
      guard !isBarred(site) else { continue }
      if let entrance = entrance(around: site) {
        if kinds.contains(entrance.kind) { return Way(entrance: entrance, steps: steps) }
        if entrance.kind != .task { continue }
      }
      for next in sites(leadingTo: site, throughStored: throughStored)
      where !isSilent(next) && seen.insert(next).inserted {
        ways.append((next, [next] + steps))
      }
    }
    return nil
  }

  /// All entrances from which a node is reached, through what makes views as well, nearest first.
  func entrances(leadingTo node: Ref) -> [Entrance] {
    var pending = [node]
    var seen: Set<Ref> = [node]
    var found: [Entrance] = []
    var index = 0
    while index < pending.count, isWithin(index, .reachedSites) {
      let site = pending[index]
      index += 1
      if let entrance = entrance(around: site) {
        if !found.contains(entrance) { found.append(entrance) }
        if entrance.kind == .launch || entrance.kind == .appExtension { continue }
      }
      for next in sites(leadingTo: site, throughStored: true, throughViews: true)
      where !isSilent(next) && seen.insert(next).inserted {
        pending.append(next)
      }
    }
    return found
  }

  /// Where the code around a node is made to run: the calls of its function, the uses of the
  /// property whose value it gives, or what makes the owner of that property.
  func sites(leadingTo node: Ref, throughStored: Bool = false, throughViews: Bool = false) -> [Ref]
  {
    if let function = enclosingFunction(node) { return callers(of: function) }
    guard let holder = ancestors(node).last(where: { property(declaredAt: $0) != nil }),
      let property = property(declaredAt: holder)
    else { return [] }
    let declaration = properties[property]
    if declaration.isComputed {
      // What shows a view runs its body.
      if throughViews, declaration.name == "body", let owner = declaration.owner {
        return makers(of: owner)
      }
      return uses(ofProperty: property)
    }
    guard throughStored else { return [] }
    guard let owner = declaration.owner, !declaration.isStatic,
      !declaration.modifiers.contains("lazy")
    else { return uses(ofProperty: property) }
    return makers(of: owner)
  }

  /// The entrance that runs a node without a call of the sources, from the inside out.
  package func entrance(around node: Ref) -> Entrance? { answer(EntranceAround(node: node)) }

  fileprivate func findEntrance(around node: Ref) -> Entrance? {
    var next = parent(node)
    while let current = next {
      switch kind(current) {
      case .closure:
        if let entrance = entrance(taking: current) { return entrance }
      case .functionDecl, .initDecl:
        if let function = function(declaredAt: current) { return entrance(ofFunction: function) }
      case .binding:
        if let id = property(declaredAt: current) { return entrance(ofProperty: id) }
      default: break
      }
      next = parent(current)
    }
    return nil
  }

  private func entrance(taking closure: Ref) -> Entrance? {
    guard let (call, label) = callTaking(closure), let place = calledNode(call) else { return nil }
    let name = calledName(call)
    if name == "register", calleeNames(call, "BGTaskScheduler") {
      return Entrance(kind: .background, place: place)
    }
    if name == "backgroundTask" { return Entrance(kind: .background, place: place) }
    if Words.actions.contains(name) || label == "action" {
      return Entrance(kind: .action, place: place)
    }
    if name == "Task" || name == "detached" && calleeNames(call, "Task") {
      return isOfView(closure) ? nil : Entrance(kind: .task, place: place)
    }
    return nil
  }

  private func calleeNames(_ call: Ref, _ type: Name) -> Bool {
    callee(call).first.map { name($0) == type } ?? false
  }

  /// Whether a node stands in a view, an app's scenes or a controller of views.
  private func isOfView(_ node: Ref) -> Bool {
    if isViewCode(node) { return true }
    guard let type = enclosingType(node) else { return false }
    if types[type].kind == .extensionDecl { return Words.viewClasses.contains(types[type].name) }
    return Words.viewClasses.contains { inherits(type, from: $0) }
  }

  private func entrance(ofFunction function: FunctionID) -> Entrance? {
    let declaration = functions[function]
    let labels = Set(declaration.parameters.map(\.label))
    if !labels.isDisjoint(with: Words.backgroundLabels) || takesBackgroundTask(function) {
      return Entrance(kind: .background, place: declaration.ref)
    }
    if !labels.isDisjoint(with: Words.launchLabels) {
      return Entrance(kind: .launch, place: declaration.ref)
    }
    return declaration.owner.flatMap { kind(ofEntranceType: $0) }
      .map { Entrance(kind: $0, place: declaration.ref) }
  }

  private func entrance(ofProperty property: PropertyID) -> Entrance? {
    guard let owner = properties[property].owner, !properties[property].isStatic else {
      return nil
    }
    return kind(ofEntranceType: owner).map { Entrance(kind: $0, place: properties[property].ref) }
  }

  private func takesBackgroundTask(_ function: FunctionID) -> Bool {
    functions[function].parameters.contains { parameter in
      guard let node = parameter.type else { return false }
      let type = type(ofTypeNode: Ref(file: Int(functions[function].ref.file), node: node))
      return Words.backgroundTasks.contains { type.isExternal($0) }
    }
  }

  /// By whom the methods of a type are begun; nil for types of which the sources call them.
  private func kind(ofEntranceType type: TypeID) -> Entrance.Kind? {
    answer(KindOfEntranceType(type: type))
  }

  fileprivate func findKind(ofEntranceType type: TypeID) -> Entrance.Kind? {
    if Words.intentTypes.contains(where: { inherits(type, from: $0) }) {
      return opensApp(type) ? .action : .intent
    }
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
      let text = text(Ref(file: Int(property.ref.file), node: value))
      return text.contains("true") || text.hasSuffix(".foreground")
    }
  }
}
