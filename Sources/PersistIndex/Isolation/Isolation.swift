import PersistProject
import PersistSyntax

/// On which actor or queue code runs.
package enum Isolation: Hashable, Sendable {
  case mainActor
  /// A global actor of the sources or from elsewhere, by its name.
  case globalActor(Name)
  /// The actor whose code it is.
  case actor(TypeID)
  /// The queue of a Core Data context, inside `perform`.
  case contextQueue
  /// Beside all actors, at the same time as the code that started it.
  case concurrent
  /// Wherever its caller runs.
  case nonisolated
  case unknown

  /// Whether the code has an actor of its own.
  package var isActor: Bool {
    switch self {
    case .mainActor, .globalActor, .actor: true
    default: false
    }
  }
}

/// The isolation of the code around a node.
struct IsolationAtPlace: Query {
  let place: Ref

  func _rawHashValue(seed: Int) -> Int { place._rawHashValue(seed: seed) }
  static var provisional: Isolation { .unknown }
  static func memo(in program: Program) -> Memo<Self> { program.isolations }
  func answer(in program: Program) -> Isolation { program.findIsolation(around: place) }
}

/// The isolation that a type gives its members.
private struct IsolationOfType: Query {
  let type: TypeID

  static var provisional: Isolation { .unknown }
  func answer(in program: Program) -> Isolation { program.findIsolation(ofType: type) }
}

// MARK: - Isolation of code

extension Program {
  /// The isolation of the code around a node: of its closure, function, property or type.
  package func isolation(at place: Ref) -> Isolation {
    answer(IsolationAtPlace(place: place))
  }

  fileprivate func findIsolation(around place: Ref) -> Isolation {
    guard let scope = parent(place) else { return fileIsolation(place) }
    switch kind(scope) {
    case .closure: return isolation(ofClosure: scope)
    case .functionDecl, .initDecl, .deinitDecl, .subscriptDecl, .accessor:
      return isolation(ofDeclaration: scope)
    case .variableDecl:
      return writtenIsolation(scope)
        ?? (isStaticInActor(scope) ? .nonisolated : isolation(at: scope))
    case .members: return parent(scope).map { isolation(ofTypePart: $0) } ?? .unknown
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl:
      return isolation(ofTypePart: scope)
    default: return isolation(at: scope)
    }
  }

  /// The isolation of the code inside a function, initializer or accessor.
  package func isolation(ofDeclaration ref: Ref) -> Isolation {
    if let written = writtenIsolation(ref) { return written }
    if let list = child(ref, .parameters),
      let parameter = children(list, .parameter).first(where: { isIsolated($0) })
    {
      if case .declared(let actor, _) = type(ofLocal: parameter), types[actor].kind == .actorDecl {
        return .actor(actor)
      }
      return .unknown
    }
    if isStaticInActor(ref) { return .nonisolated }
    return requiredIsolation(ref) ?? isolation(at: ref)
  }

  /// What a protocol's requirement or an overridden method says of a method.
  private func requiredIsolation(_ ref: Ref) -> Isolation? {
    guard kind(ref) == .functionDecl, let id = function(declaredAt: ref), !functions[id].isStatic,
      let owner = functions[id].owner
    else { return nil }
    return lineage(of: owner).dropFirst().lazy.flatMap { parent in
      self.ownMembers(parent, self.functions[id].name)?.functions ?? []
    }.filter { self.haveOneSignature(id, $0) }
      .compactMap { self.writtenIsolation(self.functions[$0].ref) }.first
  }

  /// Static members of an actor belong to no instance, and so to no actor.
  private func isStaticInActor(_ ref: Ref) -> Bool {
    guard let list = parent(ref), kind(list) == .members, let type = enclosingType(ref) else {
      return false
    }
    return types[type].kind == .actorDecl
      && children(ref, .modifier).contains { name($0) == "static" }
  }

  /// The isolation of a function of the sources.
  package func isolation(ofFunction id: FunctionID) -> Isolation {
    isolation(ofDeclaration: functions[id].ref)
  }

