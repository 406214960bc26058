import PersistSyntax
import Testing

@testable import PersistIndex

/// Who begins the code that comes to a place, and by which calls.
@Suite struct EntryPointTests {
  private static let all: Set<EntryPoint.Kind> = [
    .launch, .action, .appExtension, .intent, .watch, .background, .task,
  ]

  private func way(_ code: String, from kinds: Set<EntryPoint.Kind> = all) -> CallPath? {
    let names = Names("import SwiftUI\n" + code)
    return names.use("goal").flatMap { names.program.callPath(to: $0, from: kinds) }
  }

  @Test(arguments: [
    ("@main struct A: App { init() { goal() } }", EntryPoint.Kind.launch),
    ("@main struct A: App { let x = goal() }", .launch),
    ("@main struct A: App { var body: some Scene { goal() } }", .launch),
    (
      "class D: UIResponder, UIApplicationDelegate { func application(_ a: UIApplication, didFinishLaunchingWithOptions o: [Int: Any]?) -> Bool { goal() } }",
      .launch
    ),
    ("struct W: Widget { var body: some WidgetConfiguration { goal() } }", .appExtension),
    ("@main struct W: WidgetBundle { init() { goal() } }", .appExtension),
    ("struct P: TimelineProvider { func getTimeline(in c: Context) { goal() } }", .appExtension),
    (
      "final class S: UNNotificationServiceExtension { override func didReceive(_ r: R) { goal() } }",
      .appExtension
    ),
    (
      "final class T: UIViewController, NCWidgetProviding { func loadStops() { goal() } }",
      .appExtension
    ),
    (
      "final class E: NSObject, NSFileProviderEnumerator { func enumerateItems(for o: O) { goal() } }",
      .appExtension
    ),
    ("struct I: AppIntent { func perform() async throws { goal() } }", .intent),
    ("struct Q: EntityQuery { func entities(for ids: [Int]) async { goal() } }", .intent),
    ("final class D: NSObject, WKApplicationDelegate { func go() { goal() } }", .watch),
    (
      "func f() { BGTaskScheduler.shared.register(forTaskWithIdentifier: i, using: nil) { task in goal() } }",
      .background
    ),
    ("func handle(task: BGAppRefreshTask) { goal() }", .background),
    (
      "struct A: App { var body: some Scene { WindowGroup {}.backgroundTask(.appRefresh(\"x\")) { goal() } } }",
      .background
    ),
    (
      "class D: UIResponder, UIApplicationDelegate { func application(_ a: UIApplication, performFetchWithCompletionHandler h: () -> Void) { goal() } }",
      .background
    ),
    ("struct V: View { var body: some View { Button(\"x\") { goal() } } }", .action),
    ("struct V: View { var body: some View { Text(\"\").onTapGesture { goal() } } }", .action),
    (
      "struct V: View { var body: some View { Menu(\"\") { Button(\"x\", action: { Task { goal() } }) } } }",
      .action
    ),
    (
      "struct V: View { var body: some View { Text(\"\").confirmationDialog(\"\") { Button(\"x\") { goal() } } } }",
      .action
    ),
    ("final class M { func f() { Task { goal() } } }", .task),
    ("actor M { func f() { Task.detached { goal() } } }", .task),
    (
      "struct I: AppIntent { static var openAppWhenRun: Bool { true }\n func perform() { goal() } }",
      .action
    ),
  ])
  func entryPoints(code: String, kind: EntryPoint.Kind) {
    #expect(way(code)?.entryPoint.kind == kind)
    #expect(way(code)?.steps.count == 0)
  }

  @Test(arguments: [
    "func f() { goal() }", "struct V: View { var body: some View { Text(\"\").task { goal() } } }",
    "struct V: View { func f() { Task { goal() } } }",
    "final class C: UIViewController { func f() { Task { goal() } } }",
    "struct W_Previews: PreviewProvider { static var previews: some View { f() } }\nfunc f() { goal() }",
  ])
  func codeThatNobodyBegins(code: String) { #expect(way(code) == nil) }

  @Test func theStepsLeadFromTheEntranceThroughFunctionsAndGetters() {
    let code = """
      struct I: AppIntent { func perform() { first() } }
      func first() { _ = Store().items }
      struct Store { var items: Int { second() }
        func second() -> Int { goal() } }
      """
    let found = way(code)
    let program = Names("import SwiftUI\n" + code).program
    #expect(found?.entryPoint.kind == .intent)
    #expect(found?.steps.map { program.line(of: $0) } == [2, 3, 4])
  }

  @Test func theShortestWayIsTaken() {
    let code = """
      struct I: AppIntent { func perform() { far() } }
      func far() { near() }
      struct Q: EntityQuery { func entities(for ids: [Int]) { near() } }
      func near() { goal() }
      """
    #expect(way(code)?.steps.count == 1)
  }

  @Test func aWayThatIsBarredDoesNotCount() {
    let code = """
      struct I: AppIntent { func perform() { asking() } }
      func asking() { performExpiringActivity(); near() }
      func near() { goal() }
      """
    let names = Names(code)
    let goal = names.use("goal")
    let found = goal.flatMap { goal in
      names.program.callPath(to: goal, from: [.intent]) { site in
        names.program.enclosingFunction(site).flatMap { names.program.body(of: $0) }.map {
          names.program.names("performExpiringActivity", in: $0)
        } ?? false
      }
    }
    #expect(found == nil)
  }

  @Test func whatAPersonBeginsIsNotFollowedFurther() {
    let code = """
      struct W: Widget { var body: some WidgetConfiguration { list() } }
      func list() { Button("x") { goal() } }
      """
    #expect(way(code, from: [.appExtension]) == nil)
  }
}

extension Program {
  fileprivate func line(of ref: Ref) -> Int {
    let file = files[Int(ref.file)]
    return file.lineAndColumn(of: outline(ref).byteRange(of: Int(ref.node)).lowerBound).line
  }
}
