import PersistSyntax

/// A place where code reads, changes or calls a context, or an object of one.
package struct ManagedTouch: Hashable, Sendable {
  /// What is done.
  enum Action: Hashable, Sendable {
    /// It is read, changed or called on its queue.
    case touches
    /// It is the argument of a call.
    case passes(call: Ref, argument: Ref)
    /// A method or computed property of the sources is asked of it; the function or accessor.
    case asks([Ref])
  }

  /// The node that ends the value: `context` of `self.stack.context.save()`.
  package let place: Ref
  /// The node with which the value begins.
  let start: Ref
  let type: SwiftType
  let executors: ContextExecutors
  let action: Action
  let isContext: Bool
}

/// What the code of a file touches, in source order.
struct TouchesInFile: Query {
  let file: Int

  static var provisional: [ManagedTouch] { [] }
  func answer(in program: Program) -> [ManagedTouch] {
    program.findTouches(in: Ref(file: file, node: 0))
  }
}

/// Where a function touches what comes in by a parameter, or what its `self` is.
struct TouchingQueues: Query {
  /// The function or accessor.
  let body: Ref
  /// The parameter; nil for `self`.
  let parameter: Ref?

  static var provisional: Set<PlaceQueue> { [] }
  func answer(in program: Program) -> Set<PlaceQueue> {
    program.findTouchingQueues(in: body, parameter)
  }
}

// MARK: - Touches

extension Program {
  func findTouches(in body: Ref) -> [ManagedTouch] {
    let view = view(body)
    let end = view.end(ofSubtree: Int(body.node))
    var found: [ManagedTouch] = []
    var index = Int(body.node)
    while index < end {
      let ref = Ref(file: Int(body.file), node: index)
      switch view[node: index].kind {
      case .functionDecl, .initDecl, .deinitDecl, .subscriptDecl, .variableDecl:
        guard mayHoldManaged(ref) else {
          index = view.end(ofSubtree: index)
          continue
        }
      case .chain: found += touches(in: ref)
      default: break
      }
      index += 1
    }
    return found
  }

  /// The touches of the values that the beginnings of a chain are.
  private func touches(in chain: Ref) -> [ManagedTouch] {
    guard let first = firstChild(chain) else { return [] }
    if let own = ownTouch(first) { return [own] }
    guard mayGiveManaged(chain) else { return [] }
    let parts = children(chain)
    var found: [ManagedTouch] = []
    for index in parts.indices where isValueEnd(parts[index]) {
      var next = index + 1
      while next < parts.count, [.optionalChain, .force].contains(kind(parts[next])) { next += 1 }
      if next < parts.count, kind(parts[next]) == .call { continue }
      guard next < parts.count ? kind(parts[next]) == .member : isArgument(chain) else { continue }
      let limit = next < parts.count ? parts[next] : nil
      let type = type(ofChain: chain, upTo: limit)
      // Nothing but a fetch is known of what stands behind an unknown value.
      if type == .unknown, !mayGiveObjects(limit) { break }
      let isContext = isManagedContext(type)
      guard isContext || managedModel(in: type) != nil,
        let action = action(on: type, chain, parts, next, isContext)
      else { continue }
      let executors = contextExecutors(ofChain: chain, upTo: limit)
      found.append(
        ManagedTouch(
          place: parts[index], start: first, type: type, executors: executors, action: action,
          isContext: isContext))
    }
    return found
  }

  private func isArgument(_ chain: Ref) -> Bool {
    guard let expression = parent(chain), kind(expression) == .expression,
      let argument = parent(expression), kind(argument) == .argument
    else { return false }
    return true
  }

  private func isValueEnd(_ part: Ref) -> Bool {
    switch kind(part) {
    case .name, .member, .call, .subscriptSuffix, .tuple: true
    default: false
    }
  }

