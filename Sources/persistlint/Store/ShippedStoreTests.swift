import PersistIndex
import PersistSchema
import PersistVersions

/// A file of Swift Testing that writes a store by each version that shipped and opens it by the
/// newest one.
struct ShippedStoreTests {
  /// How the file begins, by which it is known again.
  static let heading = "// Written by `persistlint freeze --tests`"
  /// Where a project keeps stores of devices.
  static let storesFolder = "Tests/Stores"

  private let program: SchemaProgram
  private let files: [SourceFile]
  private let module: String
  private let storesPath: String
  /// Why a version or an entity has no test.
  private(set) var omissions: [String] = []
  private(set) var text = ""
  private(set) var testCount = 0

  /// `frozen` are the keys of the versions that shipped; `file` is the path of the test file from
  /// the root of the project.
  init(
    _ program: SchemaProgram, files: [SourceFile], frozen: Set<String>, module: String, file: String
  ) {
    self.program = program
    self.files = files
    self.module = module
    let depth = file.split(separator: "/").count
    storesPath = String(repeating: ".deletingLastPathComponent()", count: max(depth, 1))
    var functions: [String] = []
    for plan in program.plans where !plan.isTest {
      let chain = plan.chain.map { program.versions[$0] }
      guard let newest = chain.last else { continue }
      for version in chain.dropLast() where frozen.contains(version.key) {
        guard let test = test(of: version, newest: newest, plan: plan, chain) else { continue }
        functions.append(test)
        testCount += 1
      }
      functions.append(storesTest(plan: plan, newest: newest))
    }
    text = head + functions.joined(separator: "\n") + foot
  }

  private var head: String {
    """
    \(Self.heading): don't edit it, run the command again after a change;
    // with `--check` it says whether the file is fresh.

    \(Self.imported("Foundation", "SwiftData", "Testing"))

    @testable \(Self.imported(module))

    /// Each version that shipped is written to disk and opened by the newest one.
    @Suite struct ShippedStores {

    """
  }

  /// Lines that import modules.
  private static func imported(_ modules: String...) -> String {
    modules.map { "import \($0)" }.joined(separator: "\n")
  }

  private let foot = """

      static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

      /// A new folder for one store.
      private static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
          .appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
      }
    }

    """

  private mutating func test(
    of version: SchemaVersion, newest: SchemaVersion, plan: MigrationPlan, _ chain: [SchemaVersion]
  ) -> String? {
    guard version.uses.allSatisfy(\.isNested) else {
      omissions.append("\(version.key) has no test: it names classes of today")
      return nil
    }
    let objects = sampleObjects(of: version)
    guard !objects.isEmpty else {
      omissions.append("\(version.key) has no test: no initializer of its classes can be called")
      return nil
    }
    let name = version.name.identifier
    return """
        @Test func \(name.lowercasedFirst)OpensBy\(newest.name.identifier)() throws {
          let folder = try Self.makeFolder()
          defer { try? FileManager.default.removeItem(at: folder) }
          let url = folder.appendingPathComponent("\(name).store")
          try Self.write\(name)(to: url)
          let schema = Schema(versionedSchema: \(newest.name).self)
          let container = try ModelContainer(
            for: schema, migrationPlan: \(plan.name).self,
            configurations: [ModelConfiguration(schema: schema, url: url, cloudKitDatabase: .none)])
          let context = ModelContext(container)
      \(checks(objects, version, newest, plan, chain))
        }

        private static func write\(name)(to url: URL) throws {
          let schema = Schema(versionedSchema: \(version.name).self)
          let container = try ModelContainer(
            for: schema,
            configurations: [ModelConfiguration(schema: schema, url: url, cloudKitDatabase: .none)])
          let context = ModelContext(container)
      \(writing(objects))
          try context.save()
        }

      """
  }

  private func writing(_ objects: [(entity: String, object: SampleObject)]) -> String {
    objects.flatMap { $0.object.lines + ["context.insert(\($0.object.variable))"] }
      .map { "    " + $0 }.joined(separator: "\n")
  }

  /// The objects of a version in an order in which each finds those that it needs.
  private mutating func sampleObjects(
    of version: SchemaVersion
  ) -> [(entity: String, object: SampleObject)] {
    var made: [String: String] = [:]
    var objects: [(entity: String, object: SampleObject)] = []
    var pending = version.uses.sorted { $0.key < $1.key }
    var hasProgress = true
    while hasProgress {
      hasProgress = false
      for use in pending where version.shape.canBeMade(use.key, having: Set(made.keys)) {
        guard let object = SampleObject(of: use, in: version.shape, files: files, made: made) else {
          continue
        }
        objects.append((use.key, object))
        made[use.key] = object.variable
        pending.removeAll { $0.key == use.key }
        hasProgress = true
      }
    }
    for use in pending where version.shape.entity(use.key)?.isAbstract == false {
      omissions.append("\(version.key).\(use.key) is in no test: no initializer can be called")
    }
    return objects
  }

