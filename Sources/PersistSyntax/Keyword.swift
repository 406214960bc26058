/// The words that the grammar gives a meaning; the reserved ones stand first.
package enum Keyword: UInt8, Sendable, CaseIterable {
  case none
  case anyType, initializer, selfValue, selfType, `as`, `associatedtype`, `break`, `case`, `catch`
  case `class`, `continue`, `default`, `defer`, `deinit`, `do`, `else`, `enum`, `extension`
  case `fallthrough`, `false`, `fileprivate`, `for`, `func`, `guard`, `if`, `import`, `in`
  case `inout`, `internal`, `is`, `let`, `nil`, `operator`, `precedencegroup`, `private`
  case `protocol`, `public`, `repeat`, `rethrows`, `return`, `static`, `struct`, `subscript`
  case `super`, `switch`, `throw`, `throws`, `true`, `try`, `typealias`, `var`, `where`, `while`
  // Contextual from here on: identifiers elsewhere.
  case actor, any, async, await, borrowing, consuming, convenience, copy, consume, didSet
  case discard, distributed, dynamic, each, final, get, indirect, infix, isolated, lazy, macro
  case modify, mutating, nonisolated, nonmutating, open, optional, override, package, postfix
  case prefix, read, required, sending, set, some, unowned, unsafe, weak, willSet, yield
  case underscoreModify, underscoreRead, then, underscoreLocal, unsafeAddress
  case reasync, borrow, mutate, metatype, protocolMetatype

  /// Compares numbers, which the generic operator for raw values does by way of a table.
  package static func == (left: Keyword, right: Keyword) -> Bool {
    left.rawValue == right.rawValue
  }

  /// Whether the word can't be an identifier without backticks.
  package var isReserved: Bool {
    self != .none && rawValue <= Keyword.while.rawValue
  }

  /// The word as it stands in source.
  package var text: String {
    switch self {
    case .none: ""
    case .anyType: "Any"
    case .initializer: "init"
    case .selfValue: "self"
    case .selfType: "Self"
    case .underscoreModify: "_modify"
    case .underscoreRead: "_read"
    case .underscoreLocal: "_local"
    case .metatype: "Type"
    case .protocolMetatype: "Protocol"
    default: String(describing: self)
    }
  }
}

/// A table that tells a keyword from an identifier by two words of its bytes.
struct KeywordTable: @unchecked Sendable {
  private struct Slot {
    var low: UInt64 = 0
    var high: UInt64 = 0
    var keyword = Keyword.none
  }

  static let shared = KeywordTable()

  private static let mask = 1023
  private let slots: UnsafeMutablePointer<Slot>

  private init() {
    slots = .allocate(capacity: Self.mask + 1)
    slots.initialize(repeating: Slot(), count: Self.mask + 1)
    for keyword in Keyword.allCases where keyword != .none {
      let text = keyword.text
      let source = SourceText(text)
      let (low, high) = withExtendedLifetime(source) { source.start.words(source.count) }
      var index = Self.index(low, high)
      while slots[index].keyword.rawValue != 0 { index = (index + 1) & Self.mask }
      slots[index] = Slot(low: low, high: high, keyword: keyword)
    }
  }

  private static func index(_ low: UInt64, _ high: UInt64) -> Int {
    let mixed = (low ^ (high &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 40) & mask
  }

  /// The keyword of `length` bytes at a place, or `.none`.
  @inline(__always)
  func keyword(at place: UnsafePointer<UInt8>, length: Int) -> Keyword {
    guard length >= 2, length <= 16 else { return .none }
    let (low, high) = place.words(length)
    var index = Self.index(low, high)
    while slots[index].keyword.rawValue != 0 {
      if slots[index].low == low, slots[index].high == high { return slots[index].keyword }
      index = (index + 1) & Self.mask
    }
    return .none
  }
}

extension UnsafePointer<UInt8> {
  /// Eight bytes at an offset, the first of them lowest.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawPointer(self).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The first `length` bytes, at most 16, as two words filled up with zeros.
  @inline(__always)
  fileprivate func words(_ length: Int) -> (UInt64, UInt64) {
    let raw = UnsafeRawPointer(self)
    let low = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
    if length <= 8 {
      return (length == 8 ? low : low & ((1 << UInt64(length * 8)) &- 1), 0)
    }
    let high = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    return (low, length == 16 ? high : high & ((1 << UInt64((length - 8) * 8)) &- 1))
  }
}
