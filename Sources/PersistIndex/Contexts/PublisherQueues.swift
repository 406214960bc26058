import PersistSyntax

/// The queues on which the publisher that a function gives hands on what it has.
private struct QueuesOfPublisherGiven: Query {
  let body: Ref

  static var provisional: Set<PlaceQueue> { [] }
  func answer(in program: Program) -> Set<PlaceQueue> {
    program.findQueues(ofPublisherGivenBy: body)
  }
}

/// The queues on which the publisher that a local holds hands on what it has.
private struct QueuesOfPublisherHeld: Query {
  let local: Ref

  static var provisional: Set<PlaceQueue> { [] }
  func answer(in program: Program) -> Set<PlaceQueue> {
    program.findQueues(ofPublisherHeldBy: local)
  }
}

// MARK: - Publishers that functions, closures and futures make

extension Program {
  /// The queue of what a publisher hands on that code makes on the way: one that is surely off the
  /// main queue, if one of the ways leads there; nil where the sources don't tell.
  func queue(ofMade parts: [Ref]) -> PlaceQueue? {
    guard let first = parts.first, usesCombine(first) else { return nil }
    let found = queues(ofPublisher: parts)
    if found.contains(.elsewhere) { return .elsewhere }
    return found.count == 1 && found != [.unknown] ? found.first : nil
  }

  /// Whether `Future` and the operators are those of Combine, and not of a library of that kind.
  private func usesCombine(_ place: Ref) -> Bool {
    let file = files[Int(place.file)]
    return ["Combine", "OpenCombine", "SwiftUI"].contains { file.imports($0) }
  }

  /// The queues on which a publisher may hand on what it has, `.here` where somebody subscribes.
  private func queues(ofPublisher parts: [Ref]) -> Set<PlaceQueue> {
    let plain = parts.filter { kind($0) != .optionalChain && kind($0) != .force }
    guard let last = plain.last else { return [.unknown] }
    guard kind(last) == .call else {
      if let id = publishingProperty(at: last) {
        return properties[id].isComputed
          ? queues(ofGetter: id) : [answer(QueueOfPublisher(property: id))]
      }
      if plain.count == 1, kind(last) == .name, case .local(let local)? = declared(last) {
        return answer(QueuesOfPublisherHeld(local: local))
      }
      return [.unknown]
    }
    return queues(ofPublisher: last, Array(plain.dropLast(2)))
  }

  /// The queues of what a call gives that is asked of a publisher, or of nothing.
  private func queues(ofPublisher call: Ref, _ before: [Ref]) -> Set<PlaceQueue> {
    let name = calledName(call)
    if case .functions = callTarget(call) {
      let bodies = functions(calledBy: call).filter { functions[$0].body != nil }
      guard !bodies.isEmpty, bodies.allSatisfy({ isPublisher(resultType($0)) }) else {
        return [.unknown]
      }
      return bodies.reduce(into: []) {
        $0.formUnion(answer(QueuesOfPublisherGiven(body: functions[$1].ref)))
      }
    }
    if case .externalInitializer(let type) = callTarget(call) {
      if Words.immediatePublishers.contains(where: { type.isExternal($0) }) { return [.here] }
      return type.isExternal("Future") && usesCombine(call) ? queues(ofPromiseIn: call) : [.unknown]
    }
    switch name {
    case "receive", "debounce", "throttle", "delay":
      return [queue(ofSchedulerIn: call) ?? .unknown]
    case "dataTaskPublisher": return [sessionQueue(call) ?? .unknown]
    case "publisher" where argument(call, "for") != nil: return [queue(ofNotificationFrom: call)]
    case _ where Words.replacingOperators.contains(name):
      let around = queues(ofPublisher: before)
      guard let closure = arguments(call).lazy.compactMap({ self.closure(of: $0) }).first else {
        return around.union([.unknown])
      }
      let made = queues(givenBy: closure)
      return made.contains(.here) ? made.subtracting([.here]).union(around) : made.union(around)
    case _ where Words.synchronousOperators.contains(name): return queues(ofPublisher: before)
    default: return [.unknown]
    }
  }

  // MARK: What code makes

  private func queues(ofGetter id: PropertyID) -> Set<PlaceQueue> {
    guard let node = properties[id].accessors else { return [.unknown] }
    let accessors = children(Ref(file: Int(properties[id].ref.file), node: node), .accessor)
    guard let getter = accessors.first(where: { ["", "get"].contains(nameText($0)) }) else {
      return [.unknown]
    }
    return answer(QueuesOfPublisherGiven(body: getter))
  }

  fileprivate func findQueues(ofPublisherGivenBy body: Ref) -> Set<PlaceQueue> {
    child(body, .block).map { queues(givenBy: $0) } ?? [.unknown]
  }

  fileprivate func findQueues(ofPublisherHeldBy local: Ref) -> Set<PlaceQueue> {
    guard kind(local) == .boundName, let binding = parent(local), kind(binding) == .binding,
      let value = child(binding, .expression)
    else { return [.unknown] }
    return queues(ofPublisherIn: value)
  }

  /// The queues of the publishers that a body returns.
  private func queues(givenBy body: Ref) -> Set<PlaceQueue> {
    let holder = kind(body) == .closure ? body : parent(body) ?? body
    let given = results(of: body).filter {
      kind($0) == .expression && (enclosingBody($0) == holder || parent($0) == body)
    }
    guard !given.isEmpty else { return [.unknown] }
    return given.reduce(into: []) { $0.formUnion(queues(ofPublisherIn: $1)) }
  }

  private func queues(ofPublisherIn value: Ref) -> Set<PlaceQueue> {
    let parts = children(value).filter { ![.tryMark, .awaitMark, .cast].contains(kind($0)) }
    guard parts.count == 1, kind(parts[0]) == .chain else { return [.unknown] }
    return queues(ofPublisher: children(parts[0]))
  }

  /// The queues on which a future's closure keeps its promise.
  private func queues(ofPromiseIn call: Ref) -> Set<PlaceQueue> {
    guard let closure = arguments(call).lazy.compactMap({ self.closure(of: $0) }).first else {
      return [.unknown]
    }
    let promises = descendants(closure, .name).filter { name in
      switch declared(name) {
      case .local(let local)?:
        kind(local) == .parameter && parent(local).flatMap { parent($0) } == closure
      case .closureArgument(let holder, 0)?: holder == closure
      default: false
      }
    }
    guard !promises.isEmpty else { return [.unknown] }
    return promises.reduce(into: []) { found, promise in
      guard let chain = parent(promise), children(chain).count > 1,
        kind(children(chain)[1]) == .call
      else {
        found.insert(.unknown)
        return
      }
      let moving = self.closure(moving: promise)
      guard let moving, moving != closure, contains(closure, moving) else {
        found.insert(.here)
        return
      }
      found.insert(answer(QueueOfClosure(closure: moving)))
    }
  }

  /// The innermost closure around a place that runs elsewhere than the code around it.
  private func closure(moving place: Ref) -> Ref? {
    ancestors(place).first { scope in
      kind(scope) == .closure && answer(QueueOfClosure(closure: scope)) != .here
        && !(child(scope, .captures).map { contains($0, place) } ?? false)
    }
  }
}
