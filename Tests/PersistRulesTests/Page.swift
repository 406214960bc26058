import Foundation

/// A page of `Rules/` or `Cases/`, cut into the programs that its fences make.
struct Page: Sendable {
  /// Swift sources that are linted together, and what is expected of them.
  struct Sample: Sendable {
    let isCorrect: Bool
    /// The line of the page at which the first fence begins.
    let line: Int
    var files: [File]
  }

  /// What the fixes of an incorrect sample make of it.
  struct Mended: Sendable {
    let sample: Sample
    let isSafe: Bool
    /// The line of the page at which the fence begins.
    let line: Int
    let file: File
  }

  struct File: Sendable {
    let path: String
    let code: String
    /// `swift shipped`: frozen first.
    let isShipped: Bool
  }

  let id: String
  let name: String
  private(set) var samples: [Sample] = []
  private(set) var mended: [Mended] = []
  private(set) var twins: [Twin] = []

  /// All pages, and all cases, of this checkout.
  static let all: [Page] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return ["Rules", "Tests/PersistRulesTests/Cases"].flatMap { folder in
      let url = root.appendingPathComponent(folder)
      let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      return files.filter { $0.hasSuffix(".md") && $0 != "README.md" }.sorted().map { file in
        let text =
          (try? String(contentsOf: url.appendingPathComponent(file), encoding: .utf8)) ?? ""
        return Page(id: String(file.dropLast(3)), name: "\(folder)/\(file)", text: text)
      }
    }
  }()

  init(id: String, name: String, text: String) {
    self.id = id
    self.name = name
    var isCorrect = true
    var mending: String?
    var fence: (header: String, line: Int, code: [Substring])?
    var joinsPrevious = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let open = fence {
        if line.hasPrefix("```") {
          if open.header == "diff", let sample = samples.last {
            twins += Twin.twins(of: sample, in: open.code, below: open.line)
            joinsPrevious = false
          } else if let mending {
            addMended(open.header, open.line, open.code, lead: mending)
          } else {
            joinsPrevious = add(open.header, open.line, open.code, isCorrect, joinsPrevious)
          }
          fence = nil
        } else {
          fence?.code.append(line)
        }
      } else if line.hasPrefix("```") {
        fence = (String(line.dropFirst(3)), index + 1, [])
      } else if line.hasPrefix("**") {
        isCorrect = !line.hasPrefix("**Incorrect")
        mending = line.hasPrefix("**Fixed") ? String(line) : nil
        joinsPrevious = false
      } else if line.contains(where: { !$0.isWhitespace }) {
        joinsPrevious = false
      }
    }
  }

  /// Adds what the fixes make of the sample above, told by `**Fixed by --fix` or `--unsafe-fixes`.
  private mutating func addMended(
    _ header: String, _ line: Int, _ code: [Substring], lead: String
  ) {
    guard let sample = samples.last(where: { !$0.isCorrect }) else { return }
    let named = header.split(separator: " ").first { $0.hasPrefix("file=") }?.dropFirst(5)
    let path = named.map { "Sources/App/\($0)" } ?? "Sources/App/Page.swift"
    let file = File(path: path, code: code.map { $0 + "\n" }.joined(), isShipped: false)
    mended.append(
      Mended(sample: sample, isSafe: !lead.contains("--unsafe-fixes"), line: line, file: file))
  }

  /// Adds a fence; true when the next named fence in the row joins it.
  private mutating func add(
    _ header: String, _ line: Int, _ code: [Substring], _ isCorrect: Bool, _ joins: Bool
  ) -> Bool {
    let words = header.split(separator: " ").map(String.init)
    guard words.first == "swift", !words.contains("sketch") else { return false }
    let named = words.first { $0.hasPrefix("file=") }.map { String($0.dropFirst(5)) }
    let isShipped = words.contains("shipped")
    let name = named ?? (isShipped ? "Shipped.swift" : "Page.swift")
    let file = File(
      path: name.contains("/") ? name : "Sources/App/\(name)",
      code: code.map { $0 + "\n" }.joined(), isShipped: isShipped)
    if joins, !samples.isEmpty {
      samples[samples.count - 1].files.append(file)
    } else {
      samples.append(Sample(isCorrect: isCorrect, line: line, files: [file]))
    }
    return named != nil || isShipped
  }
}

/// A finding that a caret line asks for.
struct Expectation: Hashable {
  let rule: String
  let path: String
  let line: Int
  /// In UTF-8 bytes, the first from 1, the last exclusive.
  var columns: Range<Int>
  let severity: String?
  /// The message, or its beginning when it ends with `…`; "" for any.
  let message: String

  /// Reads the caret lines of a file; each speaks of the last line of code above it.
  static func expectations(in file: Page.File, rule: String) -> [Expectation] {
    var found: [Expectation] = []
    var lastCode = 0
    for (index, line) in file.code.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      guard let carets = caretColumns(line) else {
        lastCode = index + 1
        continue
      }
      var words = String(decoding: Array(line.utf8).dropFirst(carets.upperBound - 1), as: UTF8.self)
        .trimmingCharacters(in: .whitespaces)
      var severity: String?
      for word in ["error", "warning", "note"] where words.hasPrefix(word + ":") {
        severity = word
        words = words.dropFirst(word.count + 1).trimmingCharacters(in: .whitespaces)
      }
      found.append(
        Expectation(
          rule: rule, path: file.path, line: lastCode, columns: carets, severity: severity,
          message: words))
    }
    return found
  }

  /// The code without its caret lines.
  static func withoutCarets(_ file: Page.File) -> Page.File {
    let lines = file.code.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { caretColumns($0) == nil }
    return Page.File(
      path: file.path, code: lines.joined(separator: "\n"), isShipped: file.isShipped)
  }

  /// The columns under which the carets of a line such as `//  ^^^ text` stand.
  private static func caretColumns(_ line: Substring) -> Range<Int>? {
    let bytes = Array(line.utf8)
    guard let slash = bytes.firstIndex(where: { $0 != 0x20 }),
      bytes[slash...].starts(with: [0x2F, 0x2F]),
      let first = bytes[(slash + 2)...].firstIndex(where: { $0 != 0x20 }),
      bytes[first] == UInt8(ascii: "^")
    else { return nil }
    let end = bytes[first...].firstIndex { $0 != UInt8(ascii: "^") } ?? bytes.count
    return first + 1..<end + 1
  }
}