  /// `@MainActor`, `nonisolated` and so on, as written at a declaration or closure.
  private func writtenIsolation(_ ref: Ref) -> Isolation? {
    for attribute in children(ref, .attribute) {
      let name = name(attribute)
      if name == "MainActor" { return .mainActor }
      if name == "concurrent" { return .nonisolated }
      if let type = lookUpType(name, from: ref).only,
        types[type].attributes.contains("globalActor")
      {
        return .globalActor(name)
      }
    }
    return children(ref, .modifier).contains { self.name($0) == "nonisolated" }
      ? .nonisolated : nil
  }

  private func isIsolated(_ parameter: Ref) -> Bool {
    guard let type = child(parameter, .type) else { return false }
    return outline(type).tokens[Int(node(type).first)].keyword == .isolated
      || children(parameter, .modifier).contains { name($0) == "isolated" }
  }

  private func fileIsolation(_ place: Ref) -> Isolation {
    let file = files[Int(place.file)]
    if file.path == "main.swift" || file.path.hasSuffix("/main.swift") { return .mainActor }
    switch defaultIsolation(of: place) {
    case .mainActor: return .mainActor
    case .nonisolated: return .nonisolated
    case .unknown: return .unknown
    }
  }

  // MARK: Closures

  /// The isolation of the code inside a closure.
  package func isolation(ofClosure ref: Ref) -> Isolation {
    if isConcurrent(ref) { return .concurrent }
    if let written = writtenIsolation(ref) { return written }
    guard let (call, _) = callTaking(ref) else { return isolation(at: ref) }
    return isolation(of: ref, givenBy: call) ?? (isViewCode(ref) ? isolation(at: ref) : .unknown)
  }

  /// The isolation of a closure that a call takes; nil where nothing tells it.
  private func isolation(of closure: Ref, givenBy call: Ref) -> Isolation? {
    let method = calledName(call)
    guard let first = callee(call).first, let called = calledNode(call) else {
      return isolation(at: closure)
    }
    if kind(first) == .name, name(first) == "Task", declared(first) == nil {
      if method == "Task" || method == "init" { return taskIsolation(closure) }
      return Words.detachingMethods.contains(method) ? .concurrent : nil
    }
    if kind(first) == .name, name(first) == "MainActor" { return .mainActor }
    if Words.performMethods.contains(method) { return .contextQueue }
    if kind(called) == .member, Words.queueMethods.contains(method), let chain = parent(call) {
      switch type(ofChain: chain, upTo: called).unwrapped {
      case .external("MainQueue", _): return .mainActor
      case .external("DispatchQueue", _), .external("OperationQueue", _): return .concurrent
      default: break
      }
    }
    if case .functions(let candidates) = callTarget(call) {
      return candidates.count == 1
        ? isolation(of: closure, takenBy: functions[candidates[0]], in: call) : nil
    }
    if Words.groupMethods.contains(method) { return .concurrent }
    return Words.immediateMethods.contains(method) ? isolation(at: closure) : nil
  }

  /// What the closure's parameter in a function of the sources says of where it runs.
  private func isolation(
    of closure: Ref, takenBy function: FunctionDeclaration, in call: Ref
  ) -> Isolation? {
    guard let node = parameter(of: function, taking: closure, in: call)?.type else { return nil }
    let type = Ref(file: Int(function.ref.file), node: node)
    let words = outline(type).tokenNames(of: node)
    if words.contains("MainActor") { return .mainActor }
    let around = isolation(at: closure)
    if case .function = self.type(ofTypeNode: type), !words.contains("escaping"),
      !words.contains("Sendable")
    {
      return around
    }
    // Wherever the function calls it, it has no actor of its own.
    let isSpelled = written(type)?.bare.function != nil
    return isSpelled && (around == .nonisolated || around == .concurrent) ? .nonisolated : nil
  }

  /// Whether an `await` stands before a call.
  package func isAwaited(_ ref: Ref) -> Bool {
    var next = parent(ref)
    while let current = next {
      switch kind(current) {
      case .expression:
        if children(current, .awaitMark).contains(where: { $0 < ref }) { return true }
      case .closure, .block: return false
      default: break
      }
      next = parent(current)
    }
    return false
  }

  /// Whether no closure between a node and the body around it runs elsewhere than the body.
  package func staysIn(_ body: Ref, _ place: Ref) -> Bool {
    var next = parent(place)
    while let current = next, current != body {
      if kind(current) == .closure, isolation(ofClosure: current) != isolation(at: current) {
        return false
      }
      next = parent(current)
    }
    return true
  }

