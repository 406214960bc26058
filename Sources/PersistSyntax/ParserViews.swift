// What the parser reads and writes, as plain pointers: a look ahead copies the parser, which must
// not count references.

/// The bytes of a text that someone else keeps alive.
struct TextView {
  let start: UnsafePointer<UInt8>
  let count: Int

  init(_ text: SourceText) {
    start = text.start
    count = text.count
  }

  /// Whether the bytes of a token begin and end so.
  func token(_ token: Token, beginsWith prefix: StaticString, endsWith suffix: StaticString) -> Bool
  {
    let length = token.length
    guard length >= prefix.utf8CodeUnitCount + suffix.utf8CodeUnitCount else { return false }
    return isEqual(prefix, at: Int(token.offset))
      && isEqual(suffix, at: token.end - suffix.utf8CodeUnitCount)
  }

  /// Whether the bytes of a token are these.
  func token(_ token: Token, is word: StaticString) -> Bool {
    token.length == word.utf8CodeUnitCount && isEqual(word, at: Int(token.offset))
  }

  private func isEqual(_ text: StaticString, at offset: Int) -> Bool {
    for index in 0..<text.utf8CodeUnitCount
    where start[offset + index] != text.utf8Start[index] {
      return false
    }
    return true
  }
}

/// The tokens of a list that someone else keeps alive.
struct TokenView {
  private let start: UnsafePointer<Token>
  let count: Int

  init(_ list: TokenList) {
    start = list.start
    count = list.count
  }

  /// The token at an index; any index outside gives the end of file.
  @inline(__always)
  subscript(index: Int) -> Token {
    start[index >= 0 && index < count ? index : count - 1]
  }
}

/// The nodes made so far.
struct NodeBuffer {
  private var start: UnsafeMutablePointer<Node>
  private(set) var count = 0
  private var capacity: Int
  /// False in a look ahead, which must not free what the parser goes on with.
  private var ownsMemory = true

  init(capacity: Int) {
    self.capacity = max(16, capacity)
    start = .allocate(capacity: self.capacity)
  }

  /// The same nodes for a look ahead.
  var borrowed: NodeBuffer {
    var copy = self
    copy.ownsMemory = false
    return copy
  }

  @inline(__always)
  subscript(index: Int) -> Node {
    get { start[index] }
    nonmutating _modify { yield &start[index] }
  }

  @inline(__always)
  mutating func append(_ node: Node) {
    if count == capacity { grow() }
    (start + count).initialize(to: node)
    count += 1
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity * 2)
    larger.update(from: start, count: count)
    if ownsMemory { start.deallocate() }
    start = larger
    capacity *= 2
    ownsMemory = true
  }

  /// Makes room for more nodes, which the caller fills; the index of the first.
  mutating func extend(by more: Int) -> Int {
    let first = count
    while count + more > capacity { grow() }
    count += more
    return first
  }

  /// The nodes in memory of about their number; frees what else the buffer has.
  mutating func take() -> NodeList {
    guard ownsMemory, capacity - count > count / 2 else {
      return NodeList(start, count: count, isOwned: ownsMemory)
    }
    defer { start.deallocate() }
    return NodeList(start, count: count, isOwned: false)
  }
}

/// The recorded parts of a type; copies share them.
struct TypeParts {
  private struct Buffer {
    var start: UnsafeMutablePointer<Node>
    var count: Int
    var capacity: Int
  }

  private let buffer: UnsafeMutablePointer<Buffer>

  init() {
    buffer = .allocate(capacity: 1)
    buffer.initialize(to: Buffer(start: .allocate(capacity: 64), count: 0, capacity: 64))
  }

  var count: Int { buffer.pointee.count }

  @inline(__always)
  subscript(index: Int) -> Node {
    get { buffer.pointee.start[index] }
    nonmutating _modify { yield &buffer.pointee.start[index] }
  }

  @inline(__always)
  func append(_ node: Node) {
    if buffer.pointee.count == buffer.pointee.capacity { grow() }
    (buffer.pointee.start + buffer.pointee.count).initialize(to: node)
    buffer.pointee.count += 1
  }

  private func grow() {
    let old = buffer.pointee
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: old.capacity * 2)
    larger.update(from: old.start, count: old.count)
    old.start.deallocate()
    buffer.pointee = Buffer(start: larger, count: old.count, capacity: old.capacity * 2)
  }

  /// Leaves out the parts from an index on.
  @inline(__always)
  func remove(from index: Int) {
    buffer.pointee.count = min(buffer.pointee.count, index)
  }

  func deallocate() {
    buffer.pointee.start.deallocate()
    buffer.deallocate()
  }
}
