import PersistSchema
import PersistStore

/// What a store says of itself, for people.
struct StoreText {
  private let input: StoreInput
  private var lines: [String] = []

  init(_ input: StoreInput) { self.input = input }

  var text: String {
    var text = self
    text.addMaker()
    text.addEntities()
    text.addTables()
    text.addPages()
    text.lines += input.file.gaps.map { "not read: \($0)" }
    return text.lines.joined(separator: "\n") + "\n"
  }

  private mutating func addMaker() {
    let file = input.file
    var line = "\(input.path): written by \(file.maker.rawValue)"
    if let metadata = file.metadata {
      if let version = metadata.frameworkVersion { line += ", framework \(version)" }
      if !metadata.versionIdentifiers.isEmpty {
        line += ", version \(metadata.versionIdentifiers.joined(separator: ", "))"
      }
    }
    lines.append(line)
    if let checksum = file.metadata?.checksum { lines.append("checksum  \(checksum)") }
  }

  private mutating func addEntities() {
    let hashes = input.file.metadata?.entityHashes ?? [:]
    guard let shape = input.file.shape else {
      for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
        lines.append("  \(name)  \(hash.hex)")
      }
      return
    }
    for entity in shape.entities {
      var line = "  \(entity.name)"
      if entity.isAbstract { line += "  abstract" }
      if let parent = entity.superentity { line += "  is a \(parent)" }
      if let rows = input.file.tables.first(where: { $0.entity == entity.name })?.rows {
        line += "  \(rows) \(rows == 1 ? "row" : "rows")"
      }
      if let hash = hashes[entity.name] { line += "  \(hash.hex)" }
      lines.append(line)
      let width = (entity.properties.map(\.name.count).max() ?? 0) + 2
      for property in entity.properties {
        lines.append("    \(property.name.filled(to: width))\(property.words)")
      }
      for keys in entity.uniqueness {
        lines.append("    unique \(keys.joined(separator: ", "))")
      }
    }
  }

  private mutating func addTables() {
    let rest = input.file.tables.filter { $0.entity == nil && !Self.own.contains($0.name) }
    for table in rest {
      lines.append("  table \(table.name)  \(table.rows) \(table.rows == 1 ? "row" : "rows")")
      guard [.grdb, .sqlite].contains(input.file.maker) else { continue }
      let width = (table.columns.map(\.name.count).max() ?? 0) + 2
      for column in table.columns {
        lines.append(
          "    " + (column.declaration.isEmpty ? column.name : column.name.filled(to: width))
            + column.declaration)
      }
      lines += table.constraints.map { "    \($0)" }
    }
    if !input.file.migrations.isEmpty {
      lines.append("migrations that ran: \(input.file.migrations.joined(separator: ", "))")
    }
  }

  private mutating func addPages() {
    let file = input.file
    if file.history.transactions > 0 || file.history.changes > 0 {
      lines.append(
        "persistent history: \(file.history.transactions) transactions, "
          + "\(file.history.changes) changes, \(file.history.bytes) bytes")
    }
    lines.append("\(file.pageCount) pages of \(file.pageSize) bytes, \(file.freePages) free")
    if let pages = file.logPages {
      lines.append(
        "\(pages) \(pages == 1 ? "page is" : "pages are") newer in \(input.logPath ?? "the log"); "
          + "a copy of the main file alone lacks them")
    } else if let path = input.logPath {
      lines.append("\(path) has nothing newer")
    }
  }

  /// The tables that Core Data keeps for itself.
  private static let own: Set<String> = [
    "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY", "ACHANGE", "ATRANSACTION",
    "ATRANSACTIONSTRING", "grdb_migrations",
  ]
}

extension Property {
  /// Type, optionality, and what else the property has.
  var words: String {
    let mark = isOptional ? "?" : ""
    switch kind {
    case .attribute(let attribute):
      var text = attribute.type.spelling + mark
      if let value = attribute.defaultText { text += " = \(value)" }
      if attribute.isExternal { text += "  external" }
      if case .transformer(let name) = attribute.coding { text += "  by \(name)" }
      return text
    case .relationship(let relationship):
      let name = relationship.destinationName
      var text = (relationship.isToMany ? "[\(name)]" : name) + mark
      if relationship.isOrdered { text += "  ordered" }
      text += relationship.inverse.name.map { "  inverse \($0)" } ?? "  no inverse"
      return text + ", \(relationship.deleteRule)"
    }
  }
}

extension [UInt8] {
  /// Lower-case hexadecimal digits.
  var hex: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
