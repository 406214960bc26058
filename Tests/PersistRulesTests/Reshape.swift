#if canImport(PersistSyntax)
  import PersistSyntax
#endif

/// A change of a program that doesn't matter, so that it must change no finding.
enum Reshape: String, CaseIterable, Sendable {
  /// Comments on top, functions at the end, files beside the others, and names that turn the order of
  /// the files around.
  case otherSurroundings
  /// The declarations of each file and the functions of each type in reverse order.
  case reverseOrder
  /// Every other method in an extension of its type, in the same file.
  case splitTypes
  /// Every other method in an extension in another file, and free functions in another file.
  case movedFunctions

  struct File {
    var path: String
    var code: String
    /// Added by the change, so that what is found there doesn't count.
    var isNew = false
  }

  func apply(_ files: [File]) -> [File] {
    switch self {
    case .otherSurroundings: files.withOtherSurroundings
    case .reverseOrder:
      files.map { file in
        var file = file
        let layout = Layout(file.code)
        file.code = layout.reversed
        return file
      }
    case .splitTypes:
      files.map { file in
        var file = file
        let (rest, parts) = Layout(file.code).withoutEveryOtherMethod(toOtherFile: false)
        file.code = rest + parts.map { "\n\($0)" }.joined()
        return file
      }
    case .movedFunctions:
      files.flatMap { file -> [File] in
        let layout = Layout(file.code)
        guard file.name != "main.swift", !layout.hasPrivateNames else { return [file] }
        let (rest, parts) = layout.withoutEveryOtherMethod(toOtherFile: true)
        let (left, functions) = Layout(rest).withoutFreeFunctions
        guard !parts.isEmpty || !functions.isEmpty else { return [file] }
        var kept = file
        kept.code = left
        let moved = (parts + functions).map { "\n\($0)" }.joined()
        // A file of its own whose findings count as those of the first.
        let path = String(file.path.dropLast(".swift".count)) + "+Moved.swift"
        return [kept, File(path: path, code: layout.imports + moved)]
      }
    }
  }
}

extension Reshape.File {
  fileprivate var folder: String {
    path.contains("/")
      ? path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        .joined(separator: "/") + "/" : ""
  }
  fileprivate var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether its name or first line means something.
  fileprivate var isFixed: Bool {
    name == "main.swift" || name.hasPrefix("Package") || code.hasPrefix("#!")
  }
}

