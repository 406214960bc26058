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

  /// Hashes the bytes of an identifier.
  package init(bytes: UnsafeBufferPointer<UInt8>) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes where byte != UInt8(ascii: "`") {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    hash ^= hash >> 32
    hash = hash &* 0xD6E8_FEB8_6659_FD93
    self.hash = (hash ^ hash >> 29) | 1
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
