import PersistIndex
import PersistSchema

/// Diagrams of the newest entities and of the chain of versions with the verdict on each arrow.
struct SchemaDiagram {
  /// An arrow from one version to the next.
  private struct Arrow {
    let from: String
    let to: String
    let label: String
  }

  private let arrows: [Arrow]
  private let shapes: [(name: String, shape: SchemaShape)]

  init(_ program: SchemaProgram) {
    var arrows: [Arrow] = []
    var shapes: [(name: String, shape: SchemaShape)] = []
    for plan in program.plans where !plan.isTest {
      let chain = plan.chain.map { program.versions[$0] }
      for (old, new) in zip(chain, chain.dropFirst()) {
        let migration = Migration(from: old.shape, to: new.shape)
        arrows.append(
          Arrow(from: old.key, to: new.key, label: migration.verdict?.words ?? "not judged"))
      }
      if let newest = chain.last { shapes.append((newest.key, newest.shape)) }
    }
    for model in program.dataModels {
      for (old, new) in zip(model.versions, model.versions.dropFirst()) {
        let migration = Migration(from: old.shape, to: new.shape, needsDistinctVersions: false)
        arrows.append(
          Arrow(
            from: "\(model.name)/\(old.name)", to: "\(model.name)/\(new.name)",
            label: migration.verdict?.words ?? "not judged"))
      }
      if let current = model.current {
        shapes.append(("\(model.name)/\(current.name)", current.shape))
      }
    }
    let planned = Set(program.plans.filter { !$0.isTest }.flatMap(\.chain))
    for version in program.versions where !version.isTest && !planned.contains(version.id) {
      shapes.append((version.key, version.shape))
    }
    if let shape = program.unversionedShape { shapes.append(("models", shape)) }
    self.arrows = arrows
    self.shapes = shapes
  }

  /// Two kinds of Mermaid diagrams, each in a fence so that a Markdown page shows them.
  var mermaid: String {
    var text = ""
    if !arrows.isEmpty {
      text += "```mermaid\nflowchart LR\n"
      for arrow in arrows {
        text +=
          "  \(Self.id(arrow.from))[\"\(Self.plain(arrow.from))\"] -->|\"\(arrow.label)\"| "
          + "\(Self.id(arrow.to))[\"\(Self.plain(arrow.to))\"]\n"
      }
      text += "```\n"
    }
    for (name, shape) in shapes {
      text += text.isEmpty ? "" : "\n"
      text += "```mermaid\n---\ntitle: \"\(Self.plain(name))\"\n---\nerDiagram\n"
      for entity in shape.entities {
        text += "  \(Self.id(entity.key)) {\n"
        for property in entity.properties where property.attribute != nil {
          text += "    \(Self.id(property.typeText)) \(Self.id(property.name))\n"
        }
        text += "  }\n"
        for property in entity.properties {
          guard let relationship = property.relationship else { continue }
          let end = relationship.isToMany ? "o{" : property.isOptional ? "o|" : "||"
          text +=
            "  \(Self.id(entity.key)) ||--\(end) \(Self.id(relationship.destination)) : "
            + "\"\(Self.plain(property.name))\"\n"
        }
      }
      text += "```\n"
    }
    return text
  }

  /// One Graphviz graph.
  var dot: String {
    var text = "digraph schema {\n  rankdir=LR;\n  node [shape=box];\n"
    for arrow in arrows {
      text +=
        "  \"\(Self.plain(arrow.from))\" -> \"\(Self.plain(arrow.to))\" "
        + "[label=\"\(arrow.label)\"];\n"
    }
    for (index, (name, shape)) in shapes.enumerated() {
      text += "  subgraph cluster_\(index) {\n    label=\"\(Self.plain(name))\";\n"
      for entity in shape.entities {
        let rows = entity.properties.filter { $0.attribute != nil }.map { property in
          "\(Self.plain(property.name)): \(Self.plain(property.typeText))\\l"
        }
        text +=
          "    \"\(index).\(Self.plain(entity.key))\" [label=\"\(Self.plain(entity.key))\\n"
          + "\(rows.joined())\"];\n"
      }
      for entity in shape.entities {
        for property in entity.properties {
          guard let relationship = property.relationship else { continue }
          text +=
            "    \"\(index).\(Self.plain(entity.key))\" -> "
            + "\"\(index).\(Self.plain(relationship.destination))\" "
            + "[label=\"\(Self.plain(property.name))\"];\n"
        }
      }
      text += "  }\n"
    }
    return text + "}\n"
  }

  /// A name without what ends a quoted label.
  private static func plain(_ text: String) -> String {
    text.replacing("\\", with: "/").replacing("\"", with: "'")
  }

  /// A name of letters, digits and `_`.
  private static func id(_ text: String) -> String {
    let id = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return id.first?.isNumber ?? true ? "_" + id : id
  }
}
