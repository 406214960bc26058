/// What a byte can begin; the lexer's one switch is over it.
enum ByteClass: UInt8 {
  case other, space, newline, letter, digit, operatorStart, slash, quote, pound, dollar, backtick
  case leftParen, rightParen, leftSquare, rightSquare, leftBrace, rightBrace
  case comma, colon, semicolon, at, backslash, period, questionOrExclamation, high
}

/// The classes of all 256 bytes.
struct ByteTable: @unchecked Sendable {
  static let shared = ByteTable()

  /// A column for each low half of a byte, a row for each high half; from 0x80 on all are `high`.
  private static let grid: [String] = [
    "_........ ~  ~..",  // control: tab, line feed, vertical tab, form feed, carriage return
    "................",
    " !\"#$o^'()oo,oPs",  // space to slash
    "dddddddddd:;ooo!",
    "@lllllllllllllll",
    "lllllllllll[\\]ol",
    "`lllllllllllllll",
    "lllllllllll{o}o.",
  ]

  let classes: UnsafeMutablePointer<ByteClass>
  /// Whether a byte continues an identifier: letters, digits, `_`, `$`.
  let continues: UnsafeMutablePointer<Bool>

  private init() {
    classes = .allocate(capacity: 256)
    classes.initialize(repeating: .high, count: 256)
    continues = .allocate(capacity: 256)
    continues.initialize(repeating: false, count: 256)
    for (row, line) in Self.grid.enumerated() {
      for (column, mark) in line.utf8.enumerated() {
        let byte = row * 16 + column
        classes[byte] = Self.byteClass(mark)
        continues[byte] =
          mark == UInt8(ascii: "l") || mark == UInt8(ascii: "d")
          || byte == UInt8(ascii: "$")
      }
    }
  }

  private static func byteClass(_ mark: UInt8) -> ByteClass {
    switch mark {
    case UInt8(ascii: " "), UInt8(ascii: "_"): .space
    case UInt8(ascii: "~"): .newline
    case UInt8(ascii: "l"): .letter
    case UInt8(ascii: "d"): .digit
    case UInt8(ascii: "o"), UInt8(ascii: "^"): .operatorStart
    case UInt8(ascii: "s"): .slash
    case UInt8(ascii: "\""), UInt8(ascii: "'"): .quote
    case UInt8(ascii: "#"): .pound
    case UInt8(ascii: "$"): .dollar
    case UInt8(ascii: "`"): .backtick
    case UInt8(ascii: "("): .leftParen
    case UInt8(ascii: ")"): .rightParen
    case UInt8(ascii: "["): .leftSquare
    case UInt8(ascii: "]"): .rightSquare
    case UInt8(ascii: "{"): .leftBrace
    case UInt8(ascii: "}"): .rightBrace
    case UInt8(ascii: ","): .comma
    case UInt8(ascii: ":"): .colon
    case UInt8(ascii: ";"): .semicolon
    case UInt8(ascii: "@"): .at
    case UInt8(ascii: "\\"): .backslash
    case UInt8(ascii: "P"): .period
    case UInt8(ascii: "!"): .questionOrExclamation
    default: .other
    }
  }
}
