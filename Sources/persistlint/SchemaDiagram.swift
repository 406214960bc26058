import PersistIndex
import PersistSchema
import PersistVersions

/// Diagrams of the chain of versions with the verdict on each arrow, and of the entities of the newest
/// ones, or of those that are named.
struct SchemaDiagram {
  /// An arrow from one version to the next.
  private struct Arrow {
    let from: String
    let to: String
    let label: String
  }

  private let arrows: [Arrow]
  private let shapes: [(name: String, shape: SchemaShape)]

  /// `names` are keys of versions, or the ends of keys; empty for all.
  init(_ program: SchemaProgram, _ names: [String] = []) throws(CommandError) {
    let reading = DiagramReading(program)
    guard !names.isEmpty else {
      arrows = reading.arrows.map { Arrow(from: $0.from, to: $0.to, label: $0.label) }
      shapes = reading.newest
      return
    }
    var keys: Set<String> = []
    for name in names {
      let named = reading.all.keys.filter { $0 == name || $0.hasSuffix("/" + name) }
      guard !named.isEmpty else {
        throw .usage(
          "no version is called '\(name)'"
            + suggestion(for: name, in: DataModel.sorted(reading.all.keys)))
      }
      keys.formUnion(named)
    }
    arrows = reading.arrows.filter { keys.contains($0.from) && keys.contains($0.to) }
      .map { Arrow(from: $0.from, to: $0.to, label: $0.label) }
    shapes = DataModel.sorted(keys).compactMap { key in reading.all[key].map { (key, $0) } }
  }

  /// One Mermaid diagram: entities with their attributes where there is one version, else the
  /// versions as boxes around their entities.
  var mermaid: String {
    guard arrows.isEmpty, shapes.count == 1 else { return mermaidChain }
    let (name, shape) = shapes[0]
    var text = "---\ntitle: \"\(Self.plain(name))\"\n---\nerDiagram\n"
    for entity in shape.entities {
      let attributes = entity.properties.filter { $0.attribute != nil }
      text += "  \(Self.id(entity.key))\(attributes.isEmpty ? "" : " {")\n"
      for property in attributes {
        let type = property.typeText.filter { $0 != "?" }
        text += "    \(Self.id(type)) \(Self.id(property.name))"
        text += "\(property.isOptional ? " \"optional\"" : "")\n"
      }
      if !attributes.isEmpty { text += "  }\n" }
    }
    for line in Self.relations(of: shape) {
      let far = line.isToMany ? "o{" : line.isOptional ? "o|" : "||"
      let near =
        line.back.map { $0.isToMany ? "}o" : $0.isOptional ? "|o" : "||" } ?? "}o"
      text +=
        "  \(Self.id(line.from)) \(near)--\(far) \(Self.id(line.to)) : "
        + "\"\(Self.plain(line.name))\"\n"
    }
    return text
  }

