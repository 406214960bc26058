// MARK: - Operators

extension Lexer {
  /// Whether something other than white space stands directly before an offset.
  private func isLeftBound(_ offset: Int) -> Bool {
    guard offset > 0 else { return false }
    switch start[offset - 1] {
    case 0x20, 0x0D, 0x0A, 0x09, 0, UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"),
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"):
      return false
    case UInt8(ascii: "/"):
      return !(offset > 1 && start[offset - 2] == UInt8(ascii: "*"))
    case 0xA0:
      return !(offset > 1 && start[offset - 2] == 0xC2)
    default:
      return true
    }
  }

  /// Whether something other than white space stands directly at an offset.
  private func isRightBound(_ offset: Int, isLeftBound: Bool) -> Bool {
    guard offset < count else { return false }
    switch start[offset] {
    case 0x20, 0x0D, 0x0A, 0x09, 0, UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"),
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"):
      return false
    case UInt8(ascii: "."):
      return !isLeftBound
    case UInt8(ascii: "/"):
      return start[offset + 1] != UInt8(ascii: "/") && start[offset + 1] != UInt8(ascii: "*")
    case 0xC2:
      return start[offset + 1] != 0xA0
    default:
      return true
    }
  }

  /// `?` and `!`: postfix marks when they stick to what is before, else operators.
  mutating func lexQuestionOrExclamation() {
    if isLeftBound(at) {
      emit(start[at] == UInt8(ascii: "!") ? .exclamation : .postfixQuestion, length: 1)
    } else {
      lexOperator()
    }
  }

  /// Lexes an operator, a period, a placeholder, or the regex that begins with or in it.
  mutating func lexOperator() {
    if start[at] == UInt8(ascii: "<"), let end = endOfPlaceholder() {
      return emit(.identifier, length: end - at)
    }
    var end = endOfOperator()
    if let slash = firstSlash(from: at, to: end), let regexEnd = regexInOperator(slash, end: end) {
      if slash > at { emitOperator(end: slash) }
      return emit(.regex, length: regexEnd - at)
    }
    if end - at > 2 {
      var scan = at + 1
      while scan < end {
        let next = start[scan + 1]
        if start[scan] == UInt8(ascii: "/"), next == UInt8(ascii: "/") || next == UInt8(ascii: "*")
        {
          end = scan
          break
        }
        scan += 1
      }
    }
    emitOperator(end: end)
  }

  private func endOfOperator() -> Int {
    let startsWithPeriod = start[at] == UInt8(ascii: ".")
    var end = at + operatorLength(at, isFirst: true)
    while end < count {
      if start[end] == UInt8(ascii: "."), !startsWithPeriod { break }
      if start[end] == UInt8(ascii: "<"), start[end + 1] == UInt8(ascii: "#"),
        endOfPlaceholder(from: end) != nil
      {
        break
      }
      let length = operatorLength(end, isFirst: false)
      if length == 0 { break }
      end += length
    }
    return min(max(end, at + 1), count)
  }

  /// The length of the operator character at an offset, in bytes; 0 when it is none.
  private func operatorLength(_ offset: Int, isFirst: Bool) -> Int {
    switch start[offset] {
    case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "!"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"),
      UInt8(ascii: "~"), UInt8(ascii: "."), UInt8(ascii: "?"):
      return 1
    case 0..<0x80:
      return 0
    default:
      guard let (scalar, length) = scalar(at: offset) else { return 0 }
      let isPart = isFirst ? scalar.startsOperator : scalar.continuesOperator
      return isPart ? length : 0
    }
  }

  private func firstSlash(from offset: Int, to end: Int) -> Int? {
    var scan = offset
    while scan < end {
      if start[scan] == UInt8(ascii: "/") { return scan }
      scan += 1
    }
    return nil
  }

  /// The end of the regex that begins at the slash of an operator, if the place allows one.
  private mutating func regexInOperator(_ slash: Int, end: Int) -> Int? {
    let leftBound = isLeftBound(at)
    guard !leftBound, previousKeyword != .func, previousKeyword != .operator else { return nil }
    guard leftBound == isRightBound(end, isLeftBound: leftBound) else {
      return endOfRegex(from: slash, mustBeRegex: false)
    }
    guard followsTryMark || expectsExpression else { return nil }
    switch previousKind {
    case .leftParen, .leftSquare, .comma, .colon, .colonColon:
      return endOfRegex(from: slash, mustBeRegex: followsTryMark)
    default:
      return endOfRegex(from: slash, mustBeRegex: true)
    }
  }

  /// Whether after the token before an expression is expected, not a binary operator.
  private var expectsExpression: Bool {
    switch previousKind {
    case .leftBrace, .leftParen, .leftSquare, .prefixOperator, .prefixAmpersand, .binaryOperator,
      .equal, .semicolon, .comma, .colon, .infixQuestion, .poundIf, .poundElse, .poundElseif,
      .poundEndif, .unknown:
      return true
    case .endOfFile:
      return true
    case .keyword:
      switch previousKeyword {
      case .true, .false, .anyType, .nil, .selfValue, .selfType, .super: return false
      default: return true
      }
    default:
      return false
    }
  }

