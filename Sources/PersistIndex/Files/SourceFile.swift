import PersistSchema
import PersistSyntax

/// What is looked up in one file by name.
package struct FileTables: Sendable {
  let words: FileWords
  let uses: FileUses

  /// Makes the tables of any outline.
  package init(_ outline: Outline) {
    words = FileWords(outline)
    uses = FileUses(outline, words: words.count)
  }
}

/// One Swift file of the program: its path, its outline, and what follows from these alone.
package final class SourceFile: Sendable {
  /// The path relative to the root, with `/` between.
  package let path: String
  /// The structure of the file.
  package let outline: Outline
  /// The folder that stands for the file's module, such as `Sources/App`.
  package let module: Name
  /// The target of a package that the file belongs to, which other targets have to import; nil when
  /// the file lies in no `Sources` folder.
  let target: Name?
  /// Part of a documentation catalog.
  package let isDocumentation: Bool
  /// Test code, by its imports or its folders.
  package let isTest: Bool
  /// Whether a comment of the file may hold a suppression.
  package let mayHaveSuppressions: Bool
  /// The words that the file uses.
  let words: FileWords
  /// What the file declares by itself.
  let declared: FileDeclarations
  /// The names that the file uses, and the calls of them.
  let uses: FileUses
  /// The imports of the file, also those in `#if`.
  let imports: [Import]
  /// Whether the classes of the file are those that Xcode generates from a data model.
  package let isGenerated: Bool
  /// The offsets at which lines begin, made when somebody asks for a line.
  private let lineStarts = Guarded<[UInt32]>([])

  /// Whether a token of the file is spelled so.
  package func spells(_ word: Name) -> Bool { words.holds(word) }

  /// The bytes of the file.
  package var text: SourceText { outline.text }
  /// The names of the folders, from the root on.
  var folderNames: [Name] { Self.folders(of: path).map { Name(String($0)) } }

  /// Reads a file's place in the project from its path, and what it says by itself from its outline;
  /// `rootDepth` is how many folders all files of the project have in common.
  package init(
    path: String, outline: Outline, tables: FileTables? = nil, rootDepth: Int = 0
  ) {
    self.path = path
    self.outline = outline
    let tables = tables ?? FileTables(outline)
    words = tables.words
    uses = tables.uses
    declared = FileDeclarations(outline)
    imports = Self.imports(outline)
    mayHaveSuppressions = outline.tokens.comments.contains { Self.isSuppression($0, outline.text) }
    let folders = Self.folders(of: path)
    let inner = Array(folders.dropFirst(rootDepth))
    module = Name(Self.moduleFolder(inner))
    let sources = folders.lastIndex(of: "Sources").map { $0 + 1 }
    target = sources.flatMap { $0 < folders.count ? Name(String(folders[$0])) : nil }
    // What lies above the project in an absolute path says nothing of the project.
    let own = path.hasPrefix("/") ? inner : folders
    isDocumentation = own.contains { $0.utf8.last == UInt8(ascii: "c") && $0.hasSuffix(".docc") }
    isTest = Self.isTest(own) || Self.importsTesting(outline)
    isGenerated = DataModel.wants(path: path)
  }

  /// The classes that Xcode generates from the current version of a Core Data model, and those that
  /// neither it nor one of the files declares, as a file in the place of the model's XML; nil when
  /// there are none.
  package convenience init?(
    generatedFrom model: DataModel, beside written: [SourceFile], bytes: [UInt8],
    rootDepth: Int = 0
  ) {
    guard model.problems.isEmpty, let version = model.current,
      let source = version.generatedSource(
        over: bytes,
        isWritten: { name in
          let name = Name(name)
          return written.contains { $0.words.holds(name) && $0.declares(name) }
        })
    else { return nil }
    self.init(path: version.path, outline: Outline(SourceText(source)), rootDepth: rootDepth)
  }

  /// Whether the file declares a type with a name, also inside of another one.
  private func declares(_ name: Name) -> Bool { declared.types.contains { $0.name == name } }

  /// The names of the folders of a path; taken by bytes, because characters are slow to find.
  private static func folders(of path: String) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/")).dropLast().map { Substring($0) }
  }

  /// How many folders, from the left, all paths have in common.
  package static func rootDepth(of paths: [String]) -> Int {
    guard let first = paths.first else { return 0 }
    var common = folders(of: first)[...]
    for path in paths.dropFirst() {
      let shared = zip(common, folders(of: path)).prefix { $0 == $1 }.count
      common = common.prefix(shared)
      if common.isEmpty { break }
    }
    return common.count
  }

  private static func moduleFolder(_ folders: [Substring]) -> String {
    if let sources = folders.lastIndex(where: { $0 == "Sources" || $0 == "Tests" }),
      sources + 1 < folders.count
    {
      return folders[...(sources + 1)].joined(separator: "/")
    }
    return folders.first.map(String.init) ?? ""
  }

  /// Whether a file lies in a folder of tests, where so many folders from the left say nothing.
  package static func isInTestFolder(_ path: String, rootDepth: Int) -> Bool {
    isTest(Array(folders(of: path).dropFirst(rootDepth)))
  }

  private static func isTest(_ folders: [Substring]) -> Bool {
    folders.contains { folder in
      // Nearly all folders end otherwise, and suffixes are slow.
      guard let last = folder.utf8.last, last == UInt8(ascii: "s") || last == UInt8(ascii: "t")
      else { return false }
      return ["Tests", "UITests", "TestHelpers", "TestSupport", "TestUtils"].contains {
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
      var imports: [Import] = []
      var index = 1
      while index < nodes.count {
        switch nodes[index].kind {
        case .ifConfig, .ifConfigClause:
          index += 1
          continue
        case .importDecl:
          let hasAttribute = outline.children(of: index).contains { nodes[$0].kind == .attribute }
          imports.append(Import(name: outline.name(of: index), hasAttribute: hasAttribute))
        default: break
        }
        index = Int(nodes[index].subtreeEnd)
      }
      return imports
    }
  }

  private static func importsTesting(_ outline: Outline) -> Bool {
    outline.children(of: 0).contains { node in
      guard outline.nodes[node].kind == .importDecl else { return false }
      let name = outline.name(of: node)
      return name == "XCTest" || name == "Testing" || name == "TestsFoundation"
        || outline.children(of: node).contains {
          // What needs `@testable` isn't compiled for release.
          outline.nodes[$0].kind == .attribute && outline.name(of: $0) == "testable"
        }
    }
  }

  /// Whether the file imports a module, also in `#if`.
  package func imports(_ module: Name) -> Bool { imports.contains { $0.name == module } }

  /// Whether the text has a word anywhere, comments and strings included; `word` is in lower case,
  /// the text may be in any.
  package func mentions(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    let first = word.utf8Start[0] | 0x20
    var start = 0
    while start + length <= text.count {
      if text.start[start] | 0x20 == first,
        (1..<length).allSatisfy({ text.start[start + $0] | 0x20 == word.utf8Start[$0] | 0x20 })
      {
        return true
      }
      start += 1
    }
    return false
  }

  private static func isSuppression(_ comment: Comment, _ text: SourceText) -> Bool {
    var offset = Int(comment.offset)
    let end = min(offset + Int(comment.length), text.count)
    while offset < end, isCommentMark(text.start[offset]) { offset += 1 }
    guard end - offset >= suppressionMarker.utf8CodeUnitCount else { return false }
    return (0..<suppressionMarker.utf8CodeUnitCount).allSatisfy {
      text.start[offset + $0] == suppressionMarker.utf8Start[$0]
    }
  }

  /// What a comment begins with that suppresses findings, its slashes and stars left out.
  package static let suppressionMarker: StaticString = "persistlint:"

  /// Whether a byte belongs to the beginning of a comment and not to what it says.
  package static func isCommentMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "*"), 0x20, 0x09: true
    default: false
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
    let lineStarts = lineStarts.whileHeld { starts in
      if starts.isEmpty { starts = Self.lineStarts(text) }
      return starts
    }
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

  /// Both indices as one number.
  private var number: UInt64 {
    UInt64(UInt32(bitPattern: file)) << 32 | UInt64(UInt32(bitPattern: node))
  }

  /// Feeds both indices as one number.
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// What tables ask for: two multiplications in place of a hasher.
  package func _rawHashValue(seed: Int) -> Int { number.scattered(seed) }

  package init(file: Int, node: Int) {
    self.file = Int32(truncatingIfNeeded: file)
    self.node = Int32(truncatingIfNeeded: node)
  }

  package static func < (left: Ref, right: Ref) -> Bool {
    (left.file, left.node) < (right.file, right.node)
  }
}
