import PersistSyntax

/// Says which clauses of `#if` are compiled in a release build for one platform.
package struct SchemaConditions {
  /// As `os(…)` names it.
  package var platform: String

  package init(platform: String) { self.platform = platform }

  /// A clause that is compiled, or that may be.
  package struct Clause {
    package var node: NodeView
    /// Whether the clause is compiled for certain.
    package var isCertain: Bool
  }

  /// The clauses of an `#if … #endif` that are compiled or may be.
  package func activeClauses(of config: NodeView) -> [Clause] {
    var clauses: [Clause] = []
    for clause in config.children(.ifConfigClause) {
      let isElse = clause.firstToken.kind == .poundElse
      let value = isElse ? true : Self.evaluate(clause, platform: platform)
      switch value {
      case true?:
        clauses.append(Clause(node: clause, isCertain: clauses.isEmpty))
        return clauses
      case false?: continue
      case nil: clauses.append(Clause(node: clause, isCertain: false))
      }
    }
    return clauses
  }

  /// Whether the condition of a clause holds on a platform; nil for what the sources don't tell.
  static func evaluate(
    _ clause: NodeView, platform: String, isCatalyst: Bool = false
  ) -> Bool? {
    let first = clause.tokens.lowerBound + 1
    let end = max(first, clause.label?.index ?? first)
    var reader = ConditionReader(
      tokens: (first..<end).map { clause.outline.text(ofToken: $0) }[...], platform: platform,
      isCatalyst: isCatalyst)
    return reader.readOr()
  }
}

/// Reads `a && !b || os(iOS)`; nil stands for what the sources don't tell.
private struct ConditionReader {
  var tokens: ArraySlice<String>
  let platform: String
  let isCatalyst: Bool
  var depth = 0

  mutating func readOr() -> Bool? {
    var value = readAnd()
    while tokens.first == "||" {
      tokens.removeFirst()
      let other = readAnd()
      if value == true || other == true {
        value = true
      } else if value == nil || other == nil {
        value = nil
      }
    }
    return value
  }

  private mutating func readAnd() -> Bool? {
    var value = readNot()
    while tokens.first == "&&" {
      tokens.removeFirst()
      let other = readNot()
      if value == false || other == false {
        value = false
      } else if value == nil || other == nil {
        value = nil
      }
    }
    return value
  }

  private mutating func readNot() -> Bool? {
    depth += 1
    defer { depth -= 1 }
    guard depth < Limit.conditionDepth.count, let token = tokens.popFirst() else { return nil }
    switch token {
    case "!": return readNot().map { !$0 }
    case "(":
      let value = readOr()
      if tokens.first == ")" { tokens.removeFirst() }
      return value
    case "true": return true
    case "false": return false
    case let flag where Words.flagsOfTests.contains(flag): return false
    default: return tokens.first == "(" ? readCall(token) : nil
    }
  }

  private mutating func readCall(_ name: String) -> Bool? {
    var arguments: [String] = []
    tokens.removeFirst()
    while let token = tokens.popFirst(), token != ")" { arguments.append(token) }
    let argument = arguments.first ?? ""
    switch name {
    case "os": return argument == platform
    case "swift", "compiler": return true
    case "targetEnvironment": return argument == "macCatalyst" && isCatalyst
    case "canImport":
      switch argument {
      case "SwiftData", "Foundation", "SwiftUI", "CoreData", "Observation": return true
      case "UIKit": return platform != "macOS"
      case "AppKit": return platform == "macOS"
      default: return nil
      }
    default: return nil
    }
  }
}