  private mutating func emitOperator(end: Int) {
    let length = end - at
    let leftBound = isLeftBound(at)
    let rightBound = isRightBound(end, isLeftBound: leftBound)
    if length == 1 {
      switch start[at] {
      case UInt8(ascii: "="): return emit(.equal, length: 1)
      case UInt8(ascii: "&") where !leftBound && rightBound:
        return emit(.prefixAmpersand, length: 1)
      case UInt8(ascii: "."): return emit(.period, length: 1)
      case UInt8(ascii: "?"): return emit(leftBound ? .postfixQuestion : .infixQuestion, length: 1)
      default: break
      }
    } else if length == 2, start[at] == UInt8(ascii: "-"), start[at + 1] == UInt8(ascii: ">") {
      return emit(.arrow, length: 2)
    } else if hasCommentEnd(before: end) {
      return emit(.unknown, length: length)
    }
    if leftBound == rightBound {
      emit(.binaryOperator, length: length)
    } else {
      emit(leftBound ? .postfixOperator : .prefixOperator, length: length)
    }
  }

  private func hasCommentEnd(before end: Int) -> Bool {
    var scan = at
    while scan + 1 < end {
      if start[scan] == UInt8(ascii: "*"), start[scan + 1] == UInt8(ascii: "/") { return true }
      scan += 1
    }
    return false
  }

  private func endOfPlaceholder() -> Int? { endOfPlaceholder(from: at) }

  /// The offset behind `<#…#>` on one line.
  private func endOfPlaceholder(from offset: Int) -> Int? {
    guard start[offset + 1] == UInt8(ascii: "#") else { return nil }
    var scan = offset + 2
    while scan < count, start[scan] != 0x0A {
      if start[scan] == UInt8(ascii: "#"), start[scan + 1] == UInt8(ascii: ">") { return scan + 2 }
      if start[scan] == UInt8(ascii: "<"), start[scan + 1] == UInt8(ascii: "#") { return nil }
      scan += 1
    }
    return nil
  }
}

// MARK: - Characters beyond ASCII

extension Lexer {
  /// The character at an offset and its length in bytes; nil when the bytes are no valid UTF-8.
  func scalar(at offset: Int) -> (Unicode.Scalar, Int)? {
    let first = UInt32(start[offset])
    let length: Int
    var value: UInt32
    switch first {
    case 0xC2...0xDF: (length, value) = (2, first & 0x1F)
    case 0xE0...0xEF: (length, value) = (3, first & 0x0F)
    case 0xF0...0xF4: (length, value) = (4, first & 0x07)
    default: return nil
    }
    guard offset + length <= count else { return nil }
    for index in 1..<length {
      let byte = UInt32(start[offset + index])
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | byte & 0x3F
    }
    let isShortest = length == 2 || value >= (length == 3 ? 0x800 : 0x10000)
    guard isShortest else { return nil }
    return Unicode.Scalar(value).map { ($0, length) }
  }

  /// The end of the identifier whose characters up to an offset are known.
  func endOfIdentifier(from offset: Int) -> Int {
    var end = offset
    while end < count {
      if start[end] < 0x80 {
        guard continues[Int(start[end])] else { break }
        end += 1
      } else {
        guard let (scalar, length) = scalar(at: end), scalar.continuesIdentifier else { break }
        end += length
      }
    }
    return end
  }

  /// A byte from 0x80 on: an identifier, an operator, or what counts as white space.
  mutating func lexHigh() {
    guard let (scalar, length) = scalar(at: at) else {
      at += 1
      return markSpace()
    }
    if scalar.value == 0xFEFF {
      at += length
      markSpace()
    } else if scalar.startsIdentifier {
      emit(.identifier, length: endOfIdentifier(from: at + length) - at)
    } else if scalar.startsOperator {
      lexOperator()
    } else if scalar.value == 0x201C || scalar.value == 0x201D {
      emit(.unknown, length: length)
    } else {
      at += length
      markSpace()
    }
  }
}

// The ranges are those of The Swift Programming Language, "Lexical Structure".
extension Unicode.Scalar {
  /// Whether the character may stand in an identifier behind its first one.
  var continuesIdentifier: Bool {
    switch value {
    case 0xA8, 0xAA, 0xAD, 0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6, 0xD8...0xF6,
      0xF8...0x167F, 0x1681...0x180D, 0x180F...0x1FFF, 0x200B...0x200D, 0x202A...0x202E,
      0x203F...0x2040, 0x2054, 0x2060...0x218F, 0x2460...0x24FF, 0x2776...0x2793,
      0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F, 0x3031...0xD7FF,
      0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFFF8:
      true
    case 0x10000..<0xF0000: value & 0xFFFF <= 0xFFFD
    default: false
    }
  }

  /// Whether the character, which is not ASCII, may begin an identifier.
  var startsIdentifier: Bool { continuesIdentifier && !isCombiningMark }

  private var isCombiningMark: Bool {
    switch value {
    case 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// Whether the character, which is not ASCII, may begin an operator.
  var startsOperator: Bool {
    switch value {
    case 0xA1...0xA7, 0xA9, 0xAB...0xAC, 0xAE, 0xB0...0xB1, 0xB6, 0xBB, 0xBF, 0xD7, 0xF7,
      0x2016...0x2017, 0x2020...0x2027, 0x2030...0x203E, 0x2041...0x2053, 0x2055...0x205E,
      0x2190...0x23FF, 0x2500...0x2775, 0x2794...0x2BFF, 0x2E00...0x2E7F, 0x3001...0x3003,
      0x3008...0x3030:
      true
    default: false
    }
  }

  /// Whether the character, which is not ASCII, may stand in an operator behind its first one.
  var continuesOperator: Bool {
    switch value {
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
    default: startsOperator || isCombiningMark
    }
  }
}
