/// Conditions that ask what the database has: where a body has run, they only said what its work
/// needs anyway.
struct SchemaGuards {
  private static let questions = [
    ".tableExists(", ".viewExists(", ".triggerExists(", ".columns(in:", ".indexes(on:",
    ".foreignKeys(on:", "sqlite_master", "sqlite_schema", "table_info", "pragma_table_info",
  ]

  /// What locals stand for that hold such an answer.
  private var answers: [Substring: String] = [:]

  /// Keeps the value of a local when it answers what the database has.
  mutating func note(_ statement: String) {
    guard statement.hasPrefix("let %"), let equals = statement.firstRange(of: " = ") else { return }
    let local = statement[..<equals.lowerBound].dropFirst(4)
    let value = expanded(String(statement[equals.upperBound...]))
    if asks(value) { answers[local] = value }
  }

  /// The statements under a condition that follows from what they do; nil for any other statement.
  func unguarded(_ statement: String) -> [String]? {
    guard statement.hasPrefix("if "), let (head, body) = statement.lastBlock,
      !head.contains("{"), !body.isEmpty
    else { return nil }
    let statements = body.parts(at: ";")
    return isImplied(String(head.dropFirst(3)), by: statements) ? statements : nil
  }

  /// Whether a statement leaves the body early, on a condition that the rest of it can't meet.
  func leavesInVain(_ statement: String, before rest: ArraySlice<String>) -> Bool {
    guard let (head, body) = statement.lastBlock, body.isEmpty || body == "return" else {
      return false
    }
    if statement.hasPrefix("guard "), head.hasSuffix(" else ") {
      return isImplied(String(head.dropFirst(6).dropLast(6)), by: Array(rest))
    }
    guard statement.hasPrefix("if "), !head.contains("{") else { return false }
    let condition = String(head.dropFirst(3)).trimmingSpaces
    guard condition.parts(at: "&&").count == 1, condition.parts(at: ",").count == 1 else {
      return false
    }
    return isImplied(
      condition.hasPrefix("!") ? String(condition.dropFirst()) : "!" + condition, by: Array(rest))
  }

  private func isImplied(_ condition: String, by statements: [String]) -> Bool {
    let all = condition.parts(at: ",").flatMap { $0.parts(at: "&&") }
    guard !all.isEmpty, condition.parts(at: "||").count == 1 else { return false }
    return all.allSatisfy { isImplied(one: $0, by: statements) }
  }

  private func isImplied(one condition: String, by statements: [String]) -> Bool {
    var question = condition
    var isDenied = false
    while question.hasPrefix("!") {
      question = String(question.dropFirst()).trimmingSpaces
      isDenied.toggle()
    }
    for (ending, denies) in [
      (" == false", true), (" == nil", true), (" == 0", true), (" == true", false),
      (" != nil", false), (" > 0", false), (".isEmpty", true),
    ] where question.hasSuffix(ending) {
      question = String(question.dropLast(ending.count))
      if denies { isDenied.toggle() }
      break
    }
    let full = expanded(question)
    guard asks(full), let subject = subject(of: question) ?? subject(of: full) else { return false }
    let makes = statements.contains { SchemaWork($0).made.contains(subject) }
    if isDenied { return makes }
    return !makes && statements.contains { SchemaWork($0).names.contains(subject) }
  }

  /// What is asked for: the name that stands last.
  private func subject(of question: String) -> String? {
    guard let last = question.literals.last else { return nil }
    guard SQLText.isSQL(last) else { return SQLText.name(last).lowercased() }
    let tokens = SQLText(last).statements.last ?? []
    let name = tokens.last { $0.first == "'" } ?? tokens.last { $0.first?.isLetter ?? false }
    return name.map { SQLText.name($0.replacing("'", with: "")).lowercased() }
  }

  private func asks(_ text: String) -> Bool {
    Self.questions.contains { text.contains($0) }
  }

