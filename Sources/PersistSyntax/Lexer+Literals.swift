/// What a search for the end of a raw string on its line has found.
struct LineScan {
  var pounds = 0
  /// The offsets from where the answer is the same.
  var range = 0..<0
  var isClosed = false
}

/// How a string literal begins and ends.
struct StringDelimiter {
  /// The number of `#` on each side.
  let pounds: Int
  let isMultiline: Bool
  let quote: UInt8
}

// MARK: - Strings

extension Lexer {
  /// Lexes the literal whose pounds begin at `at`.
  mutating func lexString(pounds: Int) {
    let quote = start[at + pounds]
    let isMultiline = isMultilineOpening(at + pounds, quote: quote, pounds: pounds)
    let delimiter = StringDelimiter(pounds: pounds, isMultiline: isMultiline, quote: quote)
    if isMultiline { markMultiline() }
    lexStringBody(delimiter, isContinued: false)
  }

  /// Whether three quotes stand there that are not a raw string such as `#"""#`.
  private mutating func isMultilineOpening(_ offset: Int, quote: UInt8, pounds: Int) -> Bool {
    guard quote == UInt8(ascii: "\""), start[offset + 1] == quote, start[offset + 2] == quote else {
      return false
    }
    return pounds == 0 || !isClosedOnLine(offset + 2, pounds: pounds)
  }

  /// Whether a quote with its pounds stands on the line at or after an offset. The answer is kept:
  /// literals may nest on one line, and each would read the line to its end again.
  private mutating func isClosedOnLine(_ offset: Int, pounds: Int) -> Bool {
    let slot = min(pounds, lineScans.count) - 1
    let known = lineScans[slot]
    if known.pounds == pounds, known.range.contains(offset) { return known.isClosed }
    var scan = offset
    while scan < count, start[scan] != 0x0A, start[scan] != 0x0D {
      if start[scan] == UInt8(ascii: "\""), hasPounds(pounds, at: scan + 1) {
        lineScans[slot] = LineScan(pounds: pounds, range: offset..<scan + 1, isClosed: true)
        return true
      }
      scan += 1
    }
    lineScans[slot] = LineScan(pounds: pounds, range: offset..<scan + 1, isClosed: false)
    return false
  }

  func hasPounds(_ pounds: Int, at offset: Int) -> Bool {
    var index = 0
    while index < pounds {
      if offset + index >= count || start[offset + index] != UInt8(ascii: "#") { return false }
      index += 1
    }
    return true
  }

  /// Lexes on from the opening delimiter, or when continued from behind an interpolation.
  mutating func lexStringBody(_ string: StringDelimiter, isContinued: Bool) {
    var scan = isContinued ? at : at + string.pounds + (string.isMultiline ? 3 : 1)
    while scan < count {
      let byte = start[scan]
      if byte == string.quote {
        if let end = endOfString(string, at: scan) {
          emit(isContinued ? .stringEnd : .string, length: end - at)
          return
        }
        scan += 1
      } else if byte == UInt8(ascii: "\\") {
        guard hasPounds(string.pounds, at: scan + 1) else {
          scan += 1
          continue
        }
        let escaped = scan + 1 + string.pounds
        if start[escaped] == UInt8(ascii: "("), escaped < count {
          emit(isContinued ? .stringMiddle : .stringStart, length: escaped - at)
          openInterpolation(string)
          return
        }
        let isLineEnd = start[escaped] == 0x0A || start[escaped] == 0x0D
        scan = isLineEnd && !string.isMultiline ? escaped : escaped + 1
      } else if (byte == 0x0A || byte == 0x0D) && !string.isMultiline {
        break
      } else {
        scan += 1
      }
    }
    emit(isContinued ? .stringEnd : .string, length: min(scan, count) - at)
  }

  /// The offset behind the closing delimiter when one begins there.
  private func endOfString(_ string: StringDelimiter, at offset: Int) -> Int? {
    var end = offset + 1
    if string.isMultiline {
      guard start[offset + 1] == string.quote, start[offset + 2] == string.quote else { return nil }
      end = offset + 3
    }
    guard end <= count, hasPounds(string.pounds, at: end) else { return nil }
    end += string.pounds
    if string.pounds > 0 {
      while start[end] == UInt8(ascii: "#") { end += 1 }
    }
    return end
  }
}

// MARK: - Numbers

