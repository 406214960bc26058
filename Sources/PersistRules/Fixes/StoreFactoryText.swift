import PersistIndex
import PersistSyntax

/// The function that opens a store in three tiers, at the end of a file, with the imports it needs.
struct StoreFactoryText {
  private(set) var edits: [Fix.Edit] = []

  /// Nothing where the file imports nothing at its top.
  init?(name: String, near ref: Ref, _ layout: Layout, in program: Program) {
    let file = Int(ref.file)
    let root = Ref(file: file, node: 0)
    let imports = program.children(root, .importDecl)
    guard !imports.isEmpty else { return nil }
    let names = imports.map { program.nameText($0) }
    var needed = names.contains { ["os", "OSLog"].contains($0) } ? [] : ["os"]
    if !names.contains(where: { Self.exportingFoundation.contains($0) }) {
      needed.append("Foundation")
    }
    for module in needed.sorted() {
      edits.append(Self.importing(module, imports, layout, in: program))
    }
    let logger = program.topLevelTypes(named: "Logger").isEmpty ? "Logger" : "os.Logger"
    edits.append(layout.insertionAtEnd(Self.lines(name, logger: logger)))
  }

  private static let exportingFoundation: Set<String> = [
    "Foundation", "SwiftUI", "UIKit", "AppKit", "WidgetKit", "CoreData",
  ]

  /// Before the first module whose name comes behind it, when they are sorted; else behind all.
  private static func importing(
    _ module: String, _ imports: [Ref], _ layout: Layout, in program: Program
  ) -> Fix.Edit {
    let key = module.lowercased()
    let names = imports.map { program.nameText($0).lowercased() }
    let isSorted = zip(names, names.dropFirst()).allSatisfy { $0 <= $1 }
    if isSorted, let next = imports.first(where: { program.nameText($0).lowercased() > key }) {
      let start = program.byteRange(next).lowerBound
      if layout.startsLine(start) {
        return layout.insertion("import \(module)\(layout.lineBreak)", at: start)
      }
    }
    let last = imports[imports.count - 1]
    return layout.insertion(
      "\(layout.lineBreak)import \(module)",
      at: layout.endOfLine(program.byteRange(last).upperBound))
  }

  private static func lines(_ name: String, logger: String) -> [Layout.Line] {
    template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let depth = line.prefix { $0 == " " }.count / 2
      let text = line.drop { $0 == " " }.replacing("NAME", with: name)
        .replacing("LOGGER", with: logger)
      return Layout.Line(String(text), depth: text.isEmpty ? 0 : depth)
    }
  }

  private static let template = #"""
    /// Opens the store. One that can't be opened is moved aside, with all its files, and a new one is
    /// opened in its place; where that fails too, everything is kept in memory until the app quits.
    ///
    /// `UserDefaults` says why under "storeProblem": show it, so that people know what they see.
    func NAME(
      at storeURL: URL, onDisk open: () throws -> ModelContainer,
      inMemory openInMemory: () throws -> ModelContainer
    ) throws -> ModelContainer {
      let logger = LOGGER(subsystem: Bundle.main.bundleIdentifier ?? "app", category: "store")
      do {
        let container = try open()
        UserDefaults.standard.removeObject(forKey: "storeProblem")
        return container
      } catch {
        logger.error("The store can't be opened: \(String(describing: error), privacy: .public)")
        UserDefaults.standard.set(String(describing: error), forKey: "storeProblem")
      }
      do {
        // A locked device and a full disk pass: the store stays where it is then.
        try FileHandle(forReadingFrom: storeURL).close()
        let folder = storeURL.deletingLastPathComponent()
        let space = try folder.resourceValues(forKeys: [.volumeAvailableCapacityKey])
        guard space.volumeAvailableCapacity ?? .max > 1 << 24 else {
          throw CocoaError(.fileWriteOutOfSpace)
        }
        let aside = folder.appendingPathComponent("Unopened \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: true)
        let name = storeURL.lastPathComponent
        let blobs = ".\(storeURL.deletingPathExtension().lastPathComponent)_SUPPORT"
        for file in [name, name + "-wal", name + "-shm", blobs] {
          let source = folder.appendingPathComponent(file)
          if FileManager.default.fileExists(atPath: source.path) {
            try FileManager.default.moveItem(at: source, to: aside.appendingPathComponent(file))
          }
        }
        logger.notice("The store was moved to \(aside.path, privacy: .public)")
        return try open()
      } catch {
        logger.error("Nor can a new one: \(String(describing: error), privacy: .public)")
      }
      return try openInMemory()
    }
    """#
}

extension Substring {
  fileprivate func replacing(_ old: String, with new: String) -> Substring {
    var result = ""
    var rest = self
    while !rest.isEmpty {
      if rest.hasPrefix(old) {
        result += new
        rest = rest.dropFirst(old.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result[...]
  }
}
