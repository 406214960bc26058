import PersistIndex
import PersistSyntax
import Testing

@testable import PersistFlow

/// What a closure uses from outside.
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

  /// The values that the first closure takes from outside with what is done to them, such as `trip reads title`.
  private func captures(_ code: String) -> [String] {
    let program = Names(Self.models + code).program
    guard let closure = program.descendants(Ref(file: 0, node: 0), .closure).first else {
      return []
    }
    return CapturedValues(in: program).uses(in: closure).compactMap { use in
      switch use.action {
      case .reads(let name): "\(use.value) reads \(name)"
      case .sets(let name): "\(use.value) sets \(name)"
      case .calls(let name): "\(use.value) calls \(name)"
      case .passes(let call):
        "\(use.value) goes to \(program.calledName(call) == .none ? "?" : program.nameText(program.calledNode(call) ?? call))"
      case .mentions: nil
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
      "func f(trip: Trip) { Task.detached { func g() { print(trip.title) }; g() } }",
      ["trip reads title"]
    ),
    (
      "func f(trip: Trip) { Task.detached { let g = { print(trip.title) }; g() } }",
      ["trip reads title"]
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
}