  /// The use of a member of `self` by its own name, in a context or a managed object.
  private func ownTouch(_ name: Ref) -> ManagedTouch? {
    guard kind(name) == .name, let owner = enclosingType(name), belongsToContext(owner) else {
      return nil
    }
    let isCall = sibling(after: name).map { kind($0) == .call } ?? false
    let action: ManagedTouch.Action
    switch declared(name) {
    case .property(let id)?:
      guard properties[id].owner != nil, !properties[id].isStatic,
        !Words.threadSafeMembers.contains(self.name(name))
      else { return nil }
      action = asking(property: id, isSet: isAssignmentTarget(name))
    case .functions(let candidates)?:
      guard isCall else { return nil }
      let own = candidates.filter { functions[$0].owner != nil && !functions[$0].isStatic }
      guard !own.isEmpty else { return nil }
      // An overload that calls its own name calls the framework's method.
      if own.contains(where: { contains(functions[$0].ref, name) }),
        Words.isMethod(self.name(name), of: "NSManagedObjectContext")
      {
        action = .touches
        break
      }
      action = .asks(own.map { functions[$0].ref })
    case nil:
      let known =
        isCall
        ? Words.isMethod(self.name(name), of: "NSManagedObjectContext")
          && !Words.performMethods.contains(self.name(name))
        : Words.contextState.contains(self.name(name))
      guard known, !nameText(name).isEmpty else { return nil }
      action = .touches
    default: return nil
    }
    return ManagedTouch(
      place: name, start: name, type: selfType(owner), executors: ContextExecutors(.receiver),
      action: action, isContext: isManagedContext(selfType(owner)))
  }

  private func asking(property id: PropertyID, isSet: Bool) -> ManagedTouch.Action {
    guard properties[id].isComputed, let node = properties[id].accessors else { return .touches }
    let accessors = children(Ref(file: Int(properties[id].ref.file), node: node), .accessor)
    let setters = isSet ? accessors.filter { nameText($0) == "set" } : []
    return .asks(
      setters.isEmpty ? accessors.filter { ["", "get"].contains(nameText($0)) } : setters)
  }

  /// What is done with a value, whose next suffix stands at an index; nil where it is only named.
  private func action(
    on type: SwiftType, _ chain: Ref, _ parts: [Ref], _ next: Int, _ isContext: Bool
  ) -> ManagedTouch.Action? {
    guard next < parts.count else { return wholeAction(chain, isContext) }
    let part = parts[next]
    guard kind(part) == .member else { return nil }
    let member = name(part)
    let isCall = next + 1 < parts.count && kind(parts[next + 1]) == .call
    if type.unwrapped.isCollection { return elementAction(parts, next, isCall) }
    if Words.threadSafeMembers.contains(member) { return nil }
    if isContext, Words.contextSettings.contains(member), member != Words.contextNotes {
      return nil
    }
    if isCall {
      if Words.performMethods.contains(member) { return nil }
      if case .functions = callTarget(parts[next + 1]) {
        let own = functions(calledBy: parts[next + 1]).filter { functions[$0].body != nil }
        return own.isEmpty ? .touches : .asks(own.map { functions[$0].ref })
      }
      // What other modules add to contexts may well run on their queue by itself.
      return isContext && !Words.contextMethods.contains(member) ? nil : .touches
    }
    guard let id = property(usedBy: part) else { return .touches }
    return asking(property: id, isSet: isAssignmentTarget(part))
  }

  /// What a method of a collection of objects does with them: a key path reads them.
  private func elementAction(_ parts: [Ref], _ next: Int, _ isCall: Bool) -> ManagedTouch.Action? {
    guard isCall, let argument = child(parts[next + 1], .argument),
      let value = child(argument, .expression), let chain = child(value, .chain),
      let path = child(chain, .keyPath), !Words.threadSafeMembers.contains(name(path))
    else { return nil }
    return .touches
  }

  private func wholeAction(_ chain: Ref, _ isContext: Bool) -> ManagedTouch.Action? {
    guard let expression = parent(chain), kind(expression) == .expression,
      let argument = parent(expression), kind(argument) == .argument, let call = parent(argument),
      kind(call) == .call
    else { return nil }
    let rest = children(expression).filter {
      kind($0) != .tryMark && kind($0) != .awaitMark && kind($0) != .cast
    }
    guard rest == [chain] else { return nil }
    switch callTarget(call) {
    case .initializer(let type, let candidates):
      if managedModel(in: .declared(type)) != nil {
        return isContext && argument == contextArgument(of: call) ? .touches : nil
      }
      return candidates.isEmpty ? nil : .passes(call: call, argument: argument)
    case .functions: return .passes(call: call, argument: argument)
    case .externalMethod(let receiver, _):
      return !isContext && isManagedContext(receiver) ? .touches : nil
    case .unknownMethod("insertNewObject"): return isContext ? .touches : nil
    default:
      return calledName(call) == "insertNewObject" && isContext ? .touches : nil
    }
  }

  private func contextArgument(of call: Ref) -> Ref? {
    children(call, .argument).first {
      isManagedContext(type(of: $0)) || Words.contextLabels.contains(label($0))
    }
  }