extension [Reshape.File] {
  /// The names that turn the order of the files around, by the names that they have.
  var otherNames: [String: String] {
    let names = Set(filter { !$0.isFixed }.map(\.name)).sorted(by: >)
    let pairs = names.enumerated().map { rank, name in
      (name, String(String(100_000 + rank).dropFirst()) + name)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  fileprivate var withOtherSurroundings: [Reshape.File] {
    let names = otherNames
    var result: [Reshape.File] = []
    for (index, file) in enumerated() {
      var file = file
      if let name = names[file.name], !file.isFixed {
        file.path = file.folder + name
        file.code = "// The first line.\n" + file.code + Self.functions(index)
      }
      result.append(file)
    }
    for (index, folder) in Set(filter { !$0.isFixed }.map(\.folder)).sorted().enumerated() {
      result.append(
        Reshape.File(path: folder + "0Beside.swift", code: Self.unrelated(index), isNew: true))
    }
    result.append(
      Reshape.File(path: "Beside/Beside.swift", code: Self.unrelated(count), isNew: true))
    return result
  }

  /// Two functions that call each other.
  private static func functions(_ index: Int) -> String {
    """

    private func beside\(index)(_ count: Int) -> Int { count > 0 ? besides\(index)(count - 1) : 0 }
    private func besides\(index)(_ count: Int) -> Int { beside\(index)(count) }

    """
  }

  private static func unrelated(_ index: Int) -> String {
    """
    import Foundation

    protocol Beside\(index)Part { var name: String { get } }

    final class Beside\(index)Box: Beside\(index)Part {
      var name = ""
      func open() throws { try load(0) }
      func load(_ count: Int) throws { if count > 0 { try reload(count - 1) } }
      func reload(_ count: Int) throws { try load(count) }
      func show() { print(name) }
    }

    """
  }
}

/// The declarations of a file as ranges of its bytes.
private struct Layout {
  private let bytes: [UInt8]
  private let outline: Outline

  init(_ code: String) {
    bytes = Array(code.utf8)
    outline = Outline(SourceText(bytes))
  }

  private static let types: Set<Node.Kind.RawValue> = Set(
    [.classDecl, .structDecl, .enumDecl, .actorDecl].map { (kind: Node.Kind) in kind.rawValue })

  private func kind(_ node: Int) -> Node.Kind { outline.nodes[node].kind }
  private func isType(_ node: Int) -> Bool { Self.types.contains(kind(node).rawValue) }
  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  private func children(_ node: Int, _ kind: Node.Kind) -> [Int] {
    outline.children(of: node).filter { self.kind($0) == kind }
  }
  private func modifiers(_ node: Int) -> [String] {
    (children(node, .modifier) + children(node, .attribute)).map {
      outline.text[outline.byteRange(of: $0)]
    }
  }
  private func name(_ node: Int) -> String {
    let name = outline.nodes[node].name
    return name == Node.noToken ? "" : outline.text(ofToken: Int(name))
  }

  /// A node with the comments above it, from the end of what stands before it.
  private func range(_ node: Int, after start: Int) -> Range<Int> {
    start..<end(ofLineOf: outline.byteRange(of: node).upperBound)
  }

  /// The end of a line on which only a comment follows; else the place itself.
  private func end(ofLineOf place: Int) -> Int {
    var end = place
    while end < bytes.count, bytes[end] == 0x20 { end += 1 }
    guard end + 1 < bytes.count, bytes[end] == 0x2F, bytes[end + 1] == 0x2F else { return place }
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    return end
  }

  private func ranges(of nodes: [Int], from start: Int) -> [(node: Int, range: Range<Int>)] {
    var start = start
    return nodes.map { node in
      let range = range(node, after: start)
      start = range.upperBound
      return (node, range)
    }
  }

  private func start(ofMembers list: Int) -> Int {
    end(ofLineOf: outline.byteRange(of: list).lowerBound + 1)
  }

  /// The imports at top level, each on a line.
  var imports: String {
    children(0, .importDecl).map { text(outline.byteRange(of: $0)) + "\n" }.joined()
  }

  /// The names in the file, at any depth, that other files can't use.
  private var privateNames: Set<String> {
    var names: Set<String> = []
    for node in outline.nodes.indices {
      let own = (children(node, .modifier)).map { outline.text[outline.byteRange(of: $0)] }
      guard own.contains("private") || own.contains("fileprivate") else { continue }
      names.insert(name(node))
      for binding in children(node, .binding) {
        names.formUnion(children(binding, .boundName).map(name))
        names.insert(name(binding))
      }
    }
    return names.subtracting([""])
  }

  private func uses(_ names: Set<String>, _ node: Int) -> Bool {
    guard !names.isEmpty else { return false }
    return (node..<Int(outline.nodes[node].subtreeEnd)).contains { names.contains(name($0)) }
  }

  /// Whether something at top level has a name that other files can't use.
  var hasPrivateNames: Bool {
    outline.children(of: 0).contains { node in
      modifiers(node).contains { $0.hasPrefix("private") || $0.hasPrefix("fileprivate") }
    }
  }

  // MARK: Order

  var reversed: String {
    let swapped: [Node.Kind] = [
      .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl, .functionDecl,
      .typealiasDecl,
    ]
    let top = Array(outline.children(of: 0))
    let hasStatements = top.contains {
      !swapped.contains(kind($0)) && ![.importDecl, .variableDecl, .ifConfig].contains(kind($0))
    }
    var moves =
      hasStatements
      ? []
      : Self.reversed(ranges(of: top, from: 0), self) {
        swapped.contains($0)
      }
    if moves.isEmpty {
      for type in top where isType(type) || kind(type) == .extensionDecl {
        guard let list = children(type, .members).first else { continue }
        moves += Self.reversed(
          ranges(of: Array(outline.children(of: list)), from: start(ofMembers: list)), self
        ) { $0 == .functionDecl }
      }
    }
    return replaced(moves)
  }

  /// Puts the last of the nodes of some kinds in the place of the first, and so on.
  private static func reversed(
    _ ranges: [(node: Int, range: Range<Int>)], _ layout: Layout, _ isMoved: (Node.Kind) -> Bool
  ) -> [(Range<Int>, String)] {
    let moved = ranges.filter { isMoved(layout.kind($0.node)) }
    guard moved.count > 1 else { return [] }
    return zip(moved, moved.reversed()).map { place, other in
      (place.range, "\n" + layout.text(other.range))
    }
  }

  private func replaced(_ changes: [(Range<Int>, String)]) -> String {
    var result = ""
    var at = 0
    for (range, text) in changes.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) {
      result += self.text(at..<range.lowerBound) + text
      at = range.upperBound
    }
    return result + text(at..<bytes.count)
  }

  // MARK: Moves

  /// Every other method of each type of its own, taken out and put into extensions; for another file
  /// without those that use what only this one can.
  func withoutEveryOtherMethod(toOtherFile: Bool) -> (rest: String, parts: [String]) {
    let hidden = toOtherFile ? privateNames : []
    var changes: [(Range<Int>, String)] = []
    var parts: [String] = []
    for type in outline.children(of: 0) where isType(type) {
      guard let list = children(type, .members).first else { continue }
      let members = ranges(of: Array(outline.children(of: list)), from: start(ofMembers: list))
      let methods = members.filter { canMove($0.node) && !uses(hidden, $0.node) }
      let taken = methods.indices.filter { $0 % 2 == 0 }.map { methods[$0] }
      guard !taken.isEmpty else { continue }
      changes += taken.map { ($0.range, "") }
      parts.append(
        "extension \(name(type)) {\n" + taken.map { text($0.range) }.joined(separator: "\n")
          + "\n}\n")
    }
    return (replaced(changes), parts)
  }

  var withoutFreeFunctions: (rest: String, functions: [String]) {
    let all = ranges(of: Array(outline.children(of: 0)), from: 0)
    let taken = all.filter { canMove($0.node) }
    return (replaced(taken.map { ($0.range, "") }), taken.map { text($0.range) + "\n" })
  }

  private func canMove(_ node: Int) -> Bool {
    guard kind(node) == .functionDecl, !children(node, .block).isEmpty else { return false }
    return modifiers(node).allSatisfy { modifier in
      ["public", "internal", "package", "static", "nonisolated", "mutating", "@MainActor"]
        .contains(modifier)
    }
  }
}