extension Lexer {
  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66
  }

  private func skip(_ offset: Int, while isPart: (UInt8) -> Bool) -> Int {
    var end = offset
    while isPart(start[end]) || start[end] == UInt8(ascii: "_") { end += 1 }
    return end
  }

  mutating func lexNumber() {
    if start[at] == UInt8(ascii: "0") {
      switch start[at + 1] {
      case UInt8(ascii: "x"): return lexHexNumber()
      case UInt8(ascii: "o"), UInt8(ascii: "b"): return emitNumber(.integer, end: at + 2)
      default: break
      }
    }
    var end = skip(at, while: isDigit)
    var kind = Token.Kind.integer
    if start[end] == UInt8(ascii: ".") {
      guard isDigit(start[end + 1]), previousKind != .period else {
        return emit(.integer, length: end - at)
      }
      kind = .float
      end = skip(end + 1, while: isDigit)
      if start[end] | 0x20 != UInt8(ascii: "e") { return emit(.float, length: end - at) }
    }
    if start[end] | 0x20 == UInt8(ascii: "e") {
      kind = .float
      end += 1
      if start[end] == UInt8(ascii: "-") || start[end] == UInt8(ascii: "+") { end += 1 }
    }
    emitNumber(kind, end: end)
  }

  private mutating func lexHexNumber() {
    let integerEnd = isHexDigit(start[at + 2]) ? skip(at + 2, while: isHexDigit) : at + 2
    var end = integerEnd
    let hasFraction = start[end] == UInt8(ascii: ".") && isHexDigit(start[end + 1])
    if hasFraction { end = skip(end + 1, while: isHexDigit) }
    guard end > at + 2, start[end] | 0x20 == UInt8(ascii: "p") else {
      return hasFraction
        ? emit(.integer, length: integerEnd - at) : emitNumber(.integer, end: integerEnd)
    }
    end += 1
    let isSigned = start[end] == UInt8(ascii: "-") || start[end] == UInt8(ascii: "+")
    if isSigned { end += 1 }
    if hasFraction, !isSigned, !isDigit(start[end]), !isDigit(start[integerEnd + 1]), end < count {
      // A member's name, as in `0xff.fp`.
      return emit(.integer, length: integerEnd - at)
    }
    emitNumber(.float, end: end)
  }

  /// Emits a number with whatever identifier characters stick to it.
  private mutating func emitNumber(_ kind: Token.Kind, end: Int) {
    emit(kind, length: min(endOfIdentifier(from: end), count) - at)
  }
}

// MARK: - Regular expressions

extension Lexer {
  /// The offset behind a regex literal that begins there, with its pounds; nil when it is none.
  mutating func endOfRegex(from offset: Int, mustBeRegex: Bool) -> Int? {
    var pounds = 0
    while start[offset + pounds] == UInt8(ascii: "#") { pounds += 1 }
    let slash = offset + pounds
    guard slash < count, start[slash] == UInt8(ascii: "/") else { return nil }
    if pounds == 0 {
      let next = start[slash + 1]
      if next == UInt8(ascii: "*") || next == UInt8(ascii: "/") { return nil }
      if !mustBeRegex, next == 0x20 || next == 0x09 { return nil }
      if slash > 0, start[slash - 1] == UInt8(ascii: "*") { return nil }
    }
    return endOfPattern(from: slash + 1, pounds: pounds, mustBeRegex: mustBeRegex)
  }

  /// The offset behind the pattern and its closing delimiter; nil when it is no pattern.
  private mutating func endOfPattern(from offset: Int, pounds: Int, mustBeRegex: Bool) -> Int? {
    var firstNewline: Int?
    if pounds > 0 {
      var probe = offset
      while start[probe] == 0x20 || start[probe] == 0x09 { probe += 1 }
      if start[probe] == 0x0A || start[probe] == 0x0D { firstNewline = probe }
      // A pattern before this one has been read to the end of the file in vain.
      if pounds >= unclosedPounds, let firstNewline { return firstNewline }
    }
    var groups = 0
    var classes = 0
    var scan = offset
    while scan < count {
      switch start[scan] {
      case UInt8(ascii: "/") where hasPounds(pounds, at: scan + 1):
        return endOfRegex(
          closedAt: scan, from: offset, pounds: pounds, mustBeRegex: mustBeRegex)
      case UInt8(ascii: "\\"):
        let next = start[scan + 1]
        if next != 0x0A, next != 0x0D { scan += 1 }
      case 0x0A, 0x0D:
        if firstNewline == nil { return mustBeRegex ? scan : nil }
      case UInt8(ascii: "(") where classes == 0: groups += 1
      case UInt8(ascii: ")") where classes == 0:
        if groups == 0, !mustBeRegex { return nil }
        groups = max(0, groups - 1)
      case UInt8(ascii: "["): classes += 1
      case UInt8(ascii: "]"): classes = max(0, classes - 1)
      default: break
      }
      scan += 1
    }
    if firstNewline != nil { unclosedPounds = min(unclosedPounds, pounds) }
    return mustBeRegex ? min(firstNewline ?? count, count) : nil
  }

  /// The offset behind the closing slash and its pounds; nil when what stands there forbids it.
  private func endOfRegex(
    closedAt slash: Int, from offset: Int, pounds: Int, mustBeRegex: Bool
  ) -> Int? {
    var end = slash + 1
    if pounds > 0 {
      while start[end] == UInt8(ascii: "#") { end += 1 }
      return end
    }
    if start[end] == UInt8(ascii: "*") || start[end] == UInt8(ascii: "/") {
      return mustBeRegex ? end : nil
    }
    let last = start[slash - 1]
    let isEscaped = slash - 2 >= offset && start[slash - 2] == UInt8(ascii: "\\")
    if !mustBeRegex, slash > offset, last == 0x20 || last == 0x09, !isEscaped { return nil }
    return end
  }
}
