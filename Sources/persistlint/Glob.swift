/// A pattern for paths as git and shells write them: `*`, `?`, `[a-z]`, and `**` for any folders.
struct Glob: Sendable {
  typealias Name = [UInt8]

  private enum Segment {
    case anyFolders
    case name([Piece])
  }

  private enum Piece {
    case byte(UInt8)
    case anyByte
    case anyRun
    case oneOf([ClosedRange<UInt8>], isInverted: Bool)
  }

  private let segments: [Segment]

  /// Whether the pattern says only how a path's last name looks, as those without a slash do.
  let isForLastName: Bool

  init(_ pattern: String) {
    segments = pattern.split(separator: "/").map { segment in
      segment == "**" ? .anyFolders : .name(Glob.pieces(of: segment))
    }
    if segments.count == 2, case .anyFolders = segments[0], case .name = segments[1] {
      isForLastName = true
    } else {
      isForLastName = false
    }
  }

  /// The first and last byte of each last name that fits, where the pattern says which.
  var outerBytes: (first: UInt8?, last: UInt8?) {
    guard isForLastName, case .name(let pieces)? = segments.last else { return (nil, nil) }
    func byte(_ piece: Piece?) -> UInt8? { if case .byte(let byte)? = piece { byte } else { nil } }
    return (byte(pieces.first), byte(pieces.last))
  }

  /// Whether the last name of a path fits; for patterns that say no more.
  func matches(lastName name: ArraySlice<UInt8>) -> Bool {
    guard let segment = segments.last, case .name(let pieces) = segment else { return false }
    return Glob.fits(name, pieces)
  }

  /// Whether all names of a path, in their order, fit; after a mismatch the last `**` takes one more.
  func matches(_ names: [Name]) -> Bool {
    var index = 0
    var segment = 0
    var retry: (segment: Int, index: Int)?
    while index < names.count {
      if segment < segments.count, case .anyFolders = segments[segment] {
        // At the end it stands for what lies in a folder, not for the folder.
        if segment == segments.count - 1 { return true }
        retry = (segment, index)
        segment += 1
      } else if segment < segments.count, case .name(let pieces) = segments[segment],
        Glob.fits(names[index][...], pieces)
      {
        index += 1
        segment += 1
      } else if let last = retry {
        retry = (last.segment, last.index + 1)
        segment = last.segment + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return segment == segments.count
  }

  /// The names between the slashes of a path.
  static func names(of path: some StringProtocol) -> [Name] {
    path.split(separator: "/").map { Array($0.utf8) }
  }

  /// After a mismatch the last `*` takes one more byte.
  private static func fits(_ name: ArraySlice<UInt8>, _ pieces: [Piece]) -> Bool {
    var index = name.startIndex
    var piece = 0
    var retry: (piece: Int, index: Int)?
    while index < name.endIndex {
      if piece < pieces.count, case .anyRun = pieces[piece] {
        retry = (piece, index)
        piece += 1
      } else if piece < pieces.count, fits(name[index], pieces[piece]) {
        index += 1
        piece += 1
      } else if let last = retry {
        retry = (last.piece, last.index + 1)
        piece = last.piece + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { if case .anyRun = $0 { true } else { false } }
  }

  private static func fits(_ byte: UInt8, _ piece: Piece) -> Bool {
    switch piece {
    case .byte(let other): byte == other
    case .anyByte: true
    case .anyRun: false
    case .oneOf(let ranges, let isInverted):
      ranges.contains { $0.contains(byte) } != isInverted
    }
  }

  private static func pieces(of segment: Substring) -> [Piece] {
    var pieces: [Piece] = []
    var rest = segment.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"): pieces.append(.anyRun)
      case UInt8(ascii: "?"): pieces.append(.anyByte)
      case UInt8(ascii: "\\"): pieces.append(.byte(rest.popFirst() ?? UInt8(ascii: "\\")))
      case UInt8(ascii: "["):
        if let set = set(from: &rest) {
          pieces.append(set)
        } else {
          pieces.append(.byte(UInt8(ascii: "[")))
        }
      default: pieces.append(.byte(byte))
      }
    }
    return pieces
  }

  /// What follows `[`; nothing, and `rest` as before, when no `]` ends it.
  private static func set(from rest: inout Substring.UTF8View) -> Piece? {
    var inner = rest
    let isInverted = inner.first == UInt8(ascii: "!") || inner.first == UInt8(ascii: "^")
    if isInverted { inner.removeFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    var isFirst = true
    while let byte = inner.popFirst() {
      if byte == UInt8(ascii: "]"), !isFirst {
        rest = inner
        return .oneOf(ranges, isInverted: isInverted)
      }
      isFirst = false
      let low = byte == UInt8(ascii: "\\") ? inner.popFirst() ?? byte : byte
      var high = low
      if inner.first == UInt8(ascii: "-"), let end = inner.dropFirst().first,
        end != UInt8(ascii: "]")
      {
        high = end
        inner.removeFirst(2)
      }
      ranges.append(min(low, high)...max(low, high))
    }
    return nil
  }
}
