import PersistSyntax
import Testing

@testable import PersistIndex

/// Where code runs.
@Suite struct IsolationTests {
  @Test(arguments: [
    "@MainActor func f() { x() }",
    "@MainActor final class A { func f() { x() } }",
    "final class A {}\n@MainActor extension A { func f() { x() } }",
    "struct V: View { func f() { x() } }",
    "struct V: View { var body: some View { Button(\"\") { x() } } }",
    "struct V: View { var body: some View { Text(\"\").task { x() } } }",
    "final class C: UIViewController { func f() { Task { x() } } }",
    "@MainActor protocol P {}\nfinal class A: P { func f() { x() } }",
    "func f() { Task { @MainActor in x() } }",
    "func f() { Task.detached { await MainActor.run { x() } } }",
    "func f() { DispatchQueue.main.async { x() } }",
    "@MainActor func f(t: [Int]) { t.map { _ in x() } }",
    "struct V { @State var n = 0; func f() { x() } }",
  ])
  func codeOfTheMainActor(code: String) {
    #expect(Names("import SwiftUI\n" + code).isolation(at: "x") == .mainActor)
  }

  @Test(arguments: [
    "@MainActor func f() { Task.detached { x() } }",
    "func f() { DispatchQueue.global(qos: .utility).async { x() } }",
    "final class A { let q = DispatchQueue(label: \"\"); func f() { q.async { x() } } }",
    "final class A { let q = OperationQueue(); func f() { q.addOperation { x() } } }",
    "func f() async { await withTaskGroup(of: Int.self) { g in g.addTask { x() } } }",
    "func f() { Task { x() } }",
  ])
  func codeBesideItsCaller(code: String) {
    #expect(Names(code).isolation(at: "x") == .concurrent)
  }

  @Test(arguments: [
    "func f() { x() }",
    "final class A: ObservableObject { func f() { x() } }",
    "@MainActor final class A { nonisolated func f() { x() } }",
    "actor A { static func f() { x() } }",
    "struct S: Codable { var n: Int { x() } }",
  ])
  func codeWithoutAnActor(code: String) {
    #expect(Names(code).isolation(at: "x") == .nonisolated)
  }

  @Test(arguments: [
    "final class A { let q: DispatchQueue; func f() { q.async { x() } } }",
    "final class A: SomeBase { func f() { x() } }",
    "@MainActor func f() { elsewhere { x() } }",
    "func f(a: isolated any Actor) { x() }",
  ])
  func whatCanNotBeToldStaysUnknown(code: String) {
    #expect(Names(code).isolation(at: "x") == .unknown)
  }

  @Test func anActorAndAGlobalActor() {
    let own = Names("actor A { func f() { Task { x() } } }")
    #expect(own.isolation(at: "x") == .actor(0))
    let global = Names("@globalActor actor G {}\n@G func f() { x() }")
    #expect(global.isolation(at: "x") == .globalActor("G"))
    #expect(Names("func f() { c.perform { x() } }").isolation(at: "x") == .contextQueue)
  }

  @Test func aPackageSaysThatATargetRunsOnTheMainActor() {
    let manifest = """
      let package = Package(targets: [
        .target(name: "App", swiftSettings: [.defaultIsolation(MainActor.self)]),
        .target(name: "Kit"),
      ])
      """
    let files = [
      "Package.swift": manifest, "Sources/App/A.swift": "func f() { x() }",
      "Sources/Kit/K.swift": "func g() { x() }",
    ]
    let sources = files.sorted { $0.key < $1.key }.map {
      SourceFile(path: $0.key, outline: Outline(SourceText($0.value)))
    }
    let program = Program(sources)
    let found = (1...2).map { file in
      program.descendants(Ref(file: file, node: 0), .name).last.map { program.isolation(at: $0) }
    }
    #expect(found == [.mainActor, .nonisolated])
  }

  @Test func aProjectThatDefaultsToTheMainActorLeavesItOpen() {
    let bytes = Array("SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;".utf8)
    #expect(XcodeProject.mayIsolateToMainActor(bytes))
    #expect(!XcodeProject.mayIsolateToMainActor(Array("SWIFT_VERSION = 6.0;".utf8)))
    for (project, isolation) in [
      ("Sources/App.xcodeproj/project.pbxproj", Isolation.unknown),
      ("App.xcodeproj/project.pbxproj", .unknown),
      ("Other/App.xcodeproj/project.pbxproj", .nonisolated),
    ] {
      let names = Names("final class A { func f() { x() } }")
      names.program.schemaInput = SchemaInput(mainActorProjects: [project])
      #expect(names.isolation(at: "x") == isolation, "\(project)")
    }
  }
}
