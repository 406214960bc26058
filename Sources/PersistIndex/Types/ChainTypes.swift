import PersistSyntax

/// The type of a chain up to and with one of its parts.
///
/// Each is found from the one before it. A member that is called right behind it changes nothing,
/// because the call gives the type.
struct ChainStart: Query {
  /// What is known behind a part.
  struct State: Equatable {
    var type = SwiftType.unknown
    /// Whether the chain may have ended at a `?` before.
    var isChained = false

    /// The type of a chain that ends here.
    var whole: SwiftType {
      isChained && type != .unknown && type.unwrapped == type ? .optional(type) : type
    }
  }

  let part: Ref

  func _rawHashValue(seed: Int) -> Int { part._rawHashValue(seed: seed) }
  static var provisional: State { State() }
  static func memo(in program: Program) -> Memo<Self> { program.chainStarts }
  func answer(in program: Program) -> State { program.findState(behind: part) }
}

extension Program {
  /// The type of a chain up to and without one of its suffixes, or of all of it.
  package func type(ofChain ref: Ref, upTo limit: Ref?) -> SwiftType {
    limit == nil ? type(of: ref) : state(ofChain: ref, upTo: limit).whole
  }

  /// The type of the value whose method is called, inside of a chain that may end at a `?` before it.
  func receiverInChain(ofCall call: Ref) -> SwiftType {
    guard let node = calledNode(call), kind(node) == .member, let chain = parent(call) else {
      return .unknown
    }
    return state(ofChain: chain, upTo: node).type
  }

  /// What is known behind a chain's last part, or the last one before a limit.
  func state(ofChain ref: Ref, upTo limit: Ref?) -> ChainStart.State {
    if let limit, let known = knownState(ofChain: ref, before: limit) { return known }
    let parts = children(ref, atMost: Limit.chainParts.count)
    let end = limit.flatMap { parts.firstIndex(of: $0) }
    guard end != nil || isWithin(parts.count, .chainParts),
      let last = parts.prefix(end ?? parts.count).last
    else { return ChainStart.State() }
    // From the front, so that none waits for all before it.
    var before = ChainStart.State()
    for part in parts.prefix(end ?? parts.count).dropLast() {
      before = answer(ChainStart(part: part))
    }
    guard let limit, kind(limit) == .call, kind(last) == .member, last != parts[0] else {
      return answer(ChainStart(part: last))
    }
    before.type = type(ofMember: name(last), of: before.type)
    return before
  }

  /// The same, where it has been found out before.
  private func knownState(ofChain ref: Ref, before limit: Ref) -> ChainStart.State? {
    let view = view(ref)
    let end = view.end(ofSubtree: Int(ref.node))
    var next = Int(ref.node) + 1
    var parts: (before: Int?, last: Int?) = (nil, nil)
    var count = 0
    while next != Int(limit.node) {
      guard next < end, count < Limit.chainParts.count else { return nil }
      count += 1
      parts = (parts.last, next)
      next = view.end(ofSubtree: next)
    }
    guard count < Limit.chainParts.count, let last = parts.last else { return nil }
    guard kind(limit) == .call, view[node: last].kind == .member, let before = parts.before else {
      return chainStarts.answers[ChainStart(part: Ref(file: Int(ref.file), node: last))]
    }
    let member = Ref(file: Int(ref.file), node: last)
    return chainStarts.answers[ChainStart(part: Ref(file: Int(ref.file), node: before))].map {
      var state = $0
      state.type = type(ofMember: name(member), of: state.type)
      return state
    }
  }

  fileprivate func findState(behind part: Ref) -> ChainStart.State {
    guard let before = sibling(before: part) else { return ChainStart.State(type: type(of: part)) }
    if sibling(before: before) == nil, let member = typeOfModule(before, part) {
      return ChainStart.State(type: .metatype(declaredType(member)))
    }
    var state = answer(ChainStart(part: before))
    switch kind(part) {
    case .member:
      if !isCalled(part) { state.type = type(ofMember: name(part), of: state.type) }
    case .call: state.type = resultType(ofCall: part)
    case .subscriptSuffix: state.type = type(ofSubscript: part, of: state.type)
    case .optionalChain:
      state.isChained = true
      state.type = state.type.unwrapped
    case .force: state.type = state.type.unwrapped
    default: state.type = .unknown
    }
    return state
  }

  /// Whether a call stands right behind a part of a chain.
  private func isCalled(_ part: Ref) -> Bool {
    let view = view(part)
    let next = view.end(ofSubtree: Int(part.node))
    return next < view.count && view[node: next].parent == view[node: Int(part.node)].parent
      && view[node: next].kind == .call
  }
}
