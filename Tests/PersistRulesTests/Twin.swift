/// A sample with one small edit, and what becomes of the findings: the near twin that one guard decides.
///
/// A fence of `diff` below a sample holds its twins. Each begins with where the page's rule reports
/// then, or `silent` where no rule does, and after a semicolon what it shows; the lines below it
/// replace some lines that one file of the sample has:
///
///     @@ silent; another context is saved
///     -    try context.save()
///     +    try other.save()
///     @@ Page.swift:12:5:error Page.swift:14:5:warning
///     …
struct Twin: Sendable {
  /// Without the lines of carets.
  let sample: Page.Sample
  /// The line of the page that begins the twin.
  let line: Int
  /// Where the page's rule reports, as `file:line:column:severity`; none when no rule reports anything.
  let places: [String]
  /// What is wrong with the twin itself.
  let mistake: String?

  /// Where the rule reports, or any rule when the twin is silent.
  func found(rule: String) -> [String] {
    Outcome(sample.files, rule: rule).findings
      .filter { places.isEmpty || $0.rule.text == rule }
      .map { finding in
        let name = finding.location.path.split(separator: "/").last ?? ""
        let start = finding.location.start
        return "\(name):\(start.line):\(start.column):\(finding.severity)"
      }
      .sorted()
  }

  /// The twins of a fence that begins below a line of a page.
  static func twins(of sample: Page.Sample, in code: [Substring], below line: Int) -> [Twin] {
    var twins: [Twin] = []
    var head: (line: Int, text: Substring)?
    var (old, new): ([Substring], [Substring]) = ([], [])
    func end() {
      guard let head else { return }
      twins.append(Twin(of: sample, head: head.text, line: head.line, old: old, new: new))
    }
    for (index, text) in code.enumerated() {
      if text.hasPrefix("@@ ") {
        end()
        (head, old, new) = ((line + index + 1, text.dropFirst(3)), [], [])
        continue
      }
      if !text.hasPrefix("+") { old.append(text.dropFirst()) }
      if !text.hasPrefix("-") { new.append(text.dropFirst()) }
    }
    end()
    return twins
  }

  private init(
    of sample: Page.Sample, head: Substring, line: Int, old: [Substring], new: [Substring]
  ) {
    var edited = sample
    edited.files = sample.files.map(Expectation.withoutCarets)
    var matches = 0
    for (number, file) in edited.files.enumerated() {
      let lines = file.code.split(separator: "\n", omittingEmptySubsequences: false)
      for start in lines.indices.dropLast(old.count - 1)
      where !old.isEmpty && lines[start..<start + old.count].elementsEqual(old) {
        matches += 1
        let code = lines[..<start] + new + lines[(start + old.count)...]
        edited.files[number] = Page.File(
          path: file.path, code: code.joined(separator: "\n"), isShipped: file.isShipped)
      }
    }
    self.sample = edited
    self.line = line
    let said = head.prefix { $0 != ";" }.split(separator: " ").map(String.init)
    places = said == ["silent"] ? [] : said.sorted()
    mistake = matches == 1 ? nil : "the lines of the twin stand in \(matches) places of its sample"
  }
}
