/// Brings the statements of a migration into the form in which they are compared.
enum MigrationForm {
  private static let writes = [
    "execute(", "insert(", "create(", "alter(", "drop(", "rename(", "update(", "delete(", "save(",
    "upsert(", "deleteAll(", "updateAll(",
  ]

  /// The statements without values that nothing uses, their locals numbered anew by the order in
  /// which they come.
  static func canonical(_ statements: [String]) -> [String] {
    var rest = statements
    var index = rest.count - 1
    while index >= 0 {
      if declaresUnusedLocal(rest, index) { rest.remove(at: index) }
      index -= 1
    }
    var numbers: [Substring: Int] = [:]
    return rest.map { tolerant(renumber($0, &numbers)) }
  }

  /// A statement without what lets it pass where its work is done already: it does the same
  /// wherever it did something.
  private static func tolerant(_ statement: String) -> String {
    ["IF NOT EXISTS ", "IF EXISTS ", ",ifNotExists:true", ",options:.ifNotExists"]
      .reduce(statement) { $0.replacing($1, with: "") }
  }

  /// Whether a statement declares a local that no later one names, with a value that changes nothing.
  private static func declaresUnusedLocal(_ statements: [String], _ index: Int) -> Bool {
    let statement = statements[index]
    guard statement.hasPrefix("let %") else { return false }
    let local = statement.dropFirst(4).prefix { $0 != " " }
    return !writes.contains { statement.contains($0) }
      && !statements[(index + 1)...].contains { mentions($0, local) }
  }

  private static func mentions(_ statement: String, _ local: Substring) -> Bool {
    locals(in: statement).contains { statement[$0] == local }
  }

  private static func renumber(_ statement: String, _ numbers: inout [Substring: Int]) -> String {
    var result = ""
    var at = statement.startIndex
    for range in locals(in: statement) {
      let local = statement[range]
      let number = numbers[local] ?? numbers.count + 1
      numbers[local] = number
      result += statement[at..<range.lowerBound] + "%\(number)"
      at = range.upperBound
    }
    return result + statement[at...]
  }

  /// Where locals stand in a statement: `%` and digits.
  private static func locals(in statement: String) -> [Range<String.Index>] {
    var found: [Range<String.Index>] = []
    var at = statement.startIndex
    while let start = statement[at...].firstIndex(of: "%") {
      var end = statement.index(after: start)
      while end < statement.endIndex, statement[end].isASCII, statement[end].isNumber {
        end = statement.index(after: end)
      }
      if end > statement.index(after: start) { found.append(start..<end) }
      at = end
    }
    return found
  }
}
