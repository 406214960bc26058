import PersistSyntax

/// Whose queue runs what a publisher that a property is or holds hands on.
struct QueueOfPublisher: Query {
  let property: PropertyID

  static var provisional: PlaceQueue { .unknown }
  func answer(in program: Program) -> PlaceQueue { program.findQueue(ofPublisher: property) }
}

/// Whose queue runs the observers of a notification of the sources.
private struct QueueOfPosts: Query {
  let name: Name

  static var provisional: PlaceQueue { .unknown }
  func answer(in program: Program) -> PlaceQueue { program.findQueue(ofPosts: name) }
}

/// Where the values of a publisher come from.
private enum PublisherSource {
  /// A subject, a publisher, or the property that `$` stands before.
  case property(PropertyID)
  /// `publisher(for:)` of the notification center.
  case notification(Ref)
  /// A request of a session.
  case request(Ref)
}

// MARK: - Queues of publishers

extension Program {
  /// Whose queue runs the closure of an operator or of `sink`; nil where it is asked of no
  /// publisher that the sources tell.
  func queue(ofOperator call: Ref) -> PlaceQueue? {
    guard let called = calledNode(call), kind(called) == .member, let chain = parent(call) else {
      return nil
    }
    return queue(ofPublisher: children(chain).filter { $0 < called })
  }

  /// The queue of one of RxSwift's schedulers.
  func queue(ofScheduler chain: Ref) -> PlaceQueue? {
    guard let head = children(chain).first, kind(head) == .name else { return nil }
    var type = name(head)
    if declared(head) != nil {
      guard let made = declaredValue(head) else { return nil }
      let inner = kind(made) == .chain ? made : child(made, .chain) ?? made
      guard let first = children(inner).first, kind(first) == .name, declared(first) == nil else {
        return nil
      }
      type = name(first)
    }
    switch type {
    case "MainScheduler", "ConcurrentMainScheduler": return .main
    case "ConcurrentDispatchQueueScheduler", "OperationQueueScheduler": return .elsewhere
    case "SerialDispatchQueueScheduler":
      return children(chain).contains { argument($0, "queue") != nil } ? nil : .elsewhere
    default: return nil
    }
  }

  private func queue(ofPublisher parts: [Ref]) -> PlaceQueue? {
    for part in parts.reversed() where kind(part) == .call {
      let name = calledName(part)
      switch name {
      case "receive":
        guard let queue = argument(part, "on") else { return nil }
        return self.queue(named: queue) ?? .unknown
      case "observe", "observeOn":
        guard
          let queue = argument(part, "on")
            ?? arguments(part).first.flatMap({
              children($0).first
            })
        else { return nil }
        return self.queue(named: queue) ?? .unknown
      case "debounce", "throttle", "delay":
        guard let queue = argument(part, "scheduler") else { return nil }
        return self.queue(named: queue) ?? .unknown
      case "publisher", "dataTaskPublisher": break
      case _ where Words.synchronousOperators.contains(name): break
      default: return queue(ofMade: parts)
      }
    }
    switch publisherSource(parts) {
    case .property(let id)?: return answer(QueueOfPublisher(property: id))
    case .notification(let call)?: return queue(ofNotificationFrom: call)
    case .request(let call)?: return sessionQueue(call) ?? .unknown
    case nil: return queue(ofMade: parts)
    }
  }

  /// The queue of a scheduler that a call takes.
  func queue(ofSchedulerIn call: Ref) -> PlaceQueue? {
    let label: Name =
      ["debounce", "throttle", "delay"].contains(calledName(call)) ? "scheduler" : "on"
    return argument(call, label).flatMap { queue(named: $0) }
  }

  private func publisherSource(_ parts: [Ref]) -> PublisherSource? {
    let plain = parts.filter { kind($0) != .optionalChain && kind($0) != .force }
    guard let first = plain.firstIndex(where: { kind($0) == .call }) else {
      return plain.last.flatMap { publisher(at: $0) }
    }
    switch calledName(plain[first]) {
    case "publisher" where argument(plain[first], "for") != nil:
      return .notification(plain[first])
    case "dataTaskPublisher": return .request(plain[first])
    case _ where first > 1: return publisher(at: plain[first - 2])
    default: return nil
    }
  }

  /// The property that a node names, where it is or holds a publisher.
  func publishingProperty(at part: Ref) -> PropertyID? {
    if case .property(let id)? = publisher(at: part) { return id }
    return nil
  }

  private func publisher(at part: Ref) -> PublisherSource? {
    guard kind(part) == .name || kind(part) == .member else { return nil }
    if nameText(part).hasPrefix("$") {
      return propertyPublished(by: part).map { .property($0) }
    }
    let id: PropertyID? =
      switch kind(part) == .name ? declared(part) : nil {
      case .property(let own)?: own
      default: property(usedBy: part)
      }
    guard let id, isPublisher(type(ofProperty: id)) else { return nil }
    return .property(id)
  }

  func isPublisher(_ type: SwiftType) -> Bool {
    Words.publisherTypes.contains { type.isExternal($0) }
  }

