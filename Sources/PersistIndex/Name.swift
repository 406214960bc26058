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

  package init(stringLiteral value: String) { self.init(value) }

  /// Hashes the bytes of an identifier, eight at a time.
  package init(bytes: UnsafeBufferPointer<UInt8>) {
    var bytes = UnsafeRawBufferPointer(bytes)
    if bytes.count > 1, bytes[0] == UInt8(ascii: "`") {
      bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst().dropLast())
    }
    var hash = UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while bytes.count - offset >= 8 {
      hash = Self.mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    hash = Self.mix(hash, rest)
    self.hash = (hash ^ hash >> 29) | 1
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ mixed >> 32
  }

  /// Feeds the hash that the name already is.
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
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

  /// The label of an argument or parameter, or `.none`.
  package func label(of node: Int) -> Name {
    let token = nodes[node].label
    return token == Node.noToken ? .none : name(ofToken: Int(token))
  }
}