  private var mermaidChain: String {
    var text = "flowchart LR\n"
    let inFull = Set(shapes.map(\.name))
    var ids: [String: String] = [:]
    for name in DataModel.sorted(Set(arrows.flatMap { [$0.from, $0.to] }).union(inFull)) {
      ids[name] = "V\(ids.count)"
      if !inFull.contains(name) { text += "  \(ids[name] ?? "")([\"\(Self.plain(name))\"])\n" }
    }
    for (name, shape) in shapes {
      let id = ids[name] ?? ""
      text += "  subgraph \(id)[\"\(Self.plain(name))\"]\n    direction TB\n"
      for (index, entity) in shape.entities.enumerated() {
        let rows = entity.properties.filter { $0.attribute != nil }.map {
          "<br/>\(Self.plain($0.name)): \(Self.plain($0.typeText))"
        }
        text += "    \(id)_\(index)[\"<b>\(Self.plain(entity.key))</b>\(rows.joined())\"]\n"
      }
      let numbers = Dictionary(
        shape.entities.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
      for line in Self.relations(of: shape) {
        guard let from = numbers[line.from], let to = numbers[line.to] else { continue }
        text += "    \(id)_\(from) ---|\"\(Self.plain(line.name))\"| \(id)_\(to)\n"
      }
      text += "  end\n"
    }
    for arrow in arrows {
      text += "  \(ids[arrow.from] ?? "") ==>|\"\(arrow.label)\"| \(ids[arrow.to] ?? "")\n"
    }
    return text
  }

  /// One Graphviz graph: the chain of versions, and a table for each entity of those in full.
  var dot: String {
    var text = """
      digraph schema {
        graph [rankdir=LR, nodesep=0.4, ranksep=0.9, fontname="Helvetica"];
        node [shape=plain, fontname="Helvetica", fontsize=11];
        edge [fontname="Helvetica", fontsize=10, color="#666666"];

      """
    for name in DataModel.sorted(Set(arrows.flatMap { [$0.from, $0.to] })) {
      text += "  \"\(Self.plain(name))\" [shape=box, style=rounded];\n"
    }
    for arrow in arrows {
      text +=
        "  \"\(Self.plain(arrow.from))\" -> \"\(Self.plain(arrow.to))\" "
        + "[label=\"\(arrow.label)\"];\n"
    }
    for (index, (name, shape)) in shapes.enumerated() {
      text += "  subgraph cluster_\(index) {\n    label=\"\(Self.plain(name))\";\n"
      text += "    color=\"#cccccc\";\n"
      for entity in shape.entities {
        text += "    \"\(index).\(Self.plain(entity.key))\" [label=<\(Self.table(entity))>];\n"
      }
      for line in Self.relations(of: shape) {
        let head = line.isToMany ? "crow" : "none"
        let tail = line.back.map { $0.isToMany ? "crow" : "none" } ?? "none"
        text +=
          "    \"\(index).\(Self.plain(line.from))\" -> \"\(index).\(Self.plain(line.to))\" "
          + "[label=\"\(Self.plain(line.name))\", dir=both, arrowhead=\(head), arrowtail=\(tail)];\n"
      }
      text += "  }\n"
    }
    return text + "}\n"
  }

  private static func table(_ entity: Entity) -> String {
    let rows = entity.properties.filter { $0.attribute != nil }.map { property in
      "<tr><td align=\"left\">\(markup(property.name))</td>"
        + "<td align=\"left\"><font color=\"#666666\">\(markup(property.typeText))</font></td></tr>"
    }
    return "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\">"
      + "<tr><td colspan=\"2\" bgcolor=\"#eeeeee\"><b>\(markup(entity.key))</b></td></tr>"
      + rows.joined() + "</table>"
  }

  // MARK: Relationships

  /// A relationship, with its inverse where there is one.
  private struct Relation {
    let from: String
    let to: String
    var name: String
    let isToMany: Bool
    let isOptional: Bool
    var back: (isToMany: Bool, isOptional: Bool)?
  }

  /// Each pair of inverses once.
  private static func relations(of shape: SchemaShape) -> [Relation] {
    var drawn: Set<String> = []
    var relations: [Relation] = []
    for entity in shape.entities {
      for property in entity.properties {
        guard let relationship = property.relationship,
          drawn.insert("\(entity.key).\(property.name)").inserted
        else { continue }
        var relation = Relation(
          from: entity.key, to: relationship.destination, name: property.name,
          isToMany: relationship.isToMany, isOptional: property.isOptional)
        let back = shape.entity(relationship.destination)?.properties.first { other in
          guard let inverse = other.relationship, inverse.destination == entity.key else {
            return false
          }
          return relationship.inverse.name == other.name || inverse.inverse.name == property.name
        }
        if let back, let inverse = back.relationship,
          drawn.insert("\(relationship.destination).\(back.name)").inserted
        {
          relation.name += " / \(back.name)"
          relation.back = (inverse.isToMany, back.isOptional)
        }
        relations.append(relation)
      }
    }
    return relations
  }

  // MARK: Text

  /// A name without what ends a quoted label.
  static func plain(_ text: String) -> String {
    text.replacing("\\", with: "/").replacing("\"", with: "'").replacing("<", with: "‹")
      .replacing(">", with: "›").onOneLine
  }

  /// A line as a member of a class, without what would make a method or a generic type of it.
  static func member(_ text: String) -> String {
    plain(text).replacing("(", with: "[").replacing(")", with: "]").replacing("~", with: "-")
      .replacing("{", with: "[").replacing("}", with: "]").replacing("#", with: "")
  }

  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .onOneLine
  }

  /// A name of letters, digits and `_`.
  private static func id(_ text: String) -> String {
    let id = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return id.first?.isNumber ?? true ? "_" + id : id
  }
}

/// The versions of a program and the ways between them.
private struct DiagramReading {
  var arrows: [(from: String, to: String, label: String)] = []
  /// The versions that stores are made with today.
  var newest: [(name: String, shape: SchemaShape)] = []
  var all: [String: SchemaShape] = [:]

  init(_ program: SchemaProgram) {
    for version in program.versions where !version.isTest { all[version.key] = version.shape }
    for plan in program.plans where !plan.isTest {
      let chain = plan.chain.map { program.versions[$0] }
      for (old, new) in zip(chain, chain.dropFirst()) {
        let migration = Migration(from: old.shape, to: new.shape)
        arrows.append((old.key, new.key, migration.verdict?.words ?? "not judged"))
      }
      if let last = chain.last { newest.append((last.key, last.shape)) }
    }
    for model in program.dataModels {
      let name = { (version: DataModel.Version) in "\(model.name)/\(version.name)" }
      for version in model.versions { all[name(version)] = version.shape }
      for (old, new) in zip(model.versions, model.versions.dropFirst()) {
        let migration = Migration(from: old.shape, to: new.shape, needsDistinctVersions: false)
        arrows.append((name(old), name(new), migration.verdict?.words ?? "not judged"))
      }
      if let current = model.current { newest.append((name(current), current.shape)) }
    }
    let planned = Set(program.plans.filter { !$0.isTest }.flatMap(\.chain))
    for version in program.versions where !version.isTest && !planned.contains(version.id) {
      newest.append((version.key, version.shape))
    }
    if let shape = program.unversionedShape {
      newest.append(("models", shape))
      all["models"] = shape
    }
  }
}
