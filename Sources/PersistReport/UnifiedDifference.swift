/// What differs between two texts, as `diff -u` prints it and `patch` reads it.
package struct UnifiedDifference: Sendable {
  private static let context = 3

  private enum Line {
    case kept(Substring)
    case removed(Substring)
    case added(Substring)
  }

  private let path: String
  private let old: [Substring]
  private let new: [Substring]

  package init(path: String, old: [UInt8], new: [UInt8]) {
    self.path = path
    self.old = UnifiedDifference.lines(String(decoding: old, as: UTF8.self))
    self.new = UnifiedDifference.lines(String(decoding: new, as: UTF8.self))
  }

  /// A heading and the hunks; empty when nothing differs.
  package var text: String {
    let script = script
    let changed = script.indices.filter { if case .kept = script[$0] { false } else { true } }
    guard let first = changed.first else { return "" }
    var text = "--- a/\(path.onOneLine)\n+++ b/\(path.onOneLine)\n"
    var start = first
    var end = first
    for index in changed.dropFirst() + [Int.max] {
      if index != Int.max, index - end <= 2 * UnifiedDifference.context {
        end = index
        continue
      }
      text += hunk(of: script, from: start, through: end)
      start = index
      end = index
    }
    return text
  }

  /// All lines of both texts in their order.
  private var script: [Line] {
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var script: [Line] = []
    var newIndex = 0
    for (oldIndex, line) in old.enumerated() {
      if removed.contains(oldIndex) {
        script.append(.removed(line))
        continue
      }
      while added.contains(newIndex) {
        script.append(.added(new[newIndex]))
        newIndex += 1
      }
      script.append(.kept(line))
      newIndex += 1
    }
    return script + new[min(newIndex, new.count)...].map { .added($0) }
  }

  private func hunk(of script: [Line], from start: Int, through end: Int) -> String {
    let first = max(0, start - UnifiedDifference.context)
    let last = min(script.count - 1, end + UnifiedDifference.context)
    let before = script[..<first]
    var oldCount = 0
    var newCount = 0
    var body = ""
    for line in script[first...last] {
      switch line {
      case .kept(let text):
        (oldCount, newCount, body) = (oldCount + 1, newCount + 1, body + " \(text)")
      case .removed(let text): (oldCount, body) = (oldCount + 1, body + "-\(text)")
      case .added(let text): (newCount, body) = (newCount + 1, body + "+\(text)")
      }
      if body.utf8.last != 0x0A { body += "\n\\ No newline at end of file\n" }
    }
    let oldBefore = before.count { if case .added = $0 { false } else { true } }
    let newBefore = before.count { if case .removed = $0 { false } else { true } }
    let oldStart = oldCount == 0 ? oldBefore : oldBefore + 1
    let newStart = newCount == 0 ? newBefore : newBefore + 1
    return "@@ -\(oldStart),\(oldCount) +\(newStart),\(newCount) @@\n\(body)"
  }

  /// Each line with its line break.
  private static func lines(_ text: String) -> [Substring] {
    var lines: [Substring] = []
    var rest = text[...]
    while !rest.isEmpty {
      let end = rest.utf8.firstIndex(of: 0x0A).map { rest.utf8.index(after: $0) } ?? rest.endIndex
      lines.append(rest[..<end])
      rest = rest[end...]
    }
    return lines
  }
}
