import PersistIndex
import PersistSchema
import PersistVersions

/// Writes the tests of the versions that shipped, or says whether they are fresh.
func writeTests(
  _ file: String, _ sources: SchemaSources, _ options: Options
) throws(CommandError) -> ExitCode {
  let snapshot = try sources.current()
  let program = snapshot.program
  let lock = try sources.lock()
  let frozen = Set((lock?.versions ?? program.frozenShapes(includingNewest: false)).keys)
  guard program.plans.contains(where: { !$0.isTest && $0.chain.count > 1 }) else {
    throw .refusal("there is no migration plan with two versions, so there is nothing to test")
  }
  let target = program.versions.first.map { SchemaProgram.target(of: $0.place.path) } ?? ""
  let module = options.testsModule ?? (target.isEmpty ? "App" : target)
  let tests = ShippedStoreTests(
    program, files: snapshot.files, frozen: frozen, module: module, file: file)
  for omission in tests.omissions { warn(omission) }
  if options.checksTests {
    let isFresh: Bool
    do {
      isFresh = try FileReader.read(file, atMost: FileReader.Limit.record) == Array(tests.text.utf8)
    } catch {
      throw .refusal("\(file): \(error.reason)")
    }
    if !isFresh { say("\(file) is out of date: run persistlint freeze --tests \(file)") }
    return isFresh ? .clean : .found
  }
  if let begun = try? FileReader.beginning(of: file, count: ShippedStoreTests.heading.utf8.count),
    !begun.isEmpty, begun != Array(ShippedStoreTests.heading.utf8)
  {
    throw .refusal("\(file) holds something else; name a file that isn't there yet")
  }
  try Destination(path: file, naming: .argument, content: .new).write(Array(tests.text.utf8))
  say("\(file): \(tests.testCount) \(tests.testCount == 1 ? "version" : "versions") tested")
  return .clean
}
