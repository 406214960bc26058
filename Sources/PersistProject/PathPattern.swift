/// A pattern of paths in which `*` stands for a part of a name and `**` for any folders.
package struct PathPattern: Sendable, Equatable {
  private static let maximumParts = 64

  private let parts: [String]

  package init(_ text: String) {
    parts = text.split(separator: "/").prefix(Self.maximumParts).map(String.init)
  }

  /// Whether a path is one of those that the pattern stands for, or lies in such a folder.
  package func matches(_ path: String) -> Bool {
    // What is reachable after each part of the path, as many steps as both have parts.
    var open = Set([0])
    advance(&open)
    for name in path.split(separator: "/") {
      var next: Set<Int> = []
      for index in open {
        if index == parts.count { return true }
        if parts[index] == "**" {
          next.insert(index)
        } else if Self.matches(Array(name.utf8), Array(parts[index].utf8)) {
          next.insert(index + 1)
        }
      }
      advance(&next)
      open = next
      if open.isEmpty { return false }
    }
    return open.contains(parts.count)
  }

  /// `**` may stand for no folder at all.
  private func advance(_ open: inout Set<Int>) {
    for start in open.sorted() {
      var index = start
      while index < parts.count, parts[index] == "**" {
        index += 1
        open.insert(index)
      }
    }
  }

  private static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
    var at = 0
    var step = 0
    var star: (step: Int, at: Int)?
    while at < name.count {
      if step < pattern.count, pattern[step] == UInt8(ascii: "*") {
        star = (step, at)
        step += 1
      } else if step < pattern.count,
        pattern[step] == name[at] || pattern[step] == UInt8(ascii: "?")
      {
        step += 1
        at += 1
      } else if let last = star {
        star = (last.step, last.at + 1)
        step = last.step + 1
        at = last.at + 1
      } else {
        return false
      }
    }
    return pattern[step...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}

/// Paths as text, relative to the root, with `/` between.
package enum Path {
  /// The folder of a file, with `/` at its end; "" for the root.
  package static func folder(of path: some StringProtocol) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// A path below a folder, `.` and `..` resolved; nil where it leads out of the root.
  package static func join(_ folder: String, _ path: some StringProtocol) -> String? {
    if path.hasPrefix("/") { return normalize(path) }
    return normalize(folder.isEmpty || folder.hasSuffix("/") ? folder + path : folder + "/" + path)
  }

  /// A folder below another one, with `/` at its end.
  package static func joinFolder(_ folder: String, _ path: some StringProtocol) -> String? {
    join(folder, path).map { $0.isEmpty || $0.hasSuffix("/") ? $0 : $0 + "/" }
  }

  /// Whether a path has an empty part, `.` or `..`; of a leading `/` it doesn't matter.
  private static func needsWork(_ path: some Collection<UInt8>) -> Bool {
    var isStart = path.first != UInt8(ascii: "/")
    var dots = 0
    var length = 0
    for byte in path {
      if byte == UInt8(ascii: "/") {
        if isStart, length == dots, length < 3 { return true }
        isStart = true
        dots = 0
        length = 0
      } else {
        length += 1
        if byte == UInt8(ascii: ".") { dots += 1 }
        isStart = true
      }
    }
    return !path.isEmpty && length == dots && length < 3
  }

  private static func normalize(_ path: some StringProtocol) -> String? {
    guard needsWork(path.utf8) else { return String(path) }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(Substring(part))
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
