/// The Markdown of a rule's page as HTML: headings, paragraphs, lists, code, and links to the web.
struct PageHTML {
  private var html = ""

  init(_ markdown: String) {
    var prose: [Substring] = []
    var code: [Substring]?
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        add(prose: &prose)
        if let lines = code { html += "<pre><code>\(Self.code(lines))</code></pre>\n" }
        code = code == nil ? [] : nil
      } else if code != nil {
        code?.append(line)
      } else if line.hasPrefix("#") {
        add(prose: &prose)
        html += "<h4>\(Self.marked(line.drop { $0 == "#" || $0 == " " }))</h4>\n"
      } else if line.isEmpty {
        add(prose: &prose)
      } else {
        if line.hasPrefix("- "), !(prose.first?.hasPrefix("- ") ?? true) { add(prose: &prose) }
        prose.append(line)
      }
    }
    add(prose: &prose)
    if let code { html += "<pre><code>\(Self.code(code))</code></pre>\n" }
  }

  var text: String { html }

  private mutating func add(prose: inout [Substring]) {
    defer { prose = [] }
    guard let first = prose.first else { return }
    guard first.hasPrefix("- ") else {
      html += "<p>\(Self.marked(prose.joined(separator: " ")[...]))</p>\n"
      return
    }
    var items: [String] = []
    for line in prose {
      if line.hasPrefix("- ") {
        items.append(String(line.dropFirst(2)))
      } else {
        items[items.count - 1] += " " + line.drop { $0 == " " }
      }
    }
    html += "<ul>\(items.map { "<li>\(Self.marked($0[...]))</li>" }.joined())</ul>\n"
  }

  /// Code with the lines that say what is expected under it in the back.
  private static func code(_ lines: [Substring]) -> String {
    lines.map { line in
      let rest = line.drop { $0 == " " }
      let isMark = rest.hasPrefix("//") && rest.dropFirst(2).drop { $0 == " " }.hasPrefix("^")
      let text = String(line).html
      return isMark ? "<span class=\"soft\">\(text)</span>" : text
    }.joined(separator: "\n")
  }

  /// Prose with its code, bold words and links.
  private static func marked(_ prose: Substring) -> String {
    var html = ""
    var rest = prose
    var isBold = false
    while let character = rest.first {
      if character == "`", let end = rest.dropFirst().firstIndex(of: "`") {
        html += "<code>\(String(rest[..<end].dropFirst()).html)</code>"
        rest = rest[end...].dropFirst()
      } else if rest.hasPrefix("**") {
        html += isBold ? "</strong>" : "<strong>"
        isBold.toggle()
        rest = rest.dropFirst(2)
      } else if let (link, left) = link(at: rest) {
        html += link
        rest = left
      } else {
        html += String(character).html
        rest = rest.dropFirst()
      }
    }
    return html + (isBold ? "</strong>" : "")
  }

  /// `[words](address)` or a bare address, if that is what a text begins with, and what follows.
  private static func link(at text: Substring) -> (html: String, rest: Substring)? {
    if text.first == "[", let close = text.firstIndex(of: "]") {
      let behind = text[close...].dropFirst()
      guard behind.first == "(", let end = behind.firstIndex(of: ")") else { return nil }
      let address = String(behind[..<end].dropFirst())
      guard address.hasPrefix("https://") else { return nil }
      let words = String(text[..<close].dropFirst())
      return (anchor(address, words.htmlWithCode), behind[end...].dropFirst())
    }
    guard text.hasPrefix("https://") else { return nil }
    let address = String(text.prefix { !$0.isWhitespace && $0 != ")" && $0 != "<" })
    return (anchor(address, address.html), text.dropFirst(address.count))
  }

  private static func anchor(_ address: String, _ words: String) -> String {
    "<a href=\"\(address.html)\" rel=\"noreferrer\">\(words)</a>"
  }
}