  // MARK: What functions do with what they get

  func findTouchingQueues(in body: Ref, _ parameter: Ref?) -> Set<PlaceQueue> {
    let executor = parameter.map { ContextExecutor.parameter($0) } ?? .receiver
    var found: Set<PlaceQueue> = []
    for touch in answer(TouchesInFile(file: Int(body.file)))
    where isOf(executor, touch.executors) && contains(body, touch.place)
      && !leaves(body, touch.place)
    {
      found.formUnion(queues(of: touch, in: body))
    }
    return found
  }

  /// Whether something surely has an executor, where a caller gives that executor.
  private func isOf(_ executor: ContextExecutor, _ executors: ContextExecutors) -> Bool {
    executors.preferring {
      if case .parameter(let parameter) = $0 { return $0 == executor && mayBeLeftOut(parameter) }
      return false
    }.only == executor
  }

  /// Where the function that a touch calls touches the value itself on a queue.
  func placeInside(_ touch: ManagedTouch, on queue: PlaceQueue, depth: Int = 0) -> Ref? {
    guard isWithin(depth, .touchCalls) else { return nil }
    let body: Ref?
    var executor = ContextExecutor.receiver
    switch touch.action {
    case .touches: return nil
    case .asks(let bodies): body = bodies.first
    case .passes(let call, let argument):
      guard let id = functions(calledBy: call).first(where: { functions[$0].body != nil }),
        let parameter = parameter(of: functions[id], taking: argument, in: call)
      else { return nil }
      body = functions[id].ref
      executor = .parameter(Ref(file: Int(functions[id].ref.file), node: parameter.node))
    }
    guard let body else { return nil }
    let inner = answer(TouchesInFile(file: Int(body.file))).filter {
      isOf(executor, $0.executors) && contains(body, $0.place)
        && queues(of: $0, in: body).contains(queue)
    }
    return inner.first { $0.action == .touches }?.place
      ?? inner.lazy.compactMap { touch -> Ref? in
        let isDeeper = self.queuesBehind(touch).contains(queue)
        return self.placeInside(touch, on: isDeeper ? queue : .here, depth: depth + 1)
      }.first
  }

  /// Whether a closure of a body runs a place elsewhere, which is no mistake of the body's callers.
  private func leaves(_ body: Ref, _ place: Ref) -> Bool {
    closure(moving: place).map { contains(body, $0) } ?? false
  }

  /// The queues on which what a touch begins is touched, `.here` for the queue of its body.
  func queues(of touch: ManagedTouch, in body: Ref) -> Set<PlaceQueue> {
    var queue = queue(at: touch.place)
    if queue == .callers(body) { queue = .here }
    return Set(queuesBehind(touch).map { $0 == .here ? queue : $0 })
  }

  /// The queues of a touch, `.here` for the queue of its place.
  func queuesBehind(_ touch: ManagedTouch) -> Set<PlaceQueue> {
    switch touch.action {
    case .touches: return [.here]
    case .asks(let bodies):
      let all = bodies.map { answer(TouchingQueues(body: $0, parameter: nil)).notContexts }
      return common(all)
    case .passes(let call, let argument):
      let all = functions(calledBy: call).filter { functions[$0].body != nil }.map {
        id -> Set<PlaceQueue> in
        guard let parameter = parameter(of: functions[id], taking: argument, in: call) else {
          return []
        }
        let place = Ref(file: Int(functions[id].ref.file), node: parameter.node)
        return answer(TouchingQueues(body: functions[id].ref, parameter: place)).notContexts
      }
      return common(all)
    }
  }

  /// What holds whichever of several functions is called.
  private func common(_ all: [Set<PlaceQueue>]) -> Set<PlaceQueue> {
    guard let first = all.first else { return [] }
    return all.dropFirst().reduce(first) { $0.intersection($1) }
  }
}

extension Set<PlaceQueue> {
  /// The queues in an order that is the same in every run.
  var inOrder: [PlaceQueue] {
    sorted {
      ($0.rank, $0.body ?? Ref(file: 0, node: 0)) < ($1.rank, $1.body ?? Ref(file: 0, node: 0))
    }
  }

  /// Those that aren't the queue of a context, or unknown.
  fileprivate var notContexts: Set<PlaceQueue> {
    filter { queue in
      switch queue {
      case .main, .elsewhere, .apart, .here: true
      case .context, .callers, .unknown: false
      }
    }
  }
}
