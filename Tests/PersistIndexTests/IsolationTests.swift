import PersistProject
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
    "final class A { @MainActor func f() { x() } }",
    "final class A { @MainActor init() { x() } }",
    "final class A { @MainActor var n: Int { x(); return 1 } }",
    "final class A { @MainActor let n = x() }",
    "@MainActor final class A { final class Inner {}; func f() { [1].forEach { _ in x() } } }",
    "@MainActor class B {}\nfinal class A: B { func f() { x() } }",
    "protocol P { @MainActor func f() }\nfinal class A: P { func f() { x() } }",
    "class B { @MainActor func f() {} }\nfinal class A: B { override func f() { x() } }",
    "extension View { func f() { x() } }",
    "struct M: ViewModifier { func body(content: Content) -> some View { x() } }",
    "struct V: View { var body: some View { Text(\"\").onAppear { x() } } }",
    "struct V: View { var body: some View { Text(\"\").onAppear { Task { x() } } } }",
    "struct V: View { var body: some View { List { Text(\"\").refreshable { x() } } } }",
    "@main struct A: App { var body: some Scene { WindowGroup { x() } } }",
    "struct R: UIViewRepresentable { func makeUIView(context: Context) -> UIView { x() } }",
    "func f() { Task.detached { @MainActor in x() } }",
    "actor A { @MainActor func f() { x() } }",
    "actor A { func f() { Task { @MainActor in x() } } }",
    "actor A { func f() async { await MainActor.run { x() } } }",
    "@MainActor func f() { MainActor.assumeIsolated { x() } }",
    "func f() { OperationQueue.main.addOperation { x() } }",
    "func f() { DispatchQueue.main.asyncAfter(deadline: .now()) { x() } }",
    "@MainActor func f() async { await withTaskGroup(of: Int.self) { g in x() } }",
    "@MainActor func f() async { await withThrowingTaskGroup(of: Int.self) { g in x() } }",
    "@MainActor func f() async { await withCheckedContinuation { c in x() } }",
    "@MainActor func f() { func g() { x() }; g() }",
    "@MainActor func f(n: Int = 1) { let c = { x() }; c() }",
  ])
  func codeOfTheMainActor(code: String) {
    #expect(Names("import SwiftUI\n" + code).isolation(at: "x") == .mainActor)
  }

  @Test(arguments: [
    "@MainActor func f() { Task.detached { x() } }",
    "func f() { DispatchQueue.global(qos: .utility).async { x() } }",
    "final class A { let q = DispatchQueue(label: \"\"); func f() { q.async { x() } } }",
    "final class A { let q = OperationQueue(); func f() { q.addOperation { x() } } }",
    "final class A { let q: DispatchQueue; func f() { q.async { x() } } }",
    "func f() async { await withTaskGroup(of: Int.self) { g in g.addTask { x() } } }",
    "func f() { Task { x() } }",
    "@MainActor func f() { Task { @concurrent in x() } }",
    "func f() async throws { try await withThrowingTaskGroup(of: Int.self) { g in g.addTask { x() } } }",
    "func f() async { await withDiscardingTaskGroup { g in g.addTask { x() } } }",
    "func f() async { await withTaskGroup(of: Int.self) { $0.addTask { x() } } }",
    "func f(g: inout TaskGroup<Int>) { g.addTask { x() } }",
    "actor A { func f() { Task.detached { x() } } }",
    "@MainActor func f() { Task.detached { Task { x() } } }",
    "func f() { DispatchQueue(label: \"\").asyncAfter(deadline: .now()) { x() } }",
    "func f() { DispatchQueue.global().async { [1].forEach { _ in x() } } }",
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
    "nonisolated final class A { func f() { x() } }",
    "@MainActor final class A {}\nnonisolated extension A { func f() { x() } }",
    "actor A { nonisolated func f() { x() } }",
    "@MainActor final class A { nonisolated(unsafe) static var n: Int { x() } }",
    "@MainActor final class A { @concurrent func f() async { x() } }",
    "@MainActor final class A { enum Inner { static func f() { x() } } }",
    "func f(_ n: sending Int) { x() }",
    "func f() { q.sync { x() } }",
    "struct P: TimelineProvider { func f() { x() } }",
    "@Observable final class M { func f() { x() } }",
  ])
  func codeWithoutAnActor(code: String) {
    #expect(Names(code).isolation(at: "x") == .nonisolated)
  }

  @Test(arguments: [
    "final class A: SomeBase { func f() { x() } }",
    "@MainActor func f() { elsewhere { x() } }",
    "func f(a: isolated any Actor) { x() }",
    "func f(a: isolated (any Actor)? = #isolation) { x() }",
    "protocol P: Elsewhere {}\nfinal class A: P { func f() { x() } }",
    "@MainActor func f() { session.load { x() } }",
    "actor A { func f() { elsewhere { x() } } }",
  ])
  func whatCanNotBeToldStaysUnknown(code: String) {
    #expect(Names(code).isolation(at: "x") == .unknown)
  }

  @Test func anActorAndAGlobalActor() {
    let own = Names("actor A { func f() { Task { x() } } }")
    #expect(own.isolation(at: "x") == .actor(0))
    for code in [
      "@ModelActor actor A { func f() { x() } }", "actor A {}\nextension A { func f() { x() } }",
      "actor A { func f() { [1].forEach { _ in x() } } }", "actor A { init() async { x() } }",
      "actor A { var n: Int { x() } }", "actor A {}\nfunc f(a: isolated A) { x() }",
    ] {
      #expect(Names(code).isolation(at: "x") == .actor(0), "\(code)")
    }
    let global = Names("@globalActor actor G {}\n@G func f() { x() }")
    #expect(global.isolation(at: "x") == .globalActor("G"))
    for code in [
      "func f() { c.perform { x() } }", "func f() { c.performAndWait { x() } }",
      "func f() async { await c.perform { x() } }",
      "func f() { container.performBackgroundTask { c in x() } }",
      "@MainActor func f() { c.perform { [1].forEach { _ in x() } } }",
    ] {
      #expect(Names(code).isolation(at: "x") == .contextQueue, "\(code)")
    }
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

  @Test func aProjectSaysWhereTheCodeOfATargetRuns() {
    let text = """
      {objects = {
        R = {isa = PBXProject; buildConfigurationList = C; targets = (T); mainGroup = G; };
        G = {isa = PBXGroup; children = (S); };
        S = {isa = PBXFileSystemSynchronizedRootGroup; path = App; };
        T = {isa = PBXNativeTarget; name = App; buildConfigurationList = L;
          fileSystemSynchronizedGroups = (S); };
        L = {isa = XCConfigurationList; buildConfigurations = (D); };
        D = {isa = XCBuildConfiguration; name = Release;
          buildSettings = {SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor; }; };
      }; rootObject = R; }
      """
    for (project, isolation) in [
      ("Sources/App.xcodeproj/project.pbxproj", Isolation.mainActor),
      ("App.xcodeproj/project.pbxproj", .unknown),
      ("Other/App.xcodeproj/project.pbxproj", .nonisolated),
    ] {
      let input = SchemaInput(
        projectFiles: [ProjectFile(path: project) { Array(text.utf8) }].compactMap { $0 })
      let names = Names("final class A { func f() { x() } }", input: input)
      #expect(names.isolation(at: "x") == isolation, "\(project)")
    }
  }
}
