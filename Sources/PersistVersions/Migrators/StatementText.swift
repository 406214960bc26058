/// Takes the text of a statement apart; what stands in brackets or in strings stays together.
extension String {
  /// The parts between separators.
  func parts(at separator: String) -> [String] {
    var parts: [String] = []
    var start = startIndex
    var end = startIndex
    forEachOuterIndex { index in
      guard index >= end, self[index...].hasPrefix(separator) else { return }
      parts.append(String(self[start..<index]))
      end = self.index(index, offsetBy: separator.count)
      start = end
    }
    parts.append(String(self[start...]))
    return parts.map { $0.trimmingSpaces }.filter { !$0.isEmpty }
  }

  /// What stands before the block or closure that ends the text, and what stands in it.
  var lastBlock: (head: String, body: String)? {
    guard last == "}" else { return nil }
    var open: Index?
    forEachOuterIndex { index in if self[index] == "{" { open = index } }
    guard let open else { return nil }
    return (String(self[..<open]), String(self[index(after: open)...].dropLast()))
  }

  /// What stands in the brackets around the whole text.
  func inside(_ brackets: String) -> String? {
    guard count > 1, first == brackets.first, last == brackets.last else { return nil }
    var outer = 0
    forEachOuterIndex { _ in outer += 1 }
    return outer == 1 ? String(dropFirst().dropLast()) : nil
  }

  /// The strings in it, those inside of others left out.
  var literals: [String] {
    var found: [String] = []
    var depth = 0
    var start = startIndex
    for index in indices {
      switch String(self[index]) {
      case MigrationText.open:
        if depth == 0 { start = self.index(after: index) }
        depth += 1
      case MigrationText.close:
        depth -= 1
        if depth == 0 { found.append(String(self[start..<index])) }
      default: break
      }
    }
    return found
  }

  /// The text without white space around it.
  var trimmingSpaces: String {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }

  /// Visits the characters outside of brackets and strings, opening brackets included.
  private func forEachOuterIndex(_ visit: (Index) -> Void) {
    var strings = 0
    var brackets = 0
    for index in indices {
      let character = self[index]
      switch String(character) {
      case MigrationText.open:
        if strings == 0, brackets == 0 { visit(index) }
        strings += 1
      case MigrationText.close: strings -= 1
      default:
        guard strings == 0 else { continue }
        if ")]}".contains(character) {
          brackets -= 1
          continue
        }
        if brackets == 0 { visit(index) }
        if "([{".contains(character) { brackets += 1 }
      }
    }
  }
}
