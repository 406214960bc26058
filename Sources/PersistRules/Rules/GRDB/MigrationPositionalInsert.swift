import PersistIndex
import PersistVersions

/// A copy that pairs columns of two tables by order: one more column breaks it.
struct MigrationPositionalInsert: Rule {
  static let id: RuleID = "migration-positional-insert"

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    for migration in program.migrators.flatMap(\.migrations) {
      let made = migration.tablesMade
      for step in migration.steps {
        guard let sql = step.sql else { continue }
        for statement in sql.statements {
          guard let copy = PositionalCopy(statement) else { continue }
          let maker = made[copy.table.lowercased()].map { migration.columns(of: $0, copy.table) }
          let place = step.arguments.first { $0.label == "sql" || $0.label == "literal" }?.place
          let ref = place ?? step.call
          switch copy.judge(maker) {
          case .right: continue
          case .differs(let have, let given):
            guard seen.insert(ref).inserted else { continue }
            findings.report(
              .differs(migration.id, copy.table, have, given), at: ref, severity: .error)
          case .fragile:
            guard seen.insert(ref).inserted else { continue }
            findings.report(.pairs(migration.id, copy.table), at: ref)
          }
        }
      }
    }
  }
}

/// The columns of a table as a migration makes it.
struct TableColumns {
  /// How many; nil where that can't be told.
  let count: Int?
  /// Whether the migration's own code lists them, and no function that others call as well.
  let isOwn: Bool
}

/// `INSERT INTO table SELECT …` without the names of the columns.
private struct PositionalCopy {
  enum Judgement {
    case right, fragile
    case differs(have: Int, given: Int)
  }

  let table: String
  /// How many columns are selected; nil for `*`.
  let count: Int?

  init?(_ tokens: [String]) {
    let words = tokens.map { $0.uppercased() }
    guard words.first == "INSERT" || words.first == "REPLACE",
      let into = words.firstIndex(of: "INTO"), into + 2 < words.count
    else { return nil }
    var next = into + 2
    if words[next] == "AS" { next += 2 }
    guard next < words.count, words[next] == "SELECT" else { return nil }
    table = SQLText.name(tokens[into + 1])
    guard !table.contains("\u{E002}") else { return nil }
    var depth = 0
    var columns = 1
    var hasStar = false
    scan: for word in words[(next + 1)...] {
      switch word {
      case "(": depth += 1
      case ")": depth -= 1
      case "," where depth == 0: columns += 1
      case "*" where depth == 0: hasStar = true
      case "FROM" where depth == 0: break scan
      default: break
      }
      if word.hasPrefix("\u{E002}") { hasStar = true }
    }
    count = hasStar ? nil : columns
  }

  /// Whether the table's columns and those selected are known to be the same, now and later.
  func judge(_ columns: TableColumns?) -> Judgement {
    guard let columns else { return .fragile }
    if let count, let have = columns.count, have != count {
      return .differs(have: have, given: count)
    }
    return columns.isOwn && count != nil ? .right : .fragile
  }
}

extension RegisteredMigration {
  private static let defining: Set<String> = [
    "column", "primaryKey", "autoIncrementedPrimaryKey", "deprecatedColumn",
  ]

  /// The columns that the step which makes a table gives it.
  fileprivate func columns(of maker: Int, _ table: String) -> TableColumns {
    let step = steps[maker]
    if let sql = step.sql {
      let made = sql.statements.first { statement in
        let work = TableWork(sql: statement)
        return work.kind == .create && work.tables.first == table.lowercased()
      }
      return TableColumns(count: made.flatMap(Self.count), isOwn: step.path.count == path.count)
    }
    let inner = steps.indices.filter { steps[$0].outer == maker }.map { steps[$0] }
    let isKnown = inner.allSatisfy {
      $0.name != "belongsTo" && $0.name != "column"
        || $0.name == "column" && $0.arguments.first?.value.literal != nil
    }
    let count = inner.count { step in
      Self.defining.contains(step.name) && step.arguments.first?.value.literal != nil
        || step.name == "autoIncrementedPrimaryKey" && step.arguments.isEmpty
    }
    let isOwn = step.path.count == path.count && inner.allSatisfy { $0.path.count == path.count }
    return TableColumns(count: isKnown && count > 0 ? count : nil, isOwn: isOwn)
  }

  /// How many columns `CREATE TABLE` lists.
  private static func count(_ tokens: [String]) -> Int? {
    guard let open = tokens.firstIndex(of: "(") else { return nil }
    let constraints: Set<String> = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]
    var depth = 0
    var columns = 0
    var isFirst = true
    for token in tokens[open...] {
      switch token {
      case "(": depth += 1
      case ")":
        depth -= 1
        if depth == 0 { return columns }
      case "," where depth == 1: isFirst = true
      default:
        if token.contains("\u{E002}") { return nil }
        if depth == 1, isFirst {
          isFirst = false
          if !constraints.contains(token.uppercased()) { columns += 1 }
        }
      }
    }
    return nil
  }
}

extension Finding.Message {
  fileprivate static func pairs(_ id: String, _ table: String) -> Self {
    """
    this copies into `\(table)` by column order, so one more column in either table breaks `\(id)` \
    for users of older versions or puts values into the wrong columns; name the columns on both \
    sides
    """
  }

  fileprivate static func differs(
    _ id: String, _ table: String, _ have: Int, _ given: Int
  ) -> Self {
    """
    `\(id)` fails for everyone who hasn't run it yet, because `\(table)` has \(have) columns and \
    gets \(given) values; name the columns on both sides
    """
  }
}