  /// Whether a closure says `@concurrent`.
  package func isConcurrent(_ closure: Ref) -> Bool {
    children(closure, .attribute).contains { name($0) == "concurrent" }
  }

  /// A plain task keeps the isolation around it; where there is none it runs beside its caller.
  private func taskIsolation(_ closure: Ref) -> Isolation {
    let around = isolation(at: closure)
    switch around {
    case .nonisolated, .concurrent, .contextQueue: return .concurrent
    default: return around
    }
  }

  /// Whether a place stands in a type that SwiftUI shows.
  package func isViewCode(_ place: Ref) -> Bool {
    guard let type = enclosingType(place) else { return false }
    return lineage(of: type).contains { owner in
      inherited(by: owner).contains { inherited in
        if case .external(let name, _) = inherited { return Words.viewProtocols.contains(name) }
        return false
      } || types[owner].kind == .extensionDecl && Words.viewProtocols.contains(types[owner].name)
    }
  }

  // MARK: Types

  /// The isolation that a type, or one extension of it, gives its members.
  private func isolation(ofTypePart part: Ref) -> Isolation {
    if let written = writtenIsolation(part) { return written }
    guard let type = type(declaredAt: part) else { return .unknown }
    return isolation(ofType: type)
  }

  /// The isolation that a type gives its members.
  package func isolation(ofType type: TypeID) -> Isolation {
    answer(IsolationOfType(type: type))
  }

  fileprivate func findIsolation(ofType type: TypeID) -> Isolation {
    let declaration = types[type]
    if declaration.kind == .extensionDecl {
      if Words.mainActorTypes.contains(declaration.name) { return .mainActor }
      return Words.nonisolatedTypes.contains(declaration.name) ? .nonisolated : .unknown
    }
    if declaration.kind == .actorDecl { return .actor(type) }
    if let written = writtenIsolation(declaration.ref) { return written }
    var isKnown = true
    for inherited in inheritedWhereDeclared(type) {
      switch inherited {
      case .declared(let parent, _):
        let above = isolation(ofType: parent)
        if above.isActor, types[parent].kind != .actorDecl { return above }
        if above == .unknown { isKnown = false }
      case .external(let name, _):
        if Words.mainActorTypes.contains(name) { return .mainActor }
        if !Words.nonisolatedTypes.contains(name), !answeredIntents(type).contains(name) {
          isKnown = false
        }
      default: isKnown = false
      }
    }
    let standard = defaultIsolation(of: declaration.ref)
    if standard == .mainActor || hasViewState(type) { return .mainActor }
    if standard == .unknown { return .unknown }
    return isKnown ? .nonisolated : .unknown
  }

  /// What a type inherits from by its own declaration: a conformance in an extension gives the
  /// type no isolation.
  private func inheritedWhereDeclared(_ type: TypeID) -> [SwiftType] {
    let ref = types[type].ref
    guard [.classDecl, .structDecl, .enumDecl, .protocolDecl].contains(kind(ref)),
      types[type].kind == kind(ref)
    else { return inherited(by: type) }
    return children(ref, .inheritance).flatMap { children($0) }.map { self.type(ofTypeNode: $0) }
  }

  /// Whether a struct holds what only views hold, so that it runs where views run.
  private func hasViewState(_ type: TypeID) -> Bool {
    types[type].kind == .structDecl
      && types[type].properties.contains { id in
        properties[id].attributes.contains { Words.viewWrappers.contains($0) }
      }
  }

  // MARK: Default isolation

  /// Where the code of a file runs that says nothing of it.
  func defaultIsolation(of ref: Ref) -> Target.DefaultIsolation {
    answer(DefaultIsolationOfFile(file: Int(ref.file)))
  }
}

/// Where the code of a file runs that says nothing of it.
private struct DefaultIsolationOfFile: Query {
  let file: Int

  static let provisional = Target.DefaultIsolation.nonisolated

  func answer(in program: Program) -> Target.DefaultIsolation {
    guard program.projectMayIsolate else { return .nonisolated }
    return program.projects.isolation(of: program.files[file].path) ?? .nonisolated
  }
}
