/// The queries that are being answered, and those whose answers depend on one that is.
struct Queries {
  /// A query that is being answered.
  private struct Frame {
    /// The index of the outermost frame on which its answer depends; its own where on none below.
    var head: Int
    /// Where those begin that came to wait since it was opened.
    let firstWaiting: Int
    var isRead = false
    /// Whether an answer in its cycle differs from what others have read of it.
    var hasChanged = false
    var isCut = false
  }

  /// Neighbors among those that wait, which depend on one head.
  private struct Group {
    let first: Int
    let head: Int
    let isCut: Bool
  }

  /// What becomes of an answer.
  enum Outcome {
    case final
    case waiting(Int)
    case cut(Int)
    /// Another round is needed.
    case unstable
    /// The cycle is one of which nothing is known; what only passes through it is asked anew.
    case abandoned
  }

  private var frames: [Frame] = []
  private var waiting: [(memo: any Answers, key: Any)] = []
  private var groups: [Group] = []
  /// How many queries were asked while none was open, which is the number of the outermost open one.
  private(set) var outermost = 0

  /// How many queries are open.
  var count: Int { frames.count }
  /// Whether an answer that is worked out now is final.
  var isSettled: Bool { frames.isEmpty }
  /// Whether the innermost query depends on one around it or on itself, or was cut short by a limit.
  var isTied: Bool {
    frames.last.map { $0.isCut || $0.isRead || $0.head < frames.count - 1 } ?? false
  }

  /// Opens a query and returns the index of its frame.
  mutating func open() -> Int {
    frames.append(Frame(head: frames.count, firstWaiting: waiting.count))
    return frames.count - 1
  }

  /// Notes that the innermost query depends on an open one.
  mutating func read(openFrame frame: Int) {
    frames[frame].isRead = true
    depend(on: frame)
  }

  /// Notes that the innermost query depends on one that waits.
  mutating func read(waiting index: Int) {
    var low = 0
    var high = groups.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if groups[middle].first <= index { low = middle } else { high = middle }
    }
    guard low < groups.count else { return }
    depend(on: groups[low].head)
    if groups[low].isCut { cutShort() }
  }

  /// Notes that a limit cut the innermost query short.
  mutating func cutShort() {
    if !frames.isEmpty { frames[frames.count - 1].isCut = true }
  }

  private mutating func depend(on head: Int) {
    guard let last = frames.indices.last else { return }
    frames[last].head = min(frames[last].head, head)
  }

  /// Closes the innermost query; `isOther` tells that its answer is not what was read of it while it
  /// was open, `isEmptyInCycles` that nothing is known of a cycle with it.
  mutating func close(isOther: @autoclosure () -> Bool, isEmptyInCycles: Bool) -> Outcome {
    guard let frame = frames.popLast() else { return .final }
    let hasChanged = frame.hasChanged || frame.isRead && isOther()
    if frame.head < frames.count {
      frames[frames.count - 1].hasChanged = frames[frames.count - 1].hasChanged || hasChanged
      frames[frames.count - 1].isCut = frames[frames.count - 1].isCut || frame.isCut
      depend(on: frame.head)
      while let last = groups.last, last.first >= frame.firstWaiting { groups.removeLast() }
      groups.append(Group(first: frame.firstWaiting, head: frame.head, isCut: frame.isCut))
      return .waiting(waiting.count)
    }
    while let last = groups.last, last.first >= frame.firstWaiting { groups.removeLast() }
    let cycle = waiting[frame.firstWaiting...]
    defer {
      if waiting.count > frame.firstWaiting { waiting.removeSubrange(frame.firstWaiting...) }
    }
    if frame.isRead, isEmptyInCycles || cycle.contains(where: { $0.memo.isEmptyInCycles }) {
      for (memo, key) in cycle { memo.abandon(key) }
      return .abandoned
    }
    if hasChanged {
      for (memo, key) in cycle { memo.outdate(key, until: outermost) }
      return .unstable
    }
    defer { if frames.isEmpty { outermost += 1 } }
    if frame.isCut {
      cutShort()
      for (memo, key) in cycle { memo.cut(key, until: outermost) }
      return .cut(outermost)
    }
    for (memo, key) in cycle { memo.settle(key) }
    return .final
  }

  /// Keeps a query whose close said that it waits.
  mutating func wait<Q: Query>(for memo: Memo<Q>, _ key: Q) { waiting.append((memo, key)) }
}
