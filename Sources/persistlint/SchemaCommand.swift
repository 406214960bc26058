import PersistIndex
import PersistSchema
import PersistVersions

/// Shows the schema versions, or what differs between two.
@Sendable func runSchema(_ options: Options) throws(CommandError) -> ExitCode {
  let configuration = try Configuration.load(named: options.configuration, forPaths: [])
  let sources = SchemaSources(
    options, configuration, jobs: options.jobs ?? System.processorCount)
  try sources.requireNamedLock()
  switch options.operands.first ?? "show" {
  case "show":
    guard options.operands.count < 2 else {
      throw .usage("schema show takes no '\(options.operands[1])'")
    }
    let snapshot = try sources.current()
    let program = snapshot.program
    switch options.schemaFormat {
    case .text where options.diagramVersions.isEmpty: return try show(SchemaTable(snapshot).text)
    case .json where options.diagramVersions.isEmpty: return try show(SchemaJSON(snapshot).text)
    case .html where options.diagramVersions.isEmpty:
      return try show(SchemaPage(SchemaLife(snapshot, lock: try sources.lock())).text)
    case .text, .json, .html: throw .usage("--only is for diagrams: --format mermaid or dot")
    case .mermaid: return try show(try SchemaDiagram(program, options.diagramVersions).mermaid)
    case .dot: return try show(try SchemaDiagram(program, options.diagramVersions).dot)
    }
  case "diff":
    guard options.operands.count == 3 else {
      throw .usage("schema diff needs two versions, such as SchemaV1 SchemaV2 or v1.0:SchemaV1")
    }
    let difference = try SchemaDifference(
      from: options.operands[1], to: options.operands[2], in: sources)
    switch options.schemaFormat {
    case .text: return try show(difference.text)
    case .json: return try show(difference.json)
    case .mermaid: return try show(difference.mermaid)
    case .dot, .html: throw .usage("schema diff prints text, json or mermaid")
    }
  case let word:
    throw .usage("schema has no '\(word)'\(suggestion(for: word, in: ["show", "diff"]))")
  }
}

/// Finds the shapes that `VERSION` and `REF:VERSION` name.
struct ShapeReader {
  let sources: SchemaSources
  private var programs: [String: SchemaProgram] = [:]

  init(sources: SchemaSources) { self.sources = sources }

  struct Found {
    let key: String
    let shape: SchemaShape
    let isDataModel: Bool
  }

  mutating func shape(_ operand: String) throws(CommandError) -> Found {
    let parts = operand.split(separator: ":", maxSplits: 1).map(String.init)
    let reference = parts.count == 2 ? parts[0] : ""
    let name = parts.last ?? operand
    let program: SchemaProgram
    if let known = programs[reference] {
      program = known
    } else {
      program =
        reference.isEmpty
        ? try sources.current().program : try sources.snapshot(at: reference).program
      programs[reference] = program
    }
    let all = program.frozenShapes(includingNewest: true)
    let keys = all.keys.filter { $0 == name || $0.hasSuffix("/" + name) }.sorted()
    guard let key = all[name] == nil ? keys.first : name, let shape = all[key] else {
      throw .usage(
        "no version is called '\(name)'\(reference.isEmpty ? "" : " at \(reference)")"
          + suggestion(for: name, in: all.keys.sorted()))
    }
    guard keys.count == 1 || key == name else {
      throw .usage("'\(name)' may be \(keys.joined(separator: " or "))")
    }
    return Found(key: key, shape: shape, isDataModel: key.contains(".xcdatamodel"))
  }
}
