import Foundation
import PersistSyntax

@testable import PersistIndex

/// A page of `Types/`: each fence is a program, in which carets say the types of what stands above
/// them. A fence that begins with `swift every` is part of each program of the page.
struct TypePage: Sendable {
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
      .appendingPathComponent("Types")
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

/// A type that carets say, or what is told instead.
struct SaidType: Equatable, CustomStringConvertible {
  let line: Int
  let text: String
  let type: String

  var description: String { "\(line): `\(text)` is \(type)" }
}

extension TypePage.Sample {
  /// What the carets say, and what the program tells of the same places; turned, with the files the
  /// other way round, and asked from the end on.
  func types(isTurned: Bool) -> (said: [SaidType], told: [SaidType]) {
    var code: [Substring] = []
    var places: [(line: Int, columns: Range<Int>, type: String)] = []
    for line in self.code.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " || $0 == "/" }
      guard text.hasPrefix("^") else {
        code.append(line)
        continue
      }
      let start = line.utf8.count - text.utf8.count
      let count = text.prefix { $0 == "^" }.utf8.count
      let words = text.drop { $0 == "^" }.drop { $0 == " " }
      guard words.hasPrefix("type: ") else { continue }
      places.append((code.count - 1, start..<start + count, String(words.dropFirst(6))))
    }
    let source = code.joined(separator: "\n")
    let words = source + "\n" + shared
    let page = SourceFile(path: "Sources/App/Page.swift", outline: Outline(SourceText(source)))
    let other = SourceFile(path: "Sources/App/Shared.swift", outline: Outline(SourceText(shared)))
    let spelling = TypeSpelling(
      Program(isTurned ? [other, page] : [page, other]), file: isTurned ? 1 : 0, words: words)
    var starts = [0]
    for line in code { starts.append((starts.last ?? 0) + line.utf8.count + 1) }
    var said: [SaidType] = []
    var told: [SaidType] = []
    for place in isTurned ? places.reversed() : places {
      let bytes =
        starts[place.line] + place.columns.lowerBound..<starts[place.line]
        + place.columns.upperBound
      let line = self.line + place.line
      let text = String(decoding: Array(source.utf8)[bytes], as: UTF8.self)
      said.append(SaidType(line: line, text: text, type: place.type))
      told.append(SaidType(line: line, text: text, type: spelling.type(at: bytes)))
    }
    return (said, told)
  }
}

/// Tells the types of places in one file of a program, as people write them.
struct TypeSpelling {
  private let program: Program
  private let file: Int
  private let words: [Name: String]

  /// `words` is a text in which the names of all types from elsewhere stand.
  init(_ program: Program, file: Int, words: String) {
    self.program = program
    self.file = file
    let known = [
      "Int", "String", "Bool", "Double", "Error", "Never", "Result", "Task", "KeyPath",
      "ModelContext", "NSManagedObjectContext", "NSManagedObject",
    ]
    let all =
      known
      + words.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    self.words = Dictionary(all.map { (Name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  func type(at bytes: Range<Int>) -> String {
    let outline = program.outline(Ref(file: file, node: 0))
    for index in outline.nodes.indices {
      let ref = Ref(file: file, node: index)
      let range = outline.byteRange(of: index)
      switch outline.nodes[index].kind {
      case .expression, .name, .implicitMember, .closure, .literal:
        if range == bytes { return spell(program.type(of: ref)) }
      case .chain:
        if range == bytes { return spell(program.type(of: ref)) }
        guard range.lowerBound == bytes.lowerBound else { continue }
        let parts = program.children(ref)
        for (part, next) in zip(parts, parts.dropFirst())
        where outline.byteRange(of: Int(part.node)).upperBound == bytes.upperBound {
          return spell(program.type(ofChain: ref, upTo: next))
        }
      case .boundName, .parameter, .binding, .functionDecl:
        let token = outline.nodes[index].name
        guard token != Node.noToken,
          case let name = outline.tokens[Int(token)],
          Int(name.offset)..<name.end == bytes
        else { continue }
        if let property = program.property(declaredAt: ref) {
          return spell(program.type(ofProperty: property))
        }
        if let function = program.function(declaredAt: ref) {
          return spell(program.resultType(function))
        }
        if outline.nodes[index].kind != .binding { return spell(program.type(ofLocal: ref)) }
      default: break
      }
    }
    return "nothing that has a type"
  }

  private func spell(_ type: SwiftType) -> String {
    switch type {
    case .unknown: "unknown"
    case .declared(let id, let arguments): path(of: id) + spell(arguments)
    case .external(let name, let arguments): (words[name] ?? "elsewhere") + spell(arguments)
    case .optional(.function(let parameters, let result)):
      "(\(spell(.function(parameters, result))))?"
    case .optional(let wrapped): "\(spell(wrapped))?"
    case .array(let element): "[\(spell(element))]"
    case .set(let element): "Set<\(spell(element))>"
    case .dictionary(let key, let value): "[\(spell(key)): \(spell(value))]"
    case .tuple(let parts, let labels):
      "("
        + zip(parts, labels).map { part, label in
          (label == .none ? "" : "\(words[label] ?? "label"): ") + spell(part)
        }.joined(separator: ", ") + ")"
    case .function(let parameters, let result):
      "(\(parameters.map(spell).joined(separator: ", "))) -> \(spell(result))"
    case .metatype(let type): "\(spell(type)).Type"
    case .parameter, .associated: "open"
    }
  }

  private func spell(_ arguments: [SwiftType]) -> String {
    arguments.isEmpty ? "" : "<\(arguments.map(spell).joined(separator: ", "))>"
  }

  private func path(of type: TypeID) -> String {
    let declaration = program.types[type]
    let own = words[declaration.name] ?? "elsewhere"
    return declaration.parent.map { "\(path(of: $0)).\(own)" } ?? own
  }
}
