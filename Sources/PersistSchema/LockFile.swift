/// The shapes that have shipped, as `persistlint.lock` keeps them: one fact a line, sorted.
package struct LockFile: Hashable, Sendable {
  /// The file's name at the root of a project.
  package static let name = "persistlint.lock"
  /// The newest format: the one that new files are written in.
  package static let newestFormat = 3
  /// The first persistlint that reads the newest format; the heading names it for older ones.
  static let formatSince = "0.2.0"
  /// How a lock file of any version begins.
  package static let heading = "persistlint lock "

  /// The shape of each frozen version by its name.
  package var versions: [String: SchemaShape]
  /// Whether each migration plan had stages when it was frozen.
  package var plans: [String: Bool]
  /// What other frameworks have frozen, by kind; format 1 has no place for it.
  package var sections: [LockSection.Kind: LockSection] = [:]
  /// The format of the text; a file keeps the one it was written in until it is frozen again.
  package var format = newestFormat

  package init(versions: [String: SchemaShape] = [:], plans: [String: Bool] = [:]) {
    self.versions = versions
    self.plans = plans
  }

  /// The whole text of the file, the same for the same content.
  package var text: String {
    var lines = [Self.heading + String(format) + (format > 1 ? " " + Self.formatSince : "")]
    let names = versions.keys.sorted().map(LockText.escapeVersion)
    // A line each, so that branches that freeze different versions can be merged.
    lines +=
      format > 2 ? names.map { "frozen \($0)" } : [(["frozen"] + names).joined(separator: " ")]
    for (plan, isStaged) in plans.sorted(by: { $0.key < $1.key }) {
      lines.append("plan \(LockText.escapeVersion(plan)) \(isStaged ? "staged" : "unstaged")")
    }
    for (version, shape) in versions.sorted(by: { $0.key < $1.key }) {
      let name = LockText.escapeVersion(version)
      lines.append("\(name) # hard \(shape.hardFingerprint) soft \(shape.softFingerprint)")
      lines += shape.facts.map { "\(name) \(LockText.line($0))" }.sorted()
    }
    if format > 1 {
      for kind in LockSection.Kind.allCases { lines += sections[kind]?.text ?? [] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line of the file's text, and the version and subject that it speaks of.
  package struct Line {
    package let text: Substring
    package let version: String?
    package let subject: Subject?
    /// The section that the line belongs to, and its words; nil for the lines of versions.
    package var section: (kind: LockSection.Kind, words: [String])?
  }

  /// The lines of `text`.
  package var numberedLines: [Line] {
    var kind: LockSection.Kind?
    return text.split(separator: "\n").map { text in
      if let header = LockSection.header(text) {
        kind = LockSection.Kind(rawValue: header.kind)
        return Line(text: text, version: nil, subject: nil)
      }
      if let kind {
        return Line(
          text: text, version: nil, subject: nil, section: (kind, LockSection.words(text)))
      }
      let parts = text.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { return Line(text: text, version: nil, subject: nil) }
      let fact = LockText.fact(parts[1])
      let isSum = parts[1].hasPrefix("# ")
      return Line(
        text: text, version: LockText.unescape(parts[0]),
        subject: fact?.subject ?? (isSum ? Subject("") : nil))
    }
  }
}

/// A lock file that can't be read: where, and what to do.
package struct LockError: Error, Hashable, CustomStringConvertible {
  /// From 1.
  package var line: Int
  package var message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }
}

/// How names and facts stand in a line of the lock file.
enum LockText {
  static func line(_ fact: Fact) -> String {
    var names = [fact.subject.entity]
    if !fact.subject.property.isEmpty { names.append(fact.subject.property) }
    names += fact.subject.members
    let path = names.map(escape).joined(separator: ".")
    let value = fact.value.isEmpty ? "" : " " + escapeValue(fact.value)
    return "\(fact.weight.rawValue) \(path.isEmpty ? "*" : path) \(fact.aspect.rawValue)\(value)"
  }

  static func fact(_ text: Substring) -> Fact? {
    let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, let weight = Fact.Weight(rawValue: String(parts[0])),
      let aspect = Aspect(rawValue: String(parts[2])), aspect != .renamed
    else { return nil }
    var subject = Subject("")
    if parts[1] != "*" {
      let names = parts[1].split(separator: ".", omittingEmptySubsequences: false).map(unescape)
      guard let entity = names.first, !names.contains("") else { return nil }
      subject = Subject(
        entity, names.count > 1 ? names[1] : "", members: Array(names.dropFirst(2)))
    }
    let value = parts.count > 3 ? unescapeValue(parts[3]) : ""
    return Fact(subject, aspect, value, weight)
  }

  /// A name in which everything but letters, digits, `_`, `@`, `/`, `-` and `+` is `%` and hex.
  static func escape(_ name: String) -> String { escape(name, plain: "_@/-+") }

  /// The name of a version, in which a point stays.
  static func escapeVersion(_ name: String) -> String { escape(name, plain: "_@/-+.") }

  private static func escape(_ name: String, plain: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      let isPlain =
        !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || plain.unicodeScalars.contains(scalar)
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }

  static func unescape(_ text: Substring) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "%", rest.count >= 2,
        let value = UInt32(String(String.UnicodeScalarView(rest.prefix(2))), radix: 16),
        let decoded = Unicode.Scalar(value)
      {
        result.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  static func escapeValue(_ value: String) -> String {
    var result = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func unescapeValue(_ text: Substring) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        result.append(scalar == "n" ? "\n" : scalar == "r" ? "\r" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
