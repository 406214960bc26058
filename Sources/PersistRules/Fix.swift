/// A change of the sources that takes a finding away.
package struct Fix: Hashable, Sendable {
  /// Text in place of a range of one file; `Fix.apply` says how they are put in.
  package struct Edit: Hashable, Sendable {
    package let range: Location
    package let replacement: String

    package init(range: Location, replacement: String) {
      self.range = range
      self.replacement = replacement
    }
  }

  /// What it does, as a command: `Delete the comment`.
  package let title: String
  /// Whether the program does the same afterwards, but for the mistake.
  package let isSafe: Bool
  package let edits: [Edit]

  package init(title: String, isSafe: Bool, edits: [Edit]) {
    self.title = title
    self.isSafe = isSafe
    self.edits = edits
  }
}

extension [Fix] {
  /// The fixes that touch no byte that one before them touches.
  package var withoutOverlaps: [Fix] {
    var taken: [String: [Range<Int>]] = [:]
    return filter { fix in
      let ranges = fix.edits.map { ($0.range.path, $0.range.bytes) }
      let isFree = ranges.allSatisfy { path, range in
        !(taken[path] ?? []).contains {
          $0.overlaps(range) || $0 == range || $0.upperBound == range.lowerBound && range.isEmpty
        }
      }
      if isFree { for (path, range) in ranges { taken[path, default: []].append(range) } }
      return isFree
    }
  }

  /// The bytes of a file after all edits that lie in it; the fixes may not overlap.
  package func apply(to bytes: [UInt8], path: String) -> [UInt8] {
    let edits = flatMap(\.edits).filter { $0.range.path == path }
      .sorted { $0.range.start.offset < $1.range.start.offset }
    var result: [UInt8] = []
    var done = 0
    for edit in edits {
      let range = edit.range.bytes.clamped(to: done..<Swift.max(done, bytes.count))
      result += bytes[done..<range.lowerBound]
      result += [UInt8](edit.replacement.utf8)
      done = range.upperBound
    }
    return result + bytes[done...]
  }
}

extension Location {
  /// The offsets from the first byte to the one behind the last.
  package var bytes: Range<Int> { start.offset..<Swift.max(start.offset, end.offset) }
}
