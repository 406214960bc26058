/// A type as it is written, taken apart.
indirect enum TypeName: Hashable {
  /// `A.B<C>`: the names, and the generic arguments of the last one.
  case named([String], [TypeName])
  case optional(TypeName)
  case array(TypeName)
  case dictionary(TypeName, TypeName)
  /// A tuple, a function or whatever else; by its text.
  case other(String)

  init(_ part: Part) {
    var text = ""
    for token in part.tokenTexts {
      if let last = text.utf8.last, let next = token.utf8.first, last.isWord, next.isWord {
        text += " "
      }
      text += token
    }
    self.init(text)
  }

  init(_ text: String) {
    var reader = TypeNameReader(rest: Array(text.utf8)[...])
    let type = reader.read()
    self = reader.rest.isEmpty ? type : .other(text)
  }

  /// The text of the type in its usual spelling.
  var text: String {
    switch self {
    case .named(let names, let arguments):
      names.joined(separator: ".")
        + (arguments.isEmpty ? "" : "<\(arguments.map(\.text).joined(separator: ", "))>")
    case .optional(let type): type.text + "?"
    case .array(let type): "[\(type.text)]"
    case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
    case .other(let text): text
    }
  }
}

extension UInt8 {
  /// Whether the byte may belong to a name; what isn't ASCII does.
  fileprivate var isWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

/// Reads a type from its bytes.
private struct TypeNameReader {
  var rest: ArraySlice<UInt8>
  var depth = 0

  mutating func read() -> TypeName {
    depth += 1
    defer { depth -= 1 }
    guard depth < Limit.typeDepth.count else { return other() }
    skipSpace()
    var type = readPrimary()
    while let next = rest.first {
      if next == UInt8(ascii: "?") || next == UInt8(ascii: "!") {
        rest.removeFirst()
        if case .optional = type { continue }
        type = .optional(type)
      } else if next == UInt8(ascii: "&") || next == UInt8(ascii: "-") || next == UInt8(ascii: ".")
      {
        return other()
      } else {
        break
      }
    }
    return type
  }

  private mutating func readPrimary() -> TypeName {
    guard let next = rest.first else { return .other("") }
    if next == UInt8(ascii: "[") { return readBrackets() }
    if next == UInt8(ascii: "(") {
      rest.removeFirst()
      let inner = read()
      skipSpace()
      guard rest.first == UInt8(ascii: ")") else { return other() }
      rest.removeFirst()
      return inner
    }
    guard next.isWord || next == UInt8(ascii: "`") else { return other() }
    return readNamed()
  }

  private mutating func readBrackets() -> TypeName {
    rest.removeFirst()
    let element = read()
    skipSpace()
    if rest.first == UInt8(ascii: ":") {
      rest.removeFirst()
      let value = read()
      skipSpace()
      guard rest.first == UInt8(ascii: "]") else { return other() }
      rest.removeFirst()
      return .dictionary(element, value)
    }
    guard rest.first == UInt8(ascii: "]") else { return other() }
    rest.removeFirst()
    return .array(element)
  }

  private mutating func readNamed() -> TypeName {
    var names: [String] = []
    var arguments: [TypeName] = []
    while true {
      let word = rest.prefix { $0.isWord || $0 == UInt8(ascii: "`") }
      let name = String(decoding: word.filter { $0 != UInt8(ascii: "`") }, as: UTF8.self)
      guard !name.isEmpty else { return other() }
      rest = rest[word.endIndex...]
      if name == "any" || name == "some", rest.first == UInt8(ascii: " ") {
        skipSpace()
        continue
      }
      names.append(name)
      if rest.first == UInt8(ascii: "<") {
        guard let list = readArguments() else { return other() }
        arguments = list
      }
      guard rest.first == UInt8(ascii: "."), rest.dropFirst().first?.isWord ?? false else { break }
      rest.removeFirst()
      if !arguments.isEmpty { return other() }
    }
    switch (names.last, arguments.count) {
    case ("Optional", 1): return .optional(arguments[0])
    case ("Array", 1), ("Set", 1): return .array(arguments[0])
    case ("Dictionary", 2): return .dictionary(arguments[0], arguments[1])
    default: return .named(names, arguments)
    }
  }

  private mutating func readArguments() -> [TypeName]? {
    var arguments: [TypeName] = []
    repeat {
      rest.removeFirst()
      arguments.append(read())
      skipSpace()
    } while rest.first == UInt8(ascii: ",")
    guard rest.first == UInt8(ascii: ">") else { return nil }
    rest.removeFirst()
    return arguments
  }

  private mutating func skipSpace() { rest = rest.drop { $0 == UInt8(ascii: " ") } }

  private mutating func other() -> TypeName {
    let text = String(decoding: rest, as: UTF8.self)
    rest = []
    return .other(text)
  }
}
