import Testing

/// A form in which code means the same, or is no code any more.
enum Disguise: String, CaseIterable, CustomTestStringConvertible {
  case behindMultibyteCharacters, withCRLF, withTabs, inBlockComment, inRawString

  static let visible: [Disguise] = [.behindMultibyteCharacters, .withCRLF, .withTabs]
  static let hidden: [Disguise] = [.inBlockComment, .inRawString]

  var testDescription: String { rawValue }

  func apply(_ file: Page.File) -> Page.File {
    Page.File(path: file.path, code: disguised(file.code), isShipped: file.isShipped)
  }

  private func disguised(_ code: String) -> String {
    let lines: [Substring] = code.split(
      separator: Character("\n"), omittingEmptySubsequences: false)
    switch self {
    case .behindMultibyteCharacters: return "let größe = \"🧭 Ünïcödé\"  // 文字\n" + code
    case .withCRLF: return lines.joined(separator: "\r\n")
    case .withTabs: return lines.map(withTabs).joined(separator: "\n")
    case .inBlockComment: return "/*\n" + code + "*/\n"
    case .inRawString: return "let page = ###\"\"\"\n" + code + "\"\"\"###\n"
    }
  }

  private func withTabs(_ line: Substring) -> String {
    let indent = line.prefix { $0 == " " }.count
    return String(repeating: "\t", count: indent / 2) + line.dropFirst(indent / 2 * 2)
  }

  /// Where an expectation stands in the disguised code.
  func move(_ expectation: Expectation, in files: [Page.File]) -> Expectation {
    var line = expectation.line
    var shift = 0
    if self == .behindMultibyteCharacters { line += 1 }
    if self == .withTabs,
      let file = files.first(where: { $0.path == expectation.path && !$0.isShipped })
    {
      let lines = file.code.split(separator: Character("\n"), omittingEmptySubsequences: false)
      shift = lines[expectation.line - 1].prefix { $0 == " " }.count / 2
    }
    return Expectation(
      rule: expectation.rule, path: expectation.path, line: line,
      columns: expectation.columns.lowerBound - shift..<expectation.columns.upperBound - shift,
      severity: expectation.severity, message: expectation.message)
  }
}
