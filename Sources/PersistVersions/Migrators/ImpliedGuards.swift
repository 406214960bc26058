/// Conditions that ask what the database has: where a body has run, they only said what its work
/// needs anyway.
struct ImpliedGuards {
  private static let questions: Set<String> = [
    "tableExists", "viewExists", "triggerExists", "columns", "indexes", "foreignKeys",
  ]
  private static let catalogs = ["sqlite_master", "sqlite_schema", "table_info"]
  /// What a comparison at the end of a question says, and whether it denies what is asked.
  private static let comparisons: [(operation: String, value: String, denies: Bool)] = [
    ("==", "false", true), ("==", "nil", true), ("==", "0", true), ("==", "true", false),
    ("!=", "nil", false), (">", "0", false),
  ]

  /// What locals stand for that hold such an answer.
  private var answers: [Int: Form] = [:]

  /// Keeps the value of a local when it answers what the database has.
  mutating func note(_ statement: Form) {
    guard case .declaration(let local, let value) = statement else { return }
    let full = expanded(value)
    if asks(full) { answers[local] = full }
  }

  /// The statements under a condition that follows from what they do; nil for any other statement.
  func unguarded(_ statement: Form) -> [Form]? {
    guard let (conditions, body) = statement.condition, !body.isEmpty,
      conditions.allSatisfy({ isImplied($0, by: body) })
    else { return nil }
    return body
  }

  /// Whether a statement leaves the body early, on a condition that the rest of it can't meet.
  func leavesInVain(_ statement: Form, before rest: ArraySlice<Form>) -> Bool {
    let rest = Array(rest)
    if case .row(let parts) = statement, parts.first == .words("guard"), parts.count > 3,
      parts[parts.count - 2] == .words("else"), parts[parts.count - 1].isEmptyExit
    {
      return Form.conditions(parts[1..<(parts.count - 2)]).allSatisfy { isImplied($0, by: rest) }
    }
    guard case .row(let parts) = statement, parts.last?.isEmptyExit ?? false,
      let (conditions, _) = statement.condition, conditions.count == 1
    else { return false }
    return isImplied(conditions[0], by: rest, isDenied: true)
  }

  private func isImplied(
    _ condition: [Form], by statements: [Form], isDenied: Bool = false
  ) -> Bool {
    var isDenied = isDenied
    guard !condition.contains(.words("||")), var question = condition.first else { return false }
    while case .prefixed("!", let inner) = question {
      question = inner
      isDenied.toggle()
    }
    var rest = Array(condition.dropFirst())
    if let found = Self.comparisons.first(where: {
      rest.suffix(2) == [.words($0.operation), .words($0.value)]
    }) {
      rest.removeLast(2)
      if found.denies { isDenied.toggle() }
    } else if rest.isEmpty, case .member(let list, "isEmpty") = question {
      question = list
      isDenied.toggle()
    }
    let asked = Form([question] + rest)
    let full = expanded(asked)
    guard asks(full), let subject = subject(of: asked) ?? subject(of: full) else { return false }
    let makes = statements.contains { SchemaWork($0).made.contains(subject) }
    if isDenied { return makes }
    return !makes && statements.contains { SchemaWork($0).names.contains(subject) }
  }

  /// What is asked for: the name that stands last.
  private func subject(of question: Form) -> String? {
    guard let last = question.texts.last else { return nil }
    guard SQLText.isSQL(last) else { return SQLText.name(last).lowercased() }
    let tokens = SQLText(last).statements.last ?? []
    let name = tokens.last { $0.first == "'" } ?? tokens.last { $0.first?.isLetter ?? false }
    return name.map { SQLText.name($0.replacing("'", with: "")).lowercased() }
  }

  private func asks(_ form: Form) -> Bool {
    form.all.contains { part in
      if case .text(let text) = part { return Self.catalogs.contains { text.contains($0) } }
      return part.called.map { $0.receiver != nil && Self.questions.contains($0.name) } ?? false
    }
  }

  /// A form with what is known of its first local.
  private func expanded(_ form: Form) -> Form {
    guard let value = form.firstLocal.flatMap({ answers[$0] }) else { return form }
    return form.replacingFirst(with: value)
  }
}

extension Form {
  /// The conditions and the body of an `if` without an `else`.
  fileprivate var condition: (conditions: [[Form]], body: [Form])? {
    guard case .row(let parts) = self, parts.first == .words("if"), parts.count > 2,
      case .block(let body)? = parts.last
    else { return nil }
    let head = parts[1..<(parts.count - 1)]
    guard !head.contains(where: { $0.all.contains(where: \.isBlock) }) else { return nil }
    return (Self.conditions(head), body)
  }

  private var isBlock: Bool {
    switch self {
    case .block, .closure, .loop: true
    default: false
    }
  }

  /// Whether it is a block that only leaves what it stands in.
  fileprivate var isEmptyExit: Bool { self == .block([]) || self == .block([.leave(nil)]) }

  /// What all has to hold in a condition, each part with its operands and operators.
  fileprivate static func conditions(_ parts: ArraySlice<Form>) -> [[Form]] {
    parts.split(separator: .words(",")).flatMap { condition -> [[Form]] in
      var flat = Array(condition)
      if case .row(let parts) = flat[0], flat.count == 1 { flat = parts }
      return flat.split(separator: .words("&&")).map(Array.init)
    }
  }
}

/// What a statement does with tables, columns and indexes, by their names in lower case.
struct SchemaWork {
  /// What it makes.
  private(set) var made: Set<String> = []
  /// What it speaks of otherwise.
  private(set) var names: Set<String> = []
  /// Whether it is a single change of tables, columns or indexes.
  let isDefinition: Bool

  private static let makers = ["table", "index", "virtualTable", "view", "trigger"]
  private static let definitions: Set<String> = ["create", "alter", "drop", "rename"]

  init(_ statement: Form) {
    let call = statement.firstCall
    isDefinition =
      statement.startsWithLocal && call.map { Self.definitions.contains($0.name) } ?? false
      || call?.name == "execute" && call?.receiver != nil
        && statement.texts.first.map(Self.changesSchema) ?? false
    for text in statement.texts {
      if SQLText.isSQL(text) {
        read(SQLText(text))
      } else {
        names.insert(text.lowercased())
      }
    }
    for call in statement.all.compactMap(\.called) {
      let labels = call.name == "create" ? Self.makers : call.name == "add" ? ["column"] : []
      let first = call.arguments.first
      made.formUnion(labels.compactMap { first?.labelled($0)?.template?.lowercased() })
      if call.name == "rename" {
        let new = call.arguments.compactMap { $0.labelled("to")?.template?.lowercased() }
        made.formUnion(new)
      }
    }
    names.subtract(made)
  }

  /// Whether a statement makes or changes tables, columns or indexes somewhere in it.
  static func defines(in statement: Form) -> Bool {
    statement.all.contains { part in
      if case .text(let text) = part { return changesSchema(text) }
      return part.called.map { $0.receiver != nil && definitions.contains($0.name) } ?? false
    }
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
