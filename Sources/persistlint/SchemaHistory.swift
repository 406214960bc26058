import PersistSchema

/// The entities of a chain of versions, each through all the names that it has had.
struct SchemaHistory {
  /// An entity or property: what it is in each version, and nothing where it isn't there.
  struct Line<Value> {
    /// The name that it has last.
    var name: String
    /// One a version.
    var values: [Value?]
  }

  /// Sorted by the names that they have last.
  let entities: [Line<Entity>]

  init(_ shapes: [SchemaShape]) {
    entities = Self.lines(shapes.map(\.entities), name: \.key, original: \.originalName)
  }

  /// The properties of an entity through the versions.
  static func properties(of entity: Line<Entity>) -> [Line<Property>] {
    lines(
      entity.values.map { $0?.properties ?? [] }, name: \.name, original: \.originalName)
  }

  private static func lines<Value>(
    _ versions: [[Value]], name: (Value) -> String, original: (Value) -> String?
  ) -> [Line<Value>] {
    var lines: [Line<Value>] = []
    /// The line of each name in the version before.
    var known: [String: Int] = [:]
    for (index, values) in versions.enumerated() {
      let names = Set(values.map(name))
      var now: [String: Int] = [:]
      for value in values {
        let renamed = original(value).flatMap { names.contains($0) ? nil : known[$0] }
        let line = known[name(value)] ?? renamed ?? lines.count
        if line == lines.count {
          lines.append(
            Line(name: name(value), values: Array(repeating: nil, count: versions.count)))
        }
        lines[line].name = name(value)
        lines[line].values[index] = value
        now[name(value)] = line
      }
      known = now
    }
    return lines.sorted { $0.name < $1.name }
  }
}
