import PersistSchema

extension StoreDiagnosis {
  /// The diagnosis for people: the version, the way, the verdict.
  var text: String {
    var lines: [String] = []
    if let first = exact.first {
      let others = exact.dropFirst().map(\.name)
      lines.append(
        "written by \(first.name)"
          + (others.isEmpty ? "" : " (or \(others.joined(separator: ", ")), which is the same)"))
    } else if let nearest = comparisons.first {
      lines.append("no version of the sources wrote this store; the nearest is \(nearest.name):")
      let migration = Migration(
        from: nearest.store, to: nearest.version, needsDistinctVersions: false)
      lines.append(
        SchemaDifference(migration: migration, names: ("the store", nearest.name)).text
          .trimmedAtEnd)
    }
    switch outcome {
    case .current: lines.append("opens: it has the newest version")
    case .opens(let steps):
      lines += steps.map(\.line)
      let lost = steps.flatMap(\.migration.judgements).filter { $0.verdict == .losesData }
        .map(\.change.subject.name)
      lines.append(
        "opens" + (lost.isEmpty ? "" : ", and loses its data of \(lost.listed)"))
    case .fails(let code, let reason, let steps):
      lines += steps.map(\.line)
      lines.append("doesn't open\(code.map { ", \($0)" } ?? ""): \(reason)")
    case .unknown(let reason): lines.append("not judged: \(reason)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One word for programs.
  var verdict: String {
    switch outcome {
    case .current: "current"
    case .opens: "opens"
    case .fails: "fails"
    case .unknown: "unknown"
    }
  }
}

extension StoreDiagnosis.Step {
  fileprivate var line: String {
    let count = migration.judgements.count
    let changes = count == 1 ? "1 change" : "\(count) changes"
    let verdict = migration.isTwin ? "both are the same" : migration.verdict?.words ?? "not judged"
    return "  \(from) → \(to)  \(stage.map { "\($0) stage" } ?? "inferred"), \(changes): \(verdict)"
  }
}

extension [String] {
  /// The first names, and how many more there are.
  fileprivate var listed: String {
    let names = prefix(8).joined(separator: ", ")
    return count > 8 ? "\(names) and \(count - 8) more" : names
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    hasSuffix("\n") ? String(dropLast()).trimmedAtEnd : self
  }
}
