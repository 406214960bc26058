import PersistSyntax
import Testing

@testable import PersistIndex

/// What code that leaves its actor uses from outside.
@Suite struct CaptureTests {
  private static let models = """
    import SwiftData
    import SwiftUI
    @Model final class Trip {
      var title = ""
      var stops: [Stop] = []
      func rename() {}
      init() {}
    }
    @Model final class Stop { var name = ""; init() {} }

    """

  /// The captured values with what is done to them, such as `trip reads title`.
  private func captures(_ code: String) -> [String] {
    let program = Names(Self.models + code).program
    return program.crossings.flatMap { crossing in
      program.captures(of: crossing).flatMap { capture in
        capture.uses.compactMap { use in
          switch use.action {
          case .reads(let name): "\(capture.value) reads \(name)"
          case .sets(let name): "\(capture.value) sets \(name)"
          case .calls(let name): "\(capture.value) calls \(name)"
          case .passes(let call, _):
            "\(capture.value) goes to \(program.calledName(call) == .none ? "?" : program.nameText(program.calledNode(call) ?? call))"
          case .mentions: nil
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("func f(trip: Trip) { Task.detached { print(trip.title) } }", ["trip reads title"]),
    ("func f(trip: Trip) { Task.detached { trip.title = \"\" } }", ["trip sets title"]),
    ("func f(trip: Trip) { Task.detached { trip.title += \"\" } }", ["trip sets title"]),
    ("func f(trip: Trip) { Task.detached { trip.rename() } }", ["trip calls rename"]),
    ("func f(trip: Trip?) { Task.detached { print(trip?.title ?? \"\") } }", ["trip reads title"]),
    ("func f(trip: Trip) { Task.detached { send(trip) } }", ["trip goes to send"]),
    ("func f(t: [Trip]) { Task.detached { print(t.map(\\.title)) } }", ["t reads title"]),
    ("func f(t: [Trip]) { Task.detached { print(t.map { $0.title }) } }", ["t reads title"]),
    (
      "func f(t: [Trip]) { Task.detached { t.forEach { trip in trip.rename() } } }",
      ["t calls rename"]
    ),
    (
      "func f(t: [Trip]) { Task.detached { for trip in t { print(trip.title) } } }",
      ["t reads title"]
    ),
    (
      "func f(t: [String: Trip]) { Task.detached { print(t[\"a\"]?.title ?? \"\") } }",
      ["t reads title"]
    ),
    (
      "func f(t: [Trip]) { Task.detached { print(t[0].title, t.first?.title ?? \"\") } }",
      ["t reads title", "t reads title"]
    ),
  ])
  func usesOfAValue(code: String, uses: [String]) { #expect(captures(code) == uses) }

  @Test(arguments: [
    ("func f(trip: Trip) { Task.detached { [trip] in print(trip.title) } }", ["trip reads title"]),
    (
      "func f(trip: Trip) { Task.detached { [weak trip] in print(trip?.title ?? \"\") } }",
      ["trip reads title"]
    ),
    ("func f(trip: Trip) { Task.detached { [t = trip] in print(t.title) } }", ["trip reads title"]),
    ("func f(trip: Trip) { Task.detached { [title = trip.title] in print(title) } }", []),
    ("func f(trip: Trip) { Task.detached { [id = trip.persistentModelID] in print(id) } }", []),
    ("func f(trip: Trip) { Task.detached { [n = trip.stops.count] in print(n) } }", []),
    (
      "func f(trip: Trip) { Task.detached { [stops = trip.stops] in print(stops[0].name) } }",
      ["trip.stops reads name"]
    ),
    (
      "final class A { var trip = Trip(); func f() { Task.detached { [weak self] in print(self?.trip.title ?? \"\") } } }",
      ["trip reads title"]
    ),
    (
      "final class A { var trip = Trip(); func f() { Task.detached { [weak self] in guard let self else { return }; print(trip.title) } } }",
      ["trip reads title"]
    ),
    (
      "final class A { var trip = Trip(); func f() { Task.detached { [trip] in print(trip.title) } } }",
      ["trip reads title"]
    ),
  ])
  func captureLists(code: String, uses: [String]) { #expect(captures(code) == uses) }

  @Test(arguments: [
    (
      "struct V: View { var trip: Trip; func f() { Task.detached { print(trip.title) } } }",
      ["trip reads title"]
    ),
    (
      "struct V: View { @Bindable var trip: Trip; func f() { Task.detached { print(self.trip.title) } } }",
      ["trip reads title"]
    ),
    (
      "struct V: View { @Query var t: [Trip]; func f() { Task.detached { print(t.map(\\.title)) } } }",
      ["t reads title"]
    ),
    (
      "@Observable final class M { var trip: Trip?; func f() { DispatchQueue.global().async { print(self.trip?.title ?? \"\") } } }",
      ["trip reads title"]
    ),
    (
      "@Observable final class M { var trip: Trip? }\nstruct V: View { let m: M; func f() { Task.detached { print(m.trip!.title) } } }",
      ["m.trip reads title"]
    ),
    ("extension Trip { func f() { Task.detached { print(self.title) } } }", ["self reads title"]),
    (
      "extension Trip { func f() { Task.detached { print(self.stops.count) } } }",
      ["self reads stops"]
    ),
    (
      "extension Trip { func f() { DispatchQueue.global().async { print(title) } } }",
      ["self reads title"]
    ),
  ])
  func implicitSelf(code: String, uses: [String]) { #expect(captures(code) == uses) }

  @Test(arguments: [
    (
      "func f(trip: Trip) { Task.detached { Task { print(trip.title) } } }",
      ["trip reads title", "trip reads title"]
    ),
    (
      "func f(trip: Trip) { Task.detached { func g() { print(trip.title) }; g() } }",
      ["trip reads title"]
    ),
    (
      "func f(trip: Trip) { Task.detached { let g = { print(trip.title) }; g() } }",
      ["trip reads title"]
    ),
    (
      "@MainActor func f(trip: Trip) { Task.detached { await MainActor.run { print(trip.title) } } }",
      []
    ),
    (
      "@MainActor func f(trip: Trip) { Task.detached { Task { @MainActor in print(trip.title) } } }",
      []
    ),
    (
      "@MainActor func f(trip: Trip) { DispatchQueue.global().async { DispatchQueue.main.async { print(trip.title) } } }",
      []
    ),
    ("func f() { Task.detached { let trip = Trip(); print(trip.title) } }", []),
    ("func f(trip: Trip) { Task.detached { let trip = 1; print(trip) } }", []),
    ("func f(trip: Trip) { Task.detached { [1].forEach { trip in print(trip) } } }", []),
    ("func f(trip: Trip) { Task.detached { if let trip = find() { print(trip.title) } } }", []),
    ("func f(trip: Trip) { Task.detached { let t = trip; print(t.title) } }", ["trip reads title"]),
    (
      "func f(trip: Trip) { Task.detached { if let t = trip.stops.first { print(t.name) } } }",
      ["trip reads stops"]
    ),
    (
      "func f(c: ModelContext) { Task.detached { [c = ModelContext(c.container)] in try c.save() } }",
      []
    ),
    (
      "func f(c: ModelContext) { Task.detached { let c = ModelContext(c.container); try c.save() } }",
      []
    ),
  ])
  func nestedClosuresFunctionsAndShadows(code: String, uses: [String]) {
    #expect(captures(code) == uses)
  }

  @Test func aDefaultArgumentIsAskedForWhereTheCallStands() {
    let code = """
      @MainActor final class Store {
        static let shared = Store()
        let trip = Trip()
        func f() { Task.detached { await show() } }
      }
      @MainActor func show(_ trip: Trip = Store.shared.trip) {}
      """
    #expect(captures(code).isEmpty)
  }

  @Test(arguments: [
    "async let x = trip.title",
    "Task.detached { print(trip.title) }",
    "Task.detached(priority: .low) { print(trip.title) }",
    "DispatchQueue.global(qos: .utility).async { print(trip.title) }",
    "DispatchQueue.global().asyncAfter(deadline: .now() + 1) { print(trip.title) }",
    "DispatchQueue(label: \"\").async(flags: .barrier) { print(trip.title) }",
    "OperationQueue().addOperation { print(trip.title) }",
    "await withTaskGroup(of: Void.self) { group in group.addTask { print(trip.title) } }",
    "await withTaskGroup(of: Void.self) { $0.addTask { print(trip.title) } }",
    "try await withThrowingTaskGroup(of: Void.self) { g in g.addTaskUnlessCancelled { print(trip.title) } }",
    "let q = DispatchQueue(label: \"\"); q.async { print(trip.title) }",
    "let q = DispatchQueue.global(); q.async { print(trip.title) }",
    "Task { @concurrent in print(trip.title) }",
  ])
  func everyWayOffTheMainActor(statement: String) {
    let code = "@MainActor func f(trip: Trip) async throws { \(statement) }"
    #expect(captures(code) == ["trip reads title"])
  }

  @Test(arguments: [
    "Task { print(trip.title) }",
    "Task { @MainActor in print(trip.title) }",
    "Task.detached { @MainActor in print(trip.title) }",
    "await MainActor.run { print(trip.title) }",
    "MainActor.assumeIsolated { print(trip.title) }",
    "DispatchQueue.main.async { print(trip.title) }",
    "OperationQueue.main.addOperation { print(trip.title) }",
    "await withTaskGroup(of: Void.self) { group in group.addTask { @MainActor in print(trip.title) } }",
    "await withTaskGroup(of: Void.self) { group in print(trip.title) }",
    "q.async { print(trip.title) }",
    "elsewhere { print(trip.title) }",
    "async let x = load(id: trip.persistentModelID)",
  ])
  func everyWayThatStaysOrCanNotBeTold(statement: String) {
    let code = "@MainActor func f(trip: Trip, q: DispatchQueue) async throws { \(statement) }"
    #expect(captures(code).isEmpty)
  }

  // MARK: Functions and queues of the project

  @Test(arguments: [
    "func away(_ work: @escaping () -> Void) { DispatchQueue.global().async { work() } }",
    "func away(_ work: @escaping () -> Void) { DispatchQueue.global().async(execute: work) }",
    "func away(_ work: @escaping @Sendable () -> Void) { Task.detached { work() } }",
    "func away(_ work: @escaping @Sendable () async -> Void) { Task.detached { await work() } }",
    "func away(_ work: (() -> Void)?) { DispatchQueue.global().async { work?() } }",
    "func away(name: String = \"\", work: @escaping () -> Void) { DispatchQueue.global().async { print(name); work() } }",
    "func away(_ work: @escaping () -> Void) { OperationQueue().addOperation { [1].forEach { _ in work() } } }",
    "func away(_ work: @escaping () -> Void) { further { work() } }\nfunc further(_ work: @escaping () -> Void) { DispatchQueue.global().async { work() } }",
    "func away(_ work: @escaping () -> Void) { further(work) }\nfunc further(_ work: @escaping () -> Void) { DispatchQueue.global().async { work() } }",
    "let queue = DispatchQueue(label: \"\")\nfunc away(_ work: @escaping () -> Void) { queue.async { work() } }",
  ])
  func aFunctionOfTheProjectThatRunsAClosureElsewhere(function: String) {
    let code = "\(function)\n@MainActor func f(trip: Trip) { away { print(trip.title) } }"
    #expect(captures(code) == ["trip reads title"])
  }

  @Test(arguments: [
    "func away(_ work: () -> Void) { work() }",
    "func away(_ work: @escaping () -> Void) { work() }",
    "func away(_ work: @escaping () -> Void) { DispatchQueue.main.async { work() } }",
    "func away(_ work: @escaping () -> Void) { DispatchQueue.global().async { DispatchQueue.main.async { work() } } }",
    "func away(_ work: @escaping @MainActor () -> Void) { Task.detached { await work() } }",
    "func away(_ work: @escaping () async -> Void) { Task.detached { await work() } }",
    "func away(_ work: @escaping () -> Void) { Task { work() } }",
    "func away(_ work: @escaping () -> Void) { Task.detached { await MainActor.run { work() } } }",
    "func away(_ work: @escaping () -> Void) { if flag { work() } else { DispatchQueue.global().async { work() } } }",
    "func away(_ work: @escaping () -> Void) { handlers.append(work) }",
    "func away(_ work: @escaping () -> Void) { elsewhere.enqueue { work() } }",
    "func away(_ work: @escaping () -> Void, _ queue: DispatchQueue) { queue.async { work() } }",
  ])
  func aFunctionOfTheProjectThatStaysOrCanNotBeTold(function: String) {
    let code =
      "\(function)\n@MainActor func f(trip: Trip, q: DispatchQueue) { away { print(trip.title) } }"
    #expect(captures(code).isEmpty)
  }

  @Test(arguments: [
    "func f(trip: Trip, queue: DispatchQueue = .global()) { queue.async { print(trip.title) } }",
    "func f(trip: Trip, queue: DispatchQueue = DispatchQueue(label: \"\")) { queue.async { print(trip.title) } }",
    "func f(trip: Trip, queue: DispatchQueue = .global(qos: .utility)) { queue.async { print(trip.title) } }\nfunc g(t: Trip) { f(trip: t) }",
    "final class A { let q: DispatchQueue; init() { q = DispatchQueue(label: \"\") }; func f(trip: Trip) { q.async { print(trip.title) } } }",
    "final class A { let q: DispatchQueue; init(q: DispatchQueue = .global()) { self.q = q }; func f(trip: Trip) { q.async { print(trip.title) } } }",
    "final class A { lazy var q: OperationQueue = { let q = OperationQueue(); q.name = \"\"; return q }(); func f(trip: Trip) { q.addOperation { print(trip.title) } } }",
    "enum Queues { static let work = DispatchQueue(label: \"\") }\nfunc f(trip: Trip) { Queues.work.async { print(trip.title) } }",
    "extension DispatchQueue { static let work = DispatchQueue(label: \"\") }\nfunc f(trip: Trip) { DispatchQueue.work.async { print(trip.title) } }",
  ])
  func aQueueThatIsSurelyNotTheMainOne(code: String) {
    #expect(captures(code) == ["trip reads title"])
  }

  @Test(arguments: [
    "func f(trip: Trip, queue: DispatchQueue = .main) { queue.async { print(trip.title) } }",
    "func f(trip: Trip, queue: DispatchQueue = .global()) { queue.async { print(trip.title) } }\nfunc g(t: Trip) { f(trip: t, queue: .main) }",
    "final class A { let q: DispatchQueue; init(q: DispatchQueue) { self.q = q }; func f(trip: Trip) { q.async { print(trip.title) } } }",
    "final class A { var q: DispatchQueue; init() { q = .global() }; func f(trip: Trip) { q.async { print(trip.title) } } }",
    "func f(trip: Trip) { let q = DispatchQueue(label: \"\", target: .main); q.async { print(trip.title) } }",
    "final class A { lazy var q: OperationQueue = { let q = OperationQueue(); q.underlyingQueue = .main; return q }(); func f(trip: Trip) { q.addOperation { print(trip.title) } } }",
  ])
  func aQueueThatMayBeTheMainOne(code: String) { #expect(captures(code).isEmpty) }
}
