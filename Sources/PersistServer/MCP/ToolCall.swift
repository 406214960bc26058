import PersistPages
import PersistReport

/// What an agent asks for that takes a look at the world.
package enum ToolCall: Sendable, Equatable {
  case lint(LintCall)
  /// The schema versions; those named with their entities.
  case schema(version: String?)
  case schemaDiff(from: String, to: String)
  /// What a freeze would write.
  case freeze(all: Bool)
  /// A store, compared with the sources at the paths.
  case store(file: String, paths: [String])
}

/// What is to be linted.
package struct LintCall: Sendable, Equatable {
  /// Relative to the current folder; empty for all of it.
  package var paths: [String] = []
  /// What to judge in place of the file at `path`.
  package var text: String?
  /// The file that `text` is for.
  package var path: String?
  /// The only rules to judge by; nil for those of the configuration.
  package var rules: Set<RuleID>?
  /// The most findings to return.
  package var limit = 50
}

/// What came out of a call.
package enum ToolOutcome: Sendable {
  case findings(Report)
  /// A value of the tool's output schema.
  case value(JSON)
  /// Why there is none, in words from which an agent learns what to do.
  case failure(String)
}

/// The arguments of a call, read one by one.
struct ToolArguments {
  private let json: JSON

  /// Why a call makes no sense.
  struct Mistake: Error {
    let reason: String
  }

  /// Throws where an argument is none of the tool's, or a required one is missing.
  init(_ json: JSON, for tool: Tool) throws(Mistake) {
    self.json = json
    guard let keys = json.keys else { throw Mistake(reason: "`arguments` has to be an object") }
    let known = tool.arguments.map(\.name)
    if let strange = keys.first(where: { !known.contains($0) }) {
      let names = known.map { "`\($0)`" }.joined(separator: ", ")
      throw Mistake(reason: "\(tool.name) has no argument `\(strange)`; it takes \(names)")
    }
    if let missing = tool.required.first(where: { json[$0] == nil }) {
      throw Mistake(reason: "\(tool.name) needs `\(missing)`")
    }
  }

  func text(_ name: String) throws(Mistake) -> String? {
    try value(name, "a string", \.string)
  }

  func texts(_ name: String) throws(Mistake) -> [String] {
    try value(name, "a list of strings") { json in
      guard let array = json.array else { return nil }
      let texts = array.compactMap(\.string)
      return texts.count == array.count ? texts : nil
    } ?? []
  }

  func boolean(_ name: String) throws(Mistake) -> Bool {
    try value(name, "true or false", \.boolean) ?? false
  }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(Mistake) -> Int? {
    try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { json in
      json.integer.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  private func value<Value>(
    _ name: String, _ kind: String, _ read: (JSON) -> Value?
  ) throws(Mistake) -> Value? {
    guard let json = json[name] else { return nil }
    guard let value = read(json) else { throw Mistake(reason: "`\(name)` has to be \(kind)") }
    return value
  }
}

extension LintCall {
  init(_ arguments: ToolArguments) throws(ToolArguments.Mistake) {
    paths = try arguments.texts("paths")
    text = try arguments.text("text")
    path = try arguments.text("path")
    limit = try arguments.integer("limit", in: 1...1000) ?? limit
    let names = try arguments.texts("rules")
    if !names.isEmpty {
      var rules: Set<RuleID> = []
      for name in names {
        guard let named = RulePage.rules(named: name) else { throw .noRule(name) }
        rules.formUnion(named)
      }
      self.rules = rules
    }
    guard text == nil || paths.isEmpty else {
      throw ToolArguments.Mistake(
        reason: "`text` is for one file: give its `path`, and leave `paths` out")
    }
    guard path == nil || text != nil else {
      throw ToolArguments.Mistake(reason: "`path` goes with `text`; to lint a file, use `paths`")
    }
  }
}

extension ToolArguments.Mistake {
  static func noRule(_ name: String) -> Self {
    Self(reason: "no rule or group is called '\(name)'; the tool `rules` lists them")
  }
}
