import PersistSchema
import PersistSyntax

/// One Swift file of the program: its path, its outline, and what its path and imports say of it.
package final class SourceFile: Sendable {
  /// The path relative to the root, with `/` between.
  package let path: String
  package let outline: Outline
  /// The folder that stands for the file's module, such as `Sources/App`.
  package let module: Name
  /// The target of a package that the file belongs to, which other targets have to import; nil when
  /// the file lies in no `Sources` folder.
  let target: Name?
  /// Test code, by its imports or its folders.
  package let isTest: Bool
  /// Part of a documentation catalog.
  package let isDocumentation: Bool
  /// The names that the file uses.
  let names: FileNames
  /// The imports of the file, wherever they stand.
  let imports: [Import]
  /// Made when the first position is asked for, which one thread does, as with a `Program`.
  private nonisolated(unsafe) var lineStarts: [UInt32] = []

  /// Reads a file's place in the project from its path and its imports; `rootDepth` is how many
  /// folders all files of the project have in common.
  package init(path: String, outline: Outline, rootDepth: Int = 0) {
    self.path = path
    self.outline = outline
    imports = Self.imports(outline)
    names = FileNames(outline)
    let folders = path.split(separator: "/").dropLast().map(String.init)
    let inner = Array(folders.dropFirst(rootDepth))
    module = Name(Self.moduleFolder(inner))
    let sources = folders.lastIndex(of: "Sources").map { $0 + 1 }
    target = sources.flatMap { $0 < folders.count ? Name(folders[$0]) : nil }
    // What lies above the project in an absolute path says nothing of the project.
    let own = path.hasPrefix("/") ? inner : folders
    isDocumentation = own.contains { $0.hasSuffix(".docc") }
    isTest = Self.isTest(own) || Self.importsTesting(outline)
  }

  /// The classes that Xcode generates from the current version of a Core Data model, as a file in the
  /// place of the model's XML; nil when there are none.
  package convenience init?(
    generatedFrom model: DataModel, bytes: [UInt8], rootDepth: Int = 0
  ) {
    guard model.problems.isEmpty, let version = model.current,
      let source = version.generatedSource(over: bytes)
    else { return nil }
    self.init(path: version.path, outline: Outline(SourceText(source)), rootDepth: rootDepth)
  }

  /// How many folders, from the left, all paths have in common.
  package static func rootDepth(of paths: [String]) -> Int {
    guard let first = paths.first else { return 0 }
    var common = first.split(separator: "/").dropLast()
    for path in paths.dropFirst() {
      let shared = zip(common, path.split(separator: "/").dropLast()).prefix { $0 == $1 }.count
      common = common.prefix(shared)
      if common.isEmpty { break }
    }
    return common.count
  }

  private static func moduleFolder(_ folders: [String]) -> String {
    if let sources = folders.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }),
      sources + 1 < folders.count
    {
      return folders[...(sources + 1)].joined(separator: "/")
    }
    return folders.first ?? ""
  }

  private static func isTest(_ folders: [String]) -> Bool {
    folders.contains { folder in
      ["Tests", "UITests", "TestHelpers", "TestSupport", "TestUtils"].contains {
        folder.hasSuffix($0)
      } || folder == "Test" || folder == "test" || folder == "tests"
    }
  }

  /// An imported name, and whether an attribute such as `@_exported` stands before it.
  struct Import: Sendable {
    let name: Name
    let hasAttribute: Bool
  }

  private static func imports(_ outline: Outline) -> [Import] {
    outline.nodes.withUnsafeBufferPointer { nodes in
      nodes.indices.filter { nodes[$0].kind == .importDecl }
    }.map { index in
      Import(
        name: outline.name(of: index),
        hasAttribute: outline.children(of: index).contains {
          outline.nodes[$0].kind == .attribute
        })
    }
  }

  private static func importsTesting(_ outline: Outline) -> Bool {
    outline.children(of: 0).contains { node in
      guard outline.nodes[node].kind == .importDecl else { return false }
      let name = outline.name(of: node)
      return name == "XCTest" || name == "Testing"
    }
  }

  private static func lineStarts(_ text: SourceText) -> [UInt32] {
    var starts: [UInt32] = [0]
    var offset = 0
    while offset < text.count {
      let byte = text.start[offset]
      offset += 1
      if byte == 0x0A || byte == 0x0D && text.start[offset] != 0x0A {
        starts.append(UInt32(truncatingIfNeeded: offset))
      }
    }
    return starts
  }

  /// The line and column, from 1 and in UTF-8 bytes, of a byte offset.
  package func lineAndColumn(of offset: Int) -> (line: Int, column: Int) {
    if lineStarts.isEmpty { lineStarts = Self.lineStarts(outline.text) }
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle }
    }
    return (low + 1, offset - Int(lineStarts[low]) + 1)
  }
}

/// A node of one file of the program.
package struct Ref: Hashable, Sendable, Comparable {
  package let file: Int32
  package let node: Int32

  /// Feeds both indices as one number.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(Int64(file) << 32 | Int64(node))
  }

  package init(file: Int, node: Int) {
    self.file = Int32(truncatingIfNeeded: file)
    self.node = Int32(truncatingIfNeeded: node)
  }

  package static func < (left: Ref, right: Ref) -> Bool {
    (left.file, left.node) < (right.file, right.node)
  }
}