  private func checks(
    _ objects: [(entity: String, object: SampleObject)], _ version: SchemaVersion,
    _ newest: SchemaVersion, _ plan: MigrationPlan, _ chain: [SchemaVersion]
  ) -> String {
    let migration = Migration(from: version.shape, to: newest.shape)
    let touched = Set(
      migration.judgements.map { "\($0.change.subject.entity).\($0.change.subject.property)" })
    let start = chain.firstIndex { $0.id == version.id } ?? 0
    let steps = zip(chain[start...], chain[(start + 1)...]).compactMap { old, new in
      plan.stages?.first { $0.from == old.id && $0.to == new.id }
    }
    let isCustom = steps.contains { $0.kind == .custom }
    var lines: [String] = []
    for (entity, object) in objects {
      guard let model = newest.use(entity)?.model, !touched.contains("\(entity).") else { continue }
      let fetch = "FetchDescriptor<\(model.qualifiedName)>()"
      if steps.contains(where: { !$0.emptied.isEmpty }) { continue }
      lines.append(
        "#expect(try context.fetchCount(\(fetch)) == \(version.shape.rows(of: entity, objects.map(\.entity))))"
      )
      let kept = object.values.keys.sorted().filter { name in
        !isCustom && !touched.contains("\(entity).\(name)")
          && newest.shape.entity(entity)?.property(name) != nil
      }
      guard !kept.isEmpty, !version.shape.hasSubentities(entity) else { continue }
      lines.append("let \(object.variable) = try #require(try context.fetch(\(fetch)).first)")
      lines += kept.map { "#expect(\(object.variable).\($0) == \(object.values[$0] ?? "nil"))" }
    }
    if lines.isEmpty {
      lines = [
        "#expect(try context.fetchCount(FetchDescriptor<\(newest.uses.first?.model.qualifiedName ?? "")>()) >= 0)"
      ]
    }
    return lines.map { "    " + $0 }.joined(separator: "\n")
  }

  private func storesTest(plan: MigrationPlan, newest: SchemaVersion) -> String {
    """
      /// The stores under \(Self.storesFolder), as they came from devices.
      static let kept: [URL] = {
        let root = URL(fileURLWithPath: #filePath)\(storesPath)
        let folder = root.appendingPathComponent("\(Self.storesFolder)")
        let files = try? FileManager.default.contentsOfDirectory(
          at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "store" }
      }()

      @Test(arguments: kept) func keptStoreOpensBy\(newest.name.identifier)(store: URL) throws {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent(store.lastPathComponent)
        for ending in ["", "-wal", "-shm"] {
          let source = URL(fileURLWithPath: store.path + ending)
          guard FileManager.default.fileExists(atPath: source.path) else { continue }
          try FileManager.default.copyItem(at: source, to: URL(fileURLWithPath: url.path + ending))
        }
        let schema = Schema(versionedSchema: \(newest.name).self)
        let container = try ModelContainer(
          for: schema, migrationPlan: \(plan.name).self,
          configurations: [ModelConfiguration(schema: schema, url: url, cloudKitDatabase: .none)])
        #expect(container.schema.entities.count == schema.entities.count)
      }

    """
  }
}

extension SchemaShape {
  /// Whether all objects that an entity must be related to are there.
  fileprivate func canBeMade(_ key: String, having made: Set<String>) -> Bool {
    guard let entity = entity(key) else { return false }
    return entity.properties.allSatisfy { property in
      guard let relationship = property.relationship, !relationship.isToMany, !property.isOptional
      else { return true }
      return made.contains(relationship.destination)
    }
  }

  fileprivate func hasSubentities(_ key: String) -> Bool {
    entities.contains { $0.superentity == key }
  }

  /// How many of the made entities are of this one or inherit from it.
  fileprivate func rows(of key: String, _ made: [String]) -> Int {
    made.filter { name in
      var seen: Set<String> = []
      var next: String? = name
      while let current = next, seen.insert(current).inserted {
        if current == key { return true }
        next = entity(current)?.superentity
      }
      return false
    }.count
  }
}

extension String {
  /// Without the points of a qualified name.
  fileprivate var identifier: String { filter { $0.isLetter || $0.isNumber || $0 == "_" } }
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
