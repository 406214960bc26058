import PersistReport
import PersistSchema

/// What differs between two versions, a line a change with its verdict.
struct SchemaDifference {
  let migration: Migration
  let names: (String, String)

  init(migration: Migration, names: (String, String)) {
    self.migration = migration
    self.names = names
  }

  /// The difference between the versions that `VERSION` or `REF:VERSION` name.
  init(from old: String, to new: String, in sources: SchemaSources) throws(CommandError) {
    var reader = ShapeReader(sources: sources)
    let (before, after) = (try reader.shape(old), try reader.shape(new))
    self.init(
      migration: Migration(
        from: before.shape, to: after.shape,
        needsDistinctVersions: !before.isDataModel && before.key != after.key),
      names: (old, new))
  }

  var text: String {
    let judgements = migration.judgements
    let width = (judgements.map { verdict($0).count }.max() ?? 0) + 2
    var text = ""
    for judgement in judgements {
      text += verdict(judgement).filled(to: width)
      text += "\(judgement.change.line)  \(judgement.reason)\n"
    }
    return text + summary
  }

  var json: String {
    var json: JSON = ["version": 1, "summary": .string(String(summary.dropLast()))]
    json.add("difference", members)
    return json.text
  }

  /// The changes with their verdicts, for other programs.
  var members: JSON { migration.json(from: names.0, to: names.1) }

  /// One Mermaid diagram: a class for each entity that differs, with its changes as members.
  var mermaid: String {
    var text =
      "---\ntitle: \"\(SchemaDiagram.plain(String(summary.dropLast())))\"\n---\nclassDiagram\n"
    let entities = Dictionary(grouping: migration.judgements, by: \.change.subject.entity)
    for (index, (entity, judgements)) in entities.sorted(by: { $0.key < $1.key }).enumerated() {
      text += "  class E\(index)[\"\(SchemaDiagram.plain(entity))\"] {\n"
      for judgement in judgements {
        let change = judgement.change.line
        let own = change.hasPrefix("\(entity).") ? change.dropFirst(entity.count + 1) : change[...]
        let line = SchemaDiagram.member("\(own)  \(verdict(judgement))")
        text += "    \(line)\n"
      }
      text += "  }\n"
    }
    if entities.isEmpty { text += "  class Same[\"nothing differs\"]\n" }
    return text
  }

  private var summary: String {
    let (old, new) = names
    if migration.isTwin, migration.needsDistinctVersions {
      return
        "\(old) → \(new): can't open: both have the same checksum, and an app whose plan lists both "
        + "crashes at launch\n"
    }
    if migration.judgements.isEmpty { return "\(old) → \(new): nothing differs\n" }
    return "\(old) → \(new): \(migration.verdict?.words ?? "not judged")\n"
  }

  private func verdict(_ judgement: MigrationJudgement) -> String {
    let words = judgement.verdict?.words ?? "not judged"
    return judgement.code.map { "\(words) (\($0))" } ?? words
  }
}

extension Change {
  /// The change as one line: `Trip.note  String → String?`.
  var line: String {
    switch aspect {
    case .attribute, .relationship, .member:
      "\(subject.name): \(before ?? "none") → \(after ?? "none")"
    case .entity: "\(subject.name): \(before == nil ? "added" : "removed")"
    case .renamed: "\(subject.name): renamed from \(before ?? "")"
    default:
      "\(subject.name) \(aspect.rawValue): \(said(before)) → \(said(after))"
    }
  }

  private func said(_ value: String?) -> String {
    switch value {
    case nil: "no"
    case ""?: "yes"
    case let value?: value
    }
  }
}
