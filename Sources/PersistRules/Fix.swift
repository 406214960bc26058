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
  /// The code in which it may be the only one to declare names at a time; nil where it declares none.
  package let scope: Location?

  package init(title: String, isSafe: Bool, edits: [Edit], scope: Location? = nil) {
    self.title = title
    self.isSafe = isSafe
    self.edits = edits
    self.scope = scope
  }
}

extension [Fix] {
  /// The fixes that touch no byte, and declare names in no code, that one before them does.
  package var withoutOverlaps: [Fix] {
    var touched = Places()
    var scopes = Places()
    return filter { fix in
      let places = fix.edits.map(\.range)
      guard !places.contains(where: touched.meet),
        !(fix.scope.map(scopes.meet) ?? false)
      else { return false }
      for place in places { touched.add(place) }
      if let scope = fix.scope { scopes.add(scope) }
      return true
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

/// Ranges of several files.
private struct Places {
  private var ranges: [String: [Range<Int>]] = [:]

  mutating func add(_ place: Location) { ranges[place.path, default: []].append(place.bytes) }

  func meet(_ place: Location) -> Bool {
    ranges[place.path]?.contains { $0.meets(place.bytes) } ?? false
  }
}

extension Range<Int> {
  /// Whether two edits share a byte, or one puts something in where the other stands.
  fileprivate func meets(_ other: Range<Int>) -> Bool {
    if isEmpty || other.isEmpty {
      return lowerBound <= other.upperBound && other.lowerBound <= upperBound
    }
    return overlaps(other)
  }
}

extension Location {
  /// The offsets from the first byte to the one behind the last.
  package var bytes: Range<Int> { start.offset..<Swift.max(start.offset, end.offset) }
}
