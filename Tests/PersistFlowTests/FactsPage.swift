import Foundation
import PersistFlow
import PersistIndex
import PersistSyntax

/// A page of `Facts/`: each fence is a program, in which carets say what is known of the use that
/// begins at the first caret, at a member's name or an argument: whose context, realm or object it is, and where the code runs. A fence
/// that begins with `swift every` is part of each program of the page.
struct FactsPage: Sendable {
  struct Sample: Sendable, CustomStringConvertible {
    let page: String
    /// The line of the page at which the code begins.
    let line: Int
    let code: String
    let shared: String

    var description: String { "\(page):\(line)" }
  }

  static let samples: [Sample] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Facts")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().flatMap { name in
      let file = folder.appendingPathComponent(name)
      return samples(of: (try? String(contentsOf: file, encoding: .utf8)) ?? "", page: name)
    }
  }()

  private static func samples(of text: String, page: String) -> [Sample] {
    var found: [Sample] = []
    var shared = ""
    var open: (isShared: Bool, line: Int, code: String)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if let fence = open, line.hasPrefix("```") {
        if fence.isShared {
          shared += fence.code
        } else {
          found.append(Sample(page: page, line: fence.line, code: fence.code, shared: shared))
        }
        open = nil
      } else if open != nil {
        open?.code += line + "\n"
      } else if line.hasPrefix("```swift") {
        open = (line.hasSuffix(" every"), index + 2, "")
      }
    }
    return found
  }
}

/// What a caret says of a use, or what is told instead.
struct SaidUse: Equatable, CustomStringConvertible {
  let line: Int
  let text: String
  let fact: String

  var description: String { "\(line): `\(text)` is \(fact)" }
}

extension FactsPage.Sample {
  /// What the carets say, and what the facts tell of the same places.
  func uses() -> (said: [SaidUse], told: [SaidUse]) {
    var code: [Substring] = []
    var places: [(line: Int, pageLine: Int, start: Int, count: Int, fact: String)] = []
    let lines = self.code.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("^") else {
        code.append(line)
        continue
      }
      let count = text.prefix { $0 == "^" }.utf8.count
      places.append(
        (
          code.count, self.line + index, line.utf8.count - text.utf8.count, count,
          String(text.drop { $0 == "^" }.drop { $0 == " " })
        ))
    }
    let page = SourceFile(
      path: "Sources/App/Page.swift",
      outline: Outline(SourceText(code.joined(separator: "\n"))))
    let other = SourceFile(path: "Sources/App/Shared.swift", outline: Outline(SourceText(shared)))
    let program = Program([page, other])
    let spelling = FactSpelling(Facts(of: program), of: program)
    var said: [SaidUse] = []
    var told: [SaidUse] = []
    for place in places {
      let bytes = Array(code[place.line - 1].utf8).dropFirst(place.start).prefix(place.count)
      let text = String(decoding: bytes, as: UTF8.self)
      let fact = spelling.fact(line: place.line, column: place.start + 1)
      said.append(SaidUse(line: place.pageLine, text: text, fact: place.fact))
      told.append(SaidUse(line: place.pageLine, text: text, fact: fact))
    }
    return (said, told)
  }
}

/// Tells what is known of the uses in the first file of a program, without places.
struct FactSpelling {
  private var facts: [Place: Set<String>] = [:]
  private let isComplete: Bool

  private struct Place: Hashable {
    let line: Int
    let column: Int
  }

  init(_ facts: Facts, of program: Program) {
    isComplete = facts.isComplete
    for use in facts.uses where use.node.file == 0 {
      // A member begins with its point, which no caret stands under.
      let start =
        program.byteRange(use.node).lowerBound + (program.kind(use.node) == .member ? 1 : 0)
      let (line, column) = program.files[0].lineAndColumn(of: start)
      let texts = use.cases.map { text(of: $0, use.kind) }
      self.facts[Place(line: line, column: column), default: []].formUnion(texts)
    }
  }

  func fact(line: Int, column: Int) -> String {
    guard isComplete else { return "not solved" }
    let known = facts[Place(line: line, column: column)] ?? []
    return known.isEmpty ? "nothing known" : known.sorted().joined(separator: "; ")
  }

  private func text(of way: OwnedUse.Case, _ kind: Use.Kind) -> String {
    let isRealm = way.owner.framework == .realm
    let used = [.object, .result].contains(kind) ? "object" : isRealm ? "realm" : "context"
    let owner =
      switch way.owner.home {
      case .main: "main's"
      case .own: "own queue's"
      case .queue: "queue's"
      case .actor: "actor's"
      case .background: "background"
      case .given: "caller's"
      case .turn: "turn's"
      case .left: "left"
      case .shared: "shared"
      case .frozen: "frozen"
      case .unknown: "somebody's"
      }
    var text = "\(owner) \(used) \(place(way.executor, of: way.owner))"
    if isRealm, way.isWrite {
      switch way.transaction {
      case .none: text += " outside a write"
      case .open: text += " in a write"
      default: break
      }
    }
    return text
  }

  private func place(_ executor: Executor, of owner: Owner) -> String {
    switch executor {
    case .unknown: "somewhere"
    case .main: "on main"
    case .pool: "on pool"
    case .background: "in background"
    case .queue(let site):
      if case .queue(site) = owner.home { "on its queue" } else { "on a queue" }
    case .owner(let other): other == owner ? "in perform" : "in another's perform"
    case .outside: "outside perform"
    case .actor(let type):
      if case .actor(type) = owner.home { "on its actor" } else { "on an actor" }
    }
  }
}