  /// A text with what is known of its first local.
  private func expanded(_ text: String) -> String {
    guard text.hasPrefix("%") else { return text }
    let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard let value = answers[text.prefix(digits.count + 1)] else { return text }
    return value + text.dropFirst(digits.count + 1)
  }
}

/// What a statement does with tables, columns and indexes, by their names in lower case.
struct SchemaWork {
  /// What it makes.
  private(set) var made: Set<String> = []
  /// What it speaks of otherwise.
  private(set) var names: Set<String> = []
  /// Whether it is a single change of tables, columns or indexes.
  private(set) var isDefinition = false

  private static let makers = [
    "create(table:", "create(index:", "create(virtualTable:", "create(view:", "add(column:",
    "create(trigger:",
  ]
  private static let definitions = [".create(", ".alter(", ".drop(", ".rename("]

  init(_ statement: String) {
    for text in statement.literals {
      if SQLText.isSQL(text) {
        read(SQLText(text))
      } else {
        names.insert(text.lowercased())
      }
    }
    for maker in Self.makers {
      made.formUnion(statement.parts(after: maker).compactMap { $0.firstLiteral?.lowercased() })
    }
    made.formUnion(
      statement.parts(after: "rename(").compactMap { $0.argument("to:")?.lowercased() })
    names.subtract(made)
    let head = statement.prefix { $0 != "(" } + "("
    isDefinition =
      head.hasPrefix("%") && Self.definitions.contains { head.hasSuffix($0) }
      || head.hasSuffix(".execute(") && statement.literals.first.map(Self.changesSchema) ?? false
  }

  /// Whether a statement makes or changes tables, columns or indexes somewhere in it.
  static func defines(in statement: String) -> Bool {
    definitions.contains { statement.contains($0) }
      || statement.literals.contains(where: changesSchema)
  }

  private static func changesSchema(_ sql: String) -> Bool {
    let statements = SQLText(sql).statements
    return !statements.isEmpty
      && statements.allSatisfy {
        ["CREATE", "ALTER", "DROP"].contains($0[0].uppercased())
          && !$0.contains { $0.uppercased() == "SELECT" }
      }
  }

  private mutating func read(_ sql: SQLText) {
    for tokens in sql.statements {
      let upper = tokens.map { $0.uppercased() }
      var end = tokens.startIndex
      if upper[0] == "CREATE",
        let kind = upper.firstIndex(where: { ["TABLE", "INDEX", "VIEW", "TRIGGER"].contains($0) })
      {
        end = kind + 1
        while end < tokens.count, ["IF", "NOT", "EXISTS"].contains(upper[end]) { end += 1 }
      } else if upper[0] == "ALTER", let add = upper.firstIndex(of: "ADD") {
        end = add + 1
        if end < tokens.count, upper[end] == "COLUMN" { end += 1 }
      } else if upper[0] == "ALTER", let to = upper.firstIndex(of: "TO") {
        end = to + 1
      } else {
        end = tokens.count
      }
      if end < tokens.count { made.insert(SQLText.name(tokens[end]).lowercased()) }
      // A table that is made says nothing of what was there.
      let rest = upper[0] == "CREATE" && upper.contains("TABLE") ? [] : tokens[...]
      names.formUnion(rest.map { SQLText.name($0).lowercased() })
    }
  }
}

extension String {
  /// What follows each place of a text.
  fileprivate func parts(after text: String) -> [Substring] {
    var found: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      rest = rest[range.upperBound...]
      found.append(rest)
    }
    return found
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The first string, where the text begins with one.
  fileprivate var firstLiteral: String? {
    guard hasPrefix(MigrationText.open) else { return nil }
    return String(dropFirst().prefix { String($0) != MigrationText.close })
  }

  /// The string of an argument of the call that the text begins in.
  fileprivate func argument(_ label: String) -> String? {
    let call = prefix { $0 != ")" }
    return call.firstRange(of: label).flatMap { call[$0.upperBound...].firstLiteral }
  }
}
