/// What one configuration of realms stored when it shipped.
package struct FrozenRealm: Hashable, Sendable {
  /// A stored class with its properties and their types.
  package struct Class: Hashable, Sendable {
    package let name: String
    package var isEmbedded: Bool
    /// The types of the stored properties by their names; "" for one that isn't known.
    package var properties: [String: String]
    package var primaryKey: String

    package init(
      name: String, isEmbedded: Bool, properties: [String: String], primaryKey: String = ""
    ) {
      self.name = name
      self.isEmbedded = isEmbedded
      self.properties = properties
      self.primaryKey = primaryKey
    }
  }

  /// The function or property that makes the configuration.
  package let name: String
  package var version: UInt64
  /// Sorted by name.
  package var classes: [Class]

  package init(name: String, version: UInt64, classes: [Class]) {
    self.name = name
    self.version = version
    self.classes = classes
  }

  /// The class of a name.
  package func storedClass(_ name: String) -> Class? { classes.first { $0.name == name } }
}

extension LockFile {
  /// The frozen configurations of realms, sorted by name. A line holds the configuration's name and
  /// its version, a class of it, or a property of a class with its type.
  package var realms: [FrozenRealm] {
    get {
      var found: [FrozenRealm] = []
      for words in sections[.realms]?.lines ?? [] where words.count >= 3 {
        if words[1] == "version", let version = UInt64(words[2]) {
          found.append(FrozenRealm(name: words[0], version: version, classes: []))
          continue
        }
        guard let index = found.firstIndex(where: { $0.name == words[0] }) else { continue }
        switch words[1] {
        case "class":
          found[index].classes.append(
            FrozenRealm.Class(
              name: words[2], isEmbedded: words[3...].contains("embedded"), properties: [:],
              primaryKey: words.count > 4 ? words[4] : ""))
        case "property":
          guard words.count > 4,
            let owner = found[index].classes.firstIndex(where: { $0.name == words[2] })
          else { continue }
          found[index].classes[owner].properties[words[3]] = words[4]
        default: continue
        }
      }
      return found
    }
    set {
      let lines = newValue.sorted { $0.name < $1.name }.flatMap(\.lines)
      sections[.realms] = lines.isEmpty ? nil : LockSection(.realms, lines: lines)
    }
  }
}

extension FrozenRealm {
  fileprivate var lines: [[String]] {
    [[name, "version", String(version)]]
      + classes.sorted { $0.name < $1.name }.flatMap { stored in
        [
          [
            name, "class", stored.name, stored.isEmbedded ? "embedded" : "object",
            stored.primaryKey,
          ]
        ]
          + stored.properties.sorted { $0.key < $1.key }.map { property, type in
            [name, "property", stored.name, property, type]
          }
      }
  }
}
