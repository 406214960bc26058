/// The Markdown of a rule's page for a terminal: headings, code and marks painted, prose wrapped.
package struct PageText {
  private let width: Int
  private let isColoured: Bool
  private var lines: [String] = []

  /// `width` is in cells.
  package init(_ markdown: String, width: Int, isColoured: Bool) {
    self.width = width
    self.isColoured = isColoured
    read(markdown)
  }

  /// All lines, each with its line break.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// How many lines there are.
  package var height: Int { lines.count }

  private mutating func read(_ markdown: String) {
    var prose: [Substring] = []
    var isCode = false
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        add(prose: &prose)
        isCode.toggle()
      } else if isCode {
        lines.append(paint(code: "    \(line)"))
      } else if line.hasPrefix("#") {
        add(prose: &prose)
        lines.append(paint(line.drop { $0 == "#" || $0 == " " }, "1"))
      } else if line.isEmpty {
        add(prose: &prose)
        // Two empty lines in a row say no more than one.
        if lines.last?.isEmpty == false { lines.append("") }
      } else {
        if line.hasPrefix("- ") { add(prose: &prose) }
        prose.append(line)
      }
    }
    add(prose: &prose)
    while lines.last?.isEmpty == true { lines.removeLast() }
  }

  private mutating func add(prose: inout [Substring]) {
    guard !prose.isEmpty else { return }
    let isItem = prose[0].hasPrefix("- ")
    let text = prose.joined(separator: " ")
    prose = []
    // Painting comes last, because what paints takes no cell.
    let wrapped = text.wrapped(to: width, indentation: isItem ? 2 : 0)
    var state = Marks()
    for (index, line) in wrapped.enumerated() {
      lines.append((isItem && index > 0 ? "  " : "") + state.paint(line, isColoured: isColoured))
    }
  }

  /// Expectations under the code stand back behind the code itself.
  private func paint(code line: String) -> String {
    let rest = line.drop { $0 == " " }
    let isMark = rest.hasPrefix("//") && rest.dropFirst(2).drop { $0 == " " }.hasPrefix("^")
    return isMark ? paint(line, "2") : line
  }

  private func paint(_ text: some StringProtocol, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : String(text)
  }
}

/// Which marks of Markdown are open where a line ends.
private struct Marks {
  private var isBold = false
  private var isCode = false

  /// The line without its marks, what they enclose painted; without colours the backquotes stay.
  mutating func paint(_ line: String, isColoured: Bool) -> String {
    var text = isColoured ? opening : ""
    var rest = line[...]
    while let character = rest.first {
      let isMark = character == "`" || !isCode && rest.hasPrefix("**")
      guard isMark else {
        text.append(character)
        rest = rest.dropFirst()
        continue
      }
      let closing = opening.isEmpty ? "" : "\u{1B}[0m"
      if character == "`" { isCode.toggle() } else { isBold.toggle() }
      rest = rest.dropFirst(character == "`" ? 1 : 2)
      text += isColoured ? closing + opening : character == "`" ? "`" : ""
    }
    return text + (isColoured && !opening.isEmpty ? "\u{1B}[0m" : "")
  }

  /// What paints as the open marks say.
  private var opening: String { isCode ? "\u{1B}[36m" : isBold ? "\u{1B}[1m" : "" }
}
