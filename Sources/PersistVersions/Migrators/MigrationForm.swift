import PersistSchema

/// Brings the statements of a migration into the form in which they are compared.
enum MigrationForm {
  private static let writes = [
    "execute(", "insert(", "create(", "alter(", "drop(", "rename(", "update(", "delete(", "save(",
    "upsert(", "deleteAll(", "updateAll(",
  ]

  /// The statements without values that nothing uses and without conditions that follow from what
  /// they guard, their locals numbered anew by the order in which they come.
  static func canonical(_ statements: [String]) -> [String] {
    var guards = SchemaGuards()
    var rest = simple(statements, &guards)
    var index = rest.count - 1
    while index >= 0 {
      if declaresUnusedLocal(rest, index) { rest.remove(at: index) }
      index -= 1
    }
    rest = rest.map { tolerant(TableForm.canonical($0)) }
    sortIndexes(&rest)
    var numbers: [Substring: Int] = [:]
    return TableForm.withoutKnownKeys(rest).map { renumber($0, &numbers) }
  }

  /// A sum of what makes or changes tables, columns and indexes in a canonical form.
  static func definitions(_ statements: [String]) -> String {
    var sum = Fingerprint()
    var numbers: [Substring: Int] = [:]
    for statement in statements where SchemaWork.defines(in: statement) {
      sum.combine(renumber(statement, &numbers))
    }
    return sum.description
  }

  /// One statement each: unguarded, and SQL that says several things said one by one.
  private static func simple(_ statements: [String], _ guards: inout SchemaGuards) -> [String] {
    var found: [String] = []
    for (index, statement) in statements.enumerated() {
      guards.note(statement)
      if guards.leavesInVain(statement, before: statements[(index + 1)...]) { continue }
      if let inner = guards.unguarded(statement) {
        found += simple(inner, &guards)
        continue
      }
      var text = statement
      // What was there already when it failed is there all the same.
      if text.hasPrefix("try? "), SchemaWork(String(text.dropFirst(5))).isDefinition {
        text = String(text.dropFirst(5))
      }
      found += oneByOne(executed(text))
    }
    return found
  }

  /// `#sql("…").execute(db)` as `db.execute(sql: "…")`.
  private static func executed(_ statement: String) -> String {
    guard statement.hasPrefix("# sql("), statement.hasSuffix(")"),
      let call = statement.firstRange(of: MigrationText.close + ").execute(%")
    else { return statement }
    let sql = statement[..<call.lowerBound].dropFirst(6)
    let database = statement[call.upperBound...].dropLast()
    guard database.allSatisfy(\.isNumber) else { return statement }
    return "%\(database).execute(\(sql)\(MigrationText.close))"
  }

  private static func oneByOne(_ statement: String) -> [String] {
    guard statement.hasPrefix("%"), let call = statement.firstRange(of: ".execute("),
      statement.hasSuffix(")"),
      let sql = MigrationText(String(statement[call.upperBound...].dropLast())).template
    else { return [statement] }
    let statements = SQLText(sql).statements
    guard statements.count > 1 else { return [statement] }
    return statements.map {
      statement[..<call.upperBound]
        + MigrationText(literal: $0.joined(separator: " ")).description + ")"
    }
  }

  /// Indexes that are made one after another may come in any order.
  private static func sortIndexes(_ statements: inout [String]) {
    var start = 0
    while start < statements.count {
      var end = start
      while end < statements.count, makesIndex(statements[end]) { end += 1 }
      if end > start + 1 { statements[start..<end].sort() }
      start = max(end, start + 1)
    }
  }

  private static func makesIndex(_ statement: String) -> Bool {
    let head = statement.prefix { $0 != MigrationText.open.first }
    if head.hasSuffix(".create(index:") { return true }
    guard head.hasSuffix(".execute("), let sql = statement.literals.first else { return false }
    return sql.hasPrefix("CREATE INDEX ") || sql.hasPrefix("CREATE UNIQUE INDEX ")
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
