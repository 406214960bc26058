/// What an XML document is made of, in its order; an empty element begins and ends.
enum XMLEvent: Equatable {
  case begin(String, attributes: [String: String])
  case end(String)
  case text(String)
}

/// Reads the XML of models and property lists: elements, attributes, texts and the five entities of
/// XML itself. Nothing that a document names is read or expanded (https://www.w3.org/TR/xml/).
struct XMLReader {
  /// Elements in elements.
  private static let maximumDepth = 256

  private let bytes: [UInt8]
  private var at = 0
  private var open: [String] = []
  private var sawRoot = false
  /// From 1; of the event that comes last.
  private(set) var line = 1

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// Hands out what stands in a document, with the line at which each begins; gives the line of
  /// the first mistake.
  static func read(_ bytes: [UInt8], _ take: (XMLEvent, _ line: Int) -> Void) -> Int? {
    guard isText(bytes) else { return 1 }
    var reader = XMLReader(bytes)
    return reader.readAll(take) ? nil : reader.line
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    var isASCII = true
    for byte in bytes {
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return false }
      if byte >= 0x80 { isASCII = false }
    }
    if isASCII { return true }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }

  private mutating func readAll(_ take: (XMLEvent, Int) -> Void) -> Bool {
    while at < bytes.count {
      if bytes[at] != UInt8(ascii: "<") {
        guard let text = readText(until: UInt8(ascii: "<")) else { return false }
        if open.isEmpty {
          guard text.allSatisfy(\.isWhitespace) else { return false }
        } else {
          take(.text(text), line)
        }
        count(text)
      } else if starts(with: "<!--") {
        guard skip("<!--", to: "-->") != nil else { return false }
      } else if starts(with: "<?") {
        guard skip("<?", to: "?>") != nil else { return false }
      } else if starts(with: "<![CDATA[") {
        let first = line
        guard !open.isEmpty, let text = skip("<![CDATA[", to: "]]>") else { return false }
        take(.text(String(decoding: text, as: UTF8.self)), first)
      } else if starts(with: "<!DOCTYPE") {
        guard !sawRoot, skipDocumentType() else { return false }
      } else if starts(with: "</") {
        guard readEnd(take) else { return false }
      } else {
        guard readBegin(take) else { return false }
      }
    }
    return sawRoot && open.isEmpty
  }

  private mutating func readBegin(_ take: (XMLEvent, Int) -> Void) -> Bool {
    guard !open.isEmpty || !sawRoot, open.count < Self.maximumDepth else { return false }
    at += 1
    guard let name = readName() else { return false }
    let first = line
    var attributes: [String: String] = [:]
    while true {
      let hasSpace = skipSpace()
      guard at < bytes.count else { return false }
      if bytes[at] == UInt8(ascii: ">") || starts(with: "/>") { break }
      guard hasSpace, let (key, value) = readAttribute() else { return false }
      guard attributes.updateValue(value, forKey: key) == nil else { return false }
    }
    sawRoot = true
    take(.begin(name, attributes: attributes), first)
    if bytes[at] == UInt8(ascii: ">") {
      at += 1
      open.append(name)
    } else {
      at += 2
      take(.end(name), line)
    }
    return true
  }

  private mutating func readEnd(_ take: (XMLEvent, Int) -> Void) -> Bool {
    at += 2
    guard let name = readName(), open.last == name else { return false }
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: ">") else { return false }
    at += 1
    open.removeLast()
    take(.end(name), line)
    return true
  }

  private mutating func readAttribute() -> (String, String)? {
    guard let key = readName() else { return nil }
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return nil }
    at += 1
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
      return nil
    }
    let quote = bytes[at]
    at += 1
    guard let value = readText(until: quote), at < bytes.count else { return nil }
    at += 1
    count(value)
    // Within an attribute a line break reads as a space.
    return (key, String(value.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
  }

  /// The text up to a byte or to the end, its references replaced; nil where one is wrong.
  private mutating func readText(until end: UInt8) -> String? {
    var text: [UInt8] = []
    while at < bytes.count, bytes[at] != end {
      switch bytes[at] {
      case UInt8(ascii: "&"):
        guard let character = readReference() else { return nil }
        text += Array(String(character).utf8)
      case UInt8(ascii: "<"): return nil
      default:
        text.append(bytes[at])
        at += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func readReference() -> Unicode.Scalar? {
    let rest = bytes[at...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: rest[(at + 1)..<end], as: UTF8.self)
    at = end + 1
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let number =
        digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return number.flatMap { Unicode.Scalar($0) }
    }
  }

  private mutating func readName() -> String? {
    let start = at
    while at < bytes.count, Self.isNamePart(bytes[at]) { at += 1 }
    guard at > start, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start]) else {
      return nil
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  @discardableResult private mutating func skipSpace() -> Bool {
    let start = at
    while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) {
      if bytes[at] == 0x0A { line += 1 }
      at += 1
    }
    return at > start
  }

  /// Goes on behind the end of what begins here; what stands between the two.
  private mutating func skip(_ start: StaticString, to end: String) -> ArraySlice<UInt8>? {
    at += start.utf8CodeUnitCount
    let first = at
    let end = Array(end.utf8)
    while at + end.count <= bytes.count {
      if bytes[at] == end[0], bytes[at..<at + end.count].elementsEqual(end) {
        let inner = bytes[first..<at]
        at += end.count
        return inner
      }
      if bytes[at] == 0x0A { line += 1 }
      at += 1
    }
    return nil
  }

  /// What a document type declares is passed over.
  private mutating func skipDocumentType() -> Bool {
    var depth = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
      case 0x0A: line += 1
      default: break
      }
      at += 1
      if depth == 0 { return true }
    }
    return false
  }

  private func starts(with text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at + length <= bytes.count else { return false }
    return text.withUTF8Buffer { bytes[at..<at + length].elementsEqual($0) }
  }

  private mutating func count(_ text: String) {
    for byte in text.utf8 where byte == 0x0A { line += 1 }
  }
}
