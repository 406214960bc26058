import PersistIndex
import PersistReport
import PersistRules
import PersistVersions

extension Configuration {
  /// Whether these paths hold all that the configuration speaks of.
  func isWhole(_ operands: [String]) -> Bool {
    (operands.isEmpty ? ["."] : operands).contains { operand in
      guard let path = System.resolve(operand) else { return false }
      return path == "/" || (folder + "/").hasPrefix(path + "/")
    }
  }

  /// Refuses released versions that don't exist, and says what else the sources don't bear out.
  func check(
    _ result: LintResult, _ base: SchemaBase?, lockPath: String
  ) throws(CommandError) -> [Notice] {
    guard file != nil else { return [] }
    var frozen = Set(base?.versions.keys.map { $0 } ?? [])
    frozen.formUnion(base?.newest.keys.map { $0 } ?? [])
    let released = project.released?.sorted() ?? []
    let known = result.versionKeys.union(frozen)
    let names = known.union(known.map { SchemaProgram.lastPart(of: $0) })
    for name in released where !names.contains(name) {
      let nearest = suggestion(for: name, in: names.sorted())
      throw .refusal(
        "\(place("released", name)): no version is called '\(name)'\(nearest)")
    }
    let loose = released.filter { name in
      !frozen.contains { $0 == name || SchemaProgram.lastPart(of: $0) == name }
    }
    var notices = result.unusedNames.map { name, nearest in
      notice("names", name, "nothing in the sources is called '\(name)'\(nearest)")
    }
    if let first = loose.first {
      let verb = loose.count == 1 ? "is" : "are"
      notices.append(
        notice(
          "released", first,
          "\(loose.joined(separator: ", ")) \(verb) released, and there is no record of how \(verb == "is" ? "it" : "they") "
            + "shipped; `persistlint freeze` writes it into \(lockPath)"))
    }
    return notices
  }

  private func notice(_ key: String, _ value: String, _ message: String) -> Notice {
    Notice(path: shown, message: "\(place(key, value)): \(message)")
  }

  /// Where a value of a key stands, for people.
  func place(_ key: String, _ value: String) -> String {
    let place = ConfigurationPlace(of: [key], value: value, in: text)
    return "\(shown):\(place.line):\(place.column)"
  }

  /// The path of the file for people.
  private var shown: String { file.map { placed($0.lastPart) } ?? Configuration.fileName }
}

extension String {
  /// What stands behind the last `/`.
  var lastPart: String { split(separator: "/").last.map(String.init) ?? self }
}
