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

  /// The nodes in memory of just their number; frees the buffer.
  mutating func take() -> NodeList {
    let nodes = NodeList(copying: start, count: count)
    if ownsMemory { start.deallocate() }
    return nodes
  }
}