  fileprivate func findQueue(ofPublisher id: PropertyID) -> PlaceQueue {
    let file = Int(properties[id].ref.file)
    let type = type(ofProperty: id)
    guard isPublisher(type) else {
      // What has `$` before it is told of each value that it gets.
      let set = uses(of: [properties[id].name]).filter { use in
        isAssignmentTarget(use) && property(usedBy: use) == id && !isExempt(use)
          && !isInInitializer(use)
      }
      return commonQueue(of: set)
    }
    if type.isExternal("PassthroughSubject") || type.isExternal("CurrentValueSubject") {
      return commonQueue(of: sends(to: id))
    }
    var value = properties[id].initializer.map { Ref(file: file, node: $0) }
    if let node = properties[id].accessors {
      let accessors = children(Ref(file: file, node: node), .accessor)
      value = accessors.first { ["", "get"].contains(nameText($0)) }.flatMap { child($0, .block) }
        .flatMap { statements(in: $0).count == 1 ? child($0, .expression) : nil }
    }
    guard let value, let chain = kind(value) == .chain ? value : child(value, .chain) else {
      return .unknown
    }
    return queue(ofPublisher: children(chain)) ?? .unknown
  }

  /// The calls that send something to a subject.
  func sends(to id: PropertyID) -> [Ref] {
    calls(named: "send").filter { call in
      guard !isExempt(call), let called = calledNode(call), kind(called) == .member,
        let chain = parent(call),
        let holder = children(chain).last(where: { $0 < called && kind($0) != .optionalChain })
      else { return false }
      return property(usedBy: holder) == id || declared(holder) == .property(id)
    }
  }

  private func isInInitializer(_ place: Ref) -> Bool {
    ancestors(place).first { [.functionDecl, .initDecl, .accessor, .closure].contains(kind($0)) }
      .map { kind($0) == .initDecl } ?? false
  }

  // MARK: Notifications

  /// Whose queue runs the observer that a call registers: that of the code which posts.
  func queue(ofNotificationFrom call: Ref) -> PlaceQueue {
    let name = argument(call, "forName") ?? argument(call, "name") ?? argument(call, "for")
    guard let name, let chain = kind(name) == .chain ? name : child(name, .chain),
      let last = children(chain).last(where: { kind($0) != .call }),
      [.name, .member, .implicitMember].contains(kind(last))
    else { return .unknown }
    if Words.backgroundNotifications.contains(self.name(last)) { return .elsewhere }
    if Words.contextNotifications.contains(self.name(last)) {
      return argument(call, "object") == nil ? .unknown : .context
    }
    if Words.mainNotificationPosters.contains(self.name(children(chain)[0])),
      last != children(chain)[0]
    {
      return .main
    }
    return answer(QueueOfPosts(name: self.name(last)))
  }

  fileprivate func findQueue(ofPosts name: Name) -> PlaceQueue {
    let isOwn = properties(inFilesUsing: name).contains {
      properties[$0].name == name && properties[$0].isStatic
    }
    guard isOwn else { return .unknown }
    let posts = calls(named: "post").filter { call in
      guard !isExempt(call), let given = argument(call, "name") else { return false }
      let chain = kind(given) == .chain ? given : child(given, .chain)
      return chain.flatMap { children($0).last }.map { self.name($0) == name } ?? false
    }
    let named = uses(of: [name]).filter { use in
      let call = callTakingArgument(around: use)
      return !isExempt(use) && !(call.map { Self.listening.contains(calledName($0)) } ?? false)
    }
    return named.count == posts.count ? commonQueue(of: posts) : .unknown
  }

  /// The calls by which code asks to hear of notifications, or no longer to.
  private static let listening: Set<Name> = [
    "addObserver", "removeObserver", "publisher", "notifications",
  ]

  private func callTakingArgument(around use: Ref) -> Ref? {
    guard let chain = parent(use), let expression = parent(chain),
      let argument = parent(expression),
      kind(argument) == .argument
    else { return nil }
    return parent(argument)
  }

  /// The call that is given a selector in which a name stands.
  func callTaking(selector use: Ref) -> Ref? {
    guard let macro = callTakingArgument(around: use), let called = calledNode(macro),
      kind(called) == .macro,
      name(called) == "selector", let chain = parent(macro), let expression = parent(chain),
      let argument = parent(expression), kind(argument) == .argument
    else { return nil }
    return parent(argument).flatMap { kind($0) == .call ? $0 : nil }
  }

  /// Whose queue runs a method that a call is told by its selector.
  func queue(ofSelectorIn call: Ref) -> PlaceQueue {
    calledName(call) == "addObserver" ? queue(ofNotificationFrom: call) : .unknown
  }

  // MARK: Common queues

  /// The queue on which all of some places run, seen through their callers.
  private func commonQueue(of places: [Ref]) -> PlaceQueue {
    var seen: Set<Ref> = []
    var open = places.map { ($0, queue(at: $0)) }
    var found: PlaceQueue?
    while let (_, queue) = open.popLast() {
      if case .callers(let body) = queue {
        guard seen.insert(body).inserted else { continue }
        let callers = self.places(calling: body)
        guard isWithin(seen.count, .senders), !callers.isOpen, !callers.sites.isEmpty else {
          return .unknown
        }
        open += callers.sites.filter { !isExempt($0.place) }.map { ($0.place, $0.queue) }
        continue
      }
      guard found == nil || found == queue else { return .unknown }
      found = queue
    }
    return found ?? .unknown
  }
}
