extension LockFile {
  /// Reads the text of a lock file; throws `LockError` at the first line that can't be right.
  package init(parsing text: String) throws(LockError) {
    var reader = LockReader()
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      try reader.read(line, number: number)
    }
    self = try reader.finish()
  }
}

/// Collects the lines of a lock file.
private struct LockReader {
  var versions: [String: [Fact]] = [:]
  var plans: [String: Bool] = [:]
  var frozen: [String]?
  /// The lines that name the frozen versions.
  var frozenLines: [String: Int] = [:]
  var sums: [String: (line: Int, hard: Substring, soft: Substring)] = [:]
  var format: Int?
  var sections: [(kind: LockSection.Kind, line: Int, sum: Substring, rows: [Substring])] = []

  mutating func read(_ line: Substring, number: Int) throws(LockError) {
    guard let format else { return try readHeading(line, number: number) }
    if line.isEmpty { return }
    if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains(where: line.hasPrefix) {
      throw LockError(
        line: number,
        message: "a merge conflict: keep the facts of every version that has shipped, or take one "
          + "side and run `persistlint freeze` again")
    }
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    if frozen == nil {
      guard parts[0] == "frozen" else {
        throw LockError(line: number, message: "`frozen` and the names of the versions expected")
      }
      frozen = []
      freeze(parts.count > 1 ? parts[1].split(separator: " ") : [], line: number)
      return
    }
    if format > 1, let header = LockSection.header(line) {
      return try readSection(header, number: number)
    }
    if !sections.isEmpty { return sections[sections.count - 1].rows.append(line) }
    if format > 2, parts.count == 2, parts[0] == "frozen", !parts[1].contains(" ") {
      return freeze([parts[1]], line: number)
    }
    guard parts.count == 2 else { throw LockError(line: number, message: "no fact: \(line)") }
    if parts[0] == "plan" { return try readPlan(parts[1], number: number) }
    let version = LockText.unescape(parts[0])
    guard frozen?.contains(version) ?? false else {
      throw LockError(
        line: number,
        message: "`\(version)` is not among the frozen versions\(placeOfNames)")
    }
    if parts[1].hasPrefix("# ") {
      let words = parts[1].split(separator: " ")
      guard words.count == 5, words[1] == "hard", words[3] == "soft" else {
        throw LockError(line: number, message: "no fingerprints: \(line)")
      }
      sums[version] = (number, words[2], words[4])
      return
    }
    guard let fact = LockText.fact(parts[1]) else {
      throw LockError(line: number, message: "no fact: \(line)")
    }
    versions[version, default: []].append(fact)
  }

  private mutating func freeze(_ names: [Substring], line: Int) {
    for name in names.map(LockText.unescape) where frozenLines[name] == nil {
      frozen?.append(name)
      frozenLines[name] = line
    }
  }

  /// Where the names of all versions stand, in formats that have a line for them.
  private var placeOfNames: String {
    (format ?? 1) > 2 ? "; `frozen` and its name are missing above" : " of line 2"
  }

  private mutating func readHeading(_ line: Substring, number: Int) throws(LockError) {
    guard line.hasPrefix(LockFile.heading) else {
      throw LockError(
        line: number,
        message:
          "not a lock file: the first line must be `\(LockFile.heading)\(LockFile.newestFormat)`")
    }
    let words = line.dropFirst(LockFile.heading.count).split(separator: " ")
    let known = words.first.flatMap { Int($0) }
    guard let known, known > 0, known <= LockFile.newestFormat else {
      let writer = words.count > 1 ? "persistlint \(words[1]) or newer" : "a newer persistlint"
      throw LockError(
        line: number,
        message: "format \(words.first ?? "") is unknown, this persistlint reads formats 1 to "
          + "\(LockFile.newestFormat): \(writer) writes it, use that one")
    }
    format = known
    if known > 2 { frozen = [] }
  }

  private mutating func readSection(
    _ header: (kind: String, sum: Substring), number: Int
  ) throws(LockError) {
    guard let kind = LockSection.Kind(rawValue: header.kind) else {
      throw LockError(
        line: number,
        message: "the section `\(header.kind)` is unknown: a newer persistlint writes it, use that "
          + "one")
    }
    guard !sections.contains(where: { $0.kind == kind }) else {
      throw LockError(line: number, message: "the section `\(header.kind)` is there twice")
    }
    sections.append((kind, number, header.sum, []))
  }

  private mutating func readPlan(_ text: Substring, number: Int) throws(LockError) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[1] == "staged" || words[1] == "unstaged" else {
      throw LockError(line: number, message: "`plan NAME staged` or `plan NAME unstaged` expected")
    }
    plans[LockText.unescape(words[0])] = words[1] == "staged"
  }

  /// Builds the shapes, and compares each with the fingerprints that were written with it.
  func finish() throws(LockError) -> LockFile {
    guard let format else { throw LockError(line: 1, message: "the lock file is empty") }
    guard let frozen else {
      throw LockError(line: 2, message: "`frozen` and the names of the versions expected")
    }
    var shapes: [String: SchemaShape] = [:]
    for version in frozen {
      let shape = SchemaShape(facts: versions[version] ?? [])
      guard let sum = sums[version] else {
        throw LockError(
          line: frozenLines[version] ?? 1,
          message: "the lines of `\(version)` are missing: restore the file")
      }
      guard sum.hard == shape.hardFingerprint.description,
        sum.soft == shape.softFingerprint.description
      else {
        throw LockError(
          line: sum.line,
          message: "the facts of `\(version)` don't match their fingerprint: restore the file from "
            + "git, or run `persistlint freeze --again \(version)` on the sources that shipped")
      }
      shapes[version] = shape
    }
    var lock = LockFile(versions: shapes, plans: plans)
    lock.format = format
    for section in sections {
      guard section.sum == LockSection.sum(section.rows) else {
        throw LockError(
          line: section.line,
          message:
            "the lines of `\(section.kind.rawValue)` don't match their sum: restore the file "
            + "from git")
      }
      lock.sections[section.kind] = LockSection(
        section.kind, lines: section.rows.map { LockSection.words($0) })
    }
    return lock
  }
}
