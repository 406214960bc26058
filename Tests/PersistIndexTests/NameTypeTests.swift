import Testing

@testable import PersistIndex

/// What is known of the type of a name in real shapes of code.
@Suite struct NameTypeTests {
  private static let models = """
    import SwiftData
    import SwiftUI
    @Model final class Trip {
      var title = ""
      var hotel: Hotel?
      var stops: [Stop] = []
      var first: Stop? { stops.first }
      init() {}
    }
    @Model final class Stop { var trip: Trip?; init() {} }
    @Model final class Hotel { init() {} }
    typealias Journey = Trip

    """

  @Test(arguments: [
    ("func f(x: Trip?) { use(x) }", "Trip?"),
    ("func f(x: [String: Trip]) { use(x) }", "[String: Trip]"),
    ("func f(x: Set<Stop>) { use(x) }", "Set<Stop>"),
    ("func f(x: Journey) { use(x) }", "Trip"),
    ("func f() { let x = Trip(); use(x) }", "Trip"),
    ("func f(t: Trip?) { if let x = t { use(x) } }", "Trip"),
    ("func f(x: Trip?) { if let x { use(x) } }", "Trip"),
    ("func f(t: Trip) { guard let x = t.hotel else { return }; use(x) }", "Hotel"),
    ("func f(t: [Trip]) { for x in t { use(x) } }", "Trip"),
    ("func f(t: Trip) { for x in t.stops.filter({ $0.trip != nil }) { use(x) } }", "Stop"),
    ("func f(t: [Trip]) { for (_, x) in t.enumerated() { use(x) } }", "Trip"),
    ("func f(t: [Trip]) { t.forEach { x in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { let x = t.first(where: { $0.title == \"\" }); use(x) }", "Trip?"),
    ("func f(t: [Trip]) { let x = t.sorted { $0.title < $1.title }; use(x) }", "[Trip]"),
    ("func f(t: [Trip]) { let x = t.map(\\.stops); use(x) }", "[[Stop]]"),
    ("func f(t: [Trip]) { let x = t.compactMap { $0.hotel }; use(x) }", "[Hotel]"),
    ("func f(t: Trip) { let x = t.first; use(x) }", "Stop?"),
    ("func g() -> [Trip] { [] }\nfunc f() { let x = g().first; use(x) }", "Trip?"),
    (
      "func f(c: ModelContext) { let x = try? c.fetch(FetchDescriptor<Trip>()); use(x) }", "[Trip]?"
    ),
    ("func f(p: (Trip, Int)) { let (x, _) = p; use(x) }", "Trip"),
    ("func f(t: Trip?) { let x = t ?? Trip(); use(x) }", "Trip"),
    ("func f(t: Any) { if let x = t as? Trip { use(x) } }", "Trip"),
    ("func f(t: [Trip]) { let x = t[0]; use(x) }", "Trip"),
    ("func f(t: Trip) { let x = t.title; use(x) }", "String"),
    ("func f(r: Result<Trip, Error>) { if case .success(let x) = r { use(x) } }", "Trip"),
    ("func f(x: Int) { do { let x = Trip(); use(x) } }", "Trip"),
    ("struct V: View { @Query var x: [Trip]; var body: some View { use(x) } }", "[Trip]"),
    ("struct V: View { @Bindable var x: Trip; var body: some View { use(x) } }", "Trip"),
    ("struct V { @Environment(\\.modelContext) var x; func f() { use(x) } }", "ModelContext"),
    ("struct V { @Environment(Trip.self) private var x; func f() { use(x) } }", "Trip"),
    ("struct V { @Query var t: [Trip]; func f() { ForEach(t) { x in use(x) } } }", "Trip"),
    ("@ModelActor actor A { func f() { let x = modelContext; use(x) } }", "ModelContext"),
    ("let x = #Predicate<Trip> { x in use(x) }", "Trip"),
  ])
  func theTypeIsTold(code: String, type: String) {
    #expect(Names(Self.models + code).type(of: "x") == type)
  }

  @Test(arguments: [
    "func f(t: Trip) { let x = elsewhere(t); use(x) }",
    "func f<T>(x: T) { use(x) }",
    "func f() { let x = Unknown.shared.trip; use(x) }",
    "func f(t: Kit.Trip) { let x = t.stops; use(x) }",
  ])
  func whatCanNotBeToldStaysUnknown(code: String) {
    #expect(Names(Self.models + code).type(of: "x") == "?")
  }

  @Test func aMacroOfAnotherLibraryMakesNoModel() {
    let own = Names("import SwiftData\n@Model final class T {}\nfunc f(x: T) { use(x) }")
    let other = Names("import Vein\n@Model final class T {}\nfunc f(x: T) { use(x) }")
    #expect(own.program.allTypes().contains { own.program.isModel($0) })
    #expect(!other.program.allTypes().contains { other.program.isModel($0) })
  }
}
