import PersistSyntax

/// An identifier as a 64-bit hash of its bytes, backticks left out; equal texts give equal names.
package struct Name: Hashable, Sendable, ExpressibleByStringLiteral {
  package let hash: UInt64

  /// The name of nothing.
  package static let none = Name(hash: 0)

  private init(hash: UInt64) { self.hash = hash }

  /// Hashes a text.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Name(bytes: $0) }
  }

  package init(stringLiteral value: StaticString) {
    self = value.withUTF8Buffer { Name(bytes: $0) }
  }

  /// Hashes the bytes of an identifier, eight at a time.
  package init(bytes: UnsafeBufferPointer<UInt8>) {
    var bytes = UnsafeRawBufferPointer(bytes)
    if bytes.count > 1, bytes[0] == UInt8(ascii: "`") {
      bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst().dropLast())
    }
    let count = bytes.count
    var hash = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while count - offset > 8 {
      hash = Self.mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    hash = Self.mix(hash, Self.end(of: bytes))
    self.hash = (hash ^ hash >> 29) | 1
  }

  /// The last bytes, at most eight, in one word; some of them twice.
  @inline(__always)
  private static func end(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    if count >= 8 { return bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) }
    if count >= 4 {
      let low = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let high = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(low) | UInt64(high) << 32
    }
    guard count > 0 else { return 0 }
    return UInt64(bytes[0]) | UInt64(bytes[count >> 1]) << 8 | UInt64(bytes[count - 1]) << 16
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ mixed >> 32
  }

  /// Feeds the hash that the name already is.
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// What tables ask for: two multiplications in place of a hasher.
  package func _rawHashValue(seed: Int) -> Int { hash.scattered(seed) }
}

extension UInt64 {
  /// A number for a table, which differs from table to table.
  @inline(__always)
  func scattered(_ seed: Int) -> Int {
    var mixed = (self ^ UInt64(truncatingIfNeeded: seed)) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 32) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed ^ mixed >> 29)
  }
}

extension Outline {
  /// The name that a token spells.
  package func name(ofToken index: Int) -> Name {
    let token = tokens[index]
    return Name(
      bytes: UnsafeBufferPointer(
        rebasing: text.bytes[Int(token.offset)..<min(token.end, text.count)]))
  }

  /// The name of a node, or `.none`.
  package func name(of node: Int) -> Name {
    let token = nodes[node].name
    return token == Node.noToken ? .none : name(ofToken: Int(token))
  }

  /// The names that the tokens of a node spell.
  package func tokenNames(of node: Int) -> [Name] {
    (Int(nodes[node].first)..<Int(nodes[node].end)).compactMap {
      tokens[$0].kind == .identifier ? name(ofToken: $0) : nil
    }
  }
}
