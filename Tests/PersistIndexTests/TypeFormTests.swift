import PersistSyntax
import Testing

@testable import PersistIndex

/// Each form in which code tells the type of a name.
@Suite struct TypeFormTests {
  private static let models = """
    import SwiftData
    import SwiftUI
    @Model final class Trip {
      var title = ""
      var hotel: Hotel?
      var stops: [Stop] = []
      @Relationship(inverse: \\Tag.trips) var tags: [Tag]? = []
      init() {}
    }
    @Model final class Stop { var trip: Trip?; init() {} }
    @Model final class Hotel { var stars = 0; init() {} }
    @Model final class Tag { var trips: [Trip] = []; init() {} }
    extension Trip {
      var lastStop: Stop? { stops.last }
      static func all(in context: ModelContext) throws -> [Trip] { [] }
      func nights() -> [(stop: Stop, count: Int)] { [] }
    }
    protocol Showing { var shown: Trip? { get } }
    extension Showing { var hotel: Hotel? { shown?.hotel } }
    @Observable final class Plan: Showing {
      var shown: Trip?
      var trips: [Trip] = []
      lazy var byName: [String: Trip] = [:]
      static let shared = Plan()
      struct Row { let trip: Trip; let index: Int }
      enum State { case empty, loaded([Trip]), one(trip: Trip, at: Int) }
      var state = State.empty
      var rows: [Row] { [] }
    }

    """

  private func type(_ code: String) -> String { Names(Self.models + code).type(of: "x") }

  @Test(arguments: [
    ("func f(x: Trip!) { use(x) }", "Trip?"),
    ("func f(x: Optional<Trip>) { use(x) }", "Trip?"),
    ("func f(x: [[Trip]]) { use(x) }", "[[Trip]]"),
    ("func f(x: Array<Trip>?) { use(x) }", "[Trip]?"),
    ("func f(x: Dictionary<String, [Trip]>) { use(x) }", "[String: [Trip]]"),
    ("func f(x: (Trip, at: Int)) { use(x) }", "(Trip, Int)"),
    ("func f(x: inout Trip) { use(x) }", "Trip"),
    ("func f(x: borrowing Trip) { use(x) }", "Trip"),
    ("func f(x: sending Trip) { use(x) }", "Trip"),
    ("func f(x: Trip...) { use(x) }", "[Trip]"),
    ("func f(x: some Collection<Trip>) { use(x) }", "[Trip]"),
    (
      "func f(x: Result<Trip, any Error>) { let y = try? x.get(); use(y); use(x) }",
      "elsewhere<Trip, Error>"
    ),
    ("func f(x: Plan.Row) { use(x) }", "Row"),
    ("extension Plan { func f(x: Row) { use(x) } }", "Row"),
    ("typealias Trips = [Trip]\nfunc f(x: Trips?) { use(x) }", "[Trip]?"),
    ("struct A { typealias Item = Trip; func f(x: Item) { use(x) } }", "Trip"),
    ("struct Box<Value> { let value: Value }\nfunc f(x: Box<Trip>) { use(x) }", "Box<Trip>"),
  ])
  func annotations(code: String, expected: String) { #expect(type(code) == expected) }

  @Test(arguments: [
    ("func f() { let x = Trip.init(); use(x) }", "Trip"),
    ("func f() { let x: Trip = .init(); use(x) }", "Trip"),
    ("func f() { let x = [Trip](); use(x) }", "[Trip]"),
    ("func f() { let x = [Trip(), Trip()]; use(x) }", "[Trip]"),
    ("func f() { let x = Array<Trip>(); use(x) }", "[Trip]"),
    ("func f() { let x = [String: Trip](); use(x) }", "[String: Trip]"),
    ("func f() { let x = Set<Trip>(); use(x) }", "Set<Trip>"),
    ("func f(t: [Trip]) { let x = Set(t); use(x) }", "Set<Trip>"),
    ("func f(t: Trip) { let x = t as Trip?; use(x) }", "Trip?"),
    ("func f(t: Any) { let x = t as! [Trip]; use(x) }", "[Trip]"),
    ("func f(b: Bool) { let x = b ? Trip() : Trip(); use(x) }", "Trip"),
    ("func f(b: Bool) { let x = if b { Trip() } else { Trip() }; use(x) }", "Trip"),
    ("func f(t: Trip?) { let x = (t)!; use(x) }", "Trip"),
  ])
  func initializersAndCasts(code: String, expected: String) { #expect(type(code) == expected) }

  @Test(arguments: [
    ("func f(t: Trip?) { if let x = t, true { use(x) } }", "Trip"),
    ("func f(t: Trip?) { if var x = t { use(x) } }", "Trip"),
    ("func f(p: Plan) { while let x = p.trips.popLast() { use(x) } }", "Trip"),
    ("func f(p: Plan) { guard let t = p.shown, let x = t.hotel else { return }; use(x) }", "Hotel"),
    ("func f(p: Plan) { guard case .loaded(let x) = p.state else { return }; use(x) }", "[Trip]"),
    ("func f(p: Plan) { if case let .one(x, _) = p.state { use(x) } }", "Trip"),
    ("func f(p: Plan) { if case .one(trip: let x, at: _) = p.state { use(x) } }", "Trip"),
    (
      "func f(p: Plan) { switch p.state { case .loaded(let x): use(x); default: break } }", "[Trip]"
    ),
    ("func f(p: Plan) { switch p.state { case let .one(x, _): use(x); default: break } }", "Trip"),
    ("func f(t: Trip?) { if case let x? = t { use(x) } }", "Trip"),
    ("func f(t: Trip?) { if case .some(let x) = t { use(x) } }", "Trip"),
    ("func f(t: Any) { switch t { case let x as Trip: use(x); default: break } }", "Trip"),
    ("func f(p: Plan) { for case let x? in [p.shown] { use(x) } }", "Trip"),
    ("func f(t: [Trip]) { for x in t where x.title == \"\" { use(x) } }", "Trip"),
    ("func f(p: Plan) { for (_, x) in p.byName { use(x) } }", "Trip"),
    ("func f(p: Plan) { for x in p.byName.values { use(x) } }", "Trip"),
    ("func f(t: Trip) { for (x, _) in t.nights() { use(x) } }", "Stop"),
    ("func f(t: [Trip]) { for x in zip(t, t) { use(x) } }", "(Trip, Trip)"),
    ("func f(t: [Trip]) { for x in t.reversed().prefix(2) { use(x) } }", "Trip"),
  ])
  func bindingsAndLoops(code: String, expected: String) { #expect(type(code) == expected) }

  @Test(arguments: [
    ("func f(t: [Trip]) { _ = t.map { x in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { _ = t.map { (x: Trip) -> String in use(x); return \"\" } }", "Trip"),
    ("func f(t: [Trip]) { _ = t.filter { x in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { _ = t.first(where: { x in use(x) }) }", "Trip"),
    ("func f(t: [Trip]) { _ = t.sorted { x, y in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { _ = t.sorted(by: { y, x in use(x) }) }", "Trip"),
    ("func f(t: [Trip]) { _ = t.reduce(0) { n, x in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { _ = t.reduce(into: [:]) { n, x in use(x) } }", "Trip"),
    ("func f(t: Set<Trip>) { t.forEach { x in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { _ = t.max(by: { x, y in use(x) }) }", "Trip"),
    ("func f(t: [Trip]) { _ = t.lazy.compactMap { x in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { _ = t.contains { x in use(x) } }", "Trip"),
    ("func f(t: Trip?) { _ = t.map { x in use(x) } }", "Trip"),
    ("func f(t: Trip) { _ = t.hotel.flatMap { x in use(x) } }", "Hotel"),
    ("func f(t: [Trip]) { _ = t.enumerated().map { i, x in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { _ = Dictionary(grouping: t) { x in use(x) } }", "Trip"),
    ("struct V: View { let t: [Trip]; var body: some View { List(t) { x in use(x) } } }", "Trip"),
    (
      "struct V: View { let t: [Trip]; var body: some View { ForEach(t, id: \\.title) { x in use(x) } } }",
      "Trip"
    ),
    (
      "struct V: View { @State var t: [Trip]; var body: some View { ForEach($t) { $x in use(x) } } }",
      "Trip"
    ),
    ("func each(_ f: (Trip, Int) -> Void) {}\nfunc g() { each { x, _ in use(x) } }", "Trip"),
    ("func f(t: [Trip]) { let g = { (x: Trip) in use(x) } }", "Trip"),
  ])
  func closureParameters(code: String, expected: String) { #expect(type(code) == expected) }

  @Test(arguments: [
    ("func f(t: [Trip]) { t.forEach { use($0) } }", "Trip"),
    ("func f(t: [Trip]) { _ = t.sorted { use($0) < $1 } }", "Trip"),
    ("func f(t: [Trip]) { t.forEach { $0.stops.forEach { use($0) } } }", "Stop"),
    ("func f(t: Trip?) { _ = t.map { use($0) } }", "Trip"),
  ])
  func numberedArguments(code: String, expected: String) {
    #expect(Names(Self.models + code).type(of: "$0") == expected)
  }

  @Test(arguments: [
    ("func f(t: Trip) { let x = t.lastStop; use(x) }", "Stop?"),
    ("func f(t: Trip) { let x = t.lastStop?.trip; use(x) }", "Trip?"),
    ("func f(t: Trip) { let x = t.tags?.first?.trips; use(x) }", "[Trip]?"),
    ("func f() { let x = Plan.shared.trips; use(x) }", "[Trip]"),
    ("func f(p: Plan) { let x = p.hotel; use(x) }", "Hotel?"),
    ("func f(p: Plan) { let x = p.byName[\"a\"]; use(x) }", "Trip?"),
    ("func f(p: Plan) { let x = p.byName[\"a\", default: Trip()]; use(x) }", "Trip"),
    ("func f(p: Plan) { let x = p.rows.first?.trip; use(x) }", "Trip?"),
    ("func f(p: Plan) { let x = p.rows.map(\\.trip); use(x) }", "[Trip]"),
    (
      "func f(p: Plan) { let x = p.rows.map { $0.trip }.filter { $0.title == \"\" }; use(x) }",
      "[Trip]"
    ),
    ("func f(t: [Trip]) { let x = t.flatMap(\\.stops); use(x) }", "[Stop]"),
    ("func f(t: [Trip]) { let x = t[0...2]; use(x) }", "[Trip]"),
    ("func f(t: [Trip]) { let x = t.isEmpty ? nil : t[0]; use(x) }", "Trip?"),
    ("func f(t: [Trip]) { let x = t + t; use(x) }", "[Trip]"),
    ("func f(t: Trip) { let x = t.nights()[0].stop; use(x) }", "Stop"),
    ("extension Plan { func f() { let x = self.trips[0]; use(x) } }", "Trip"),
    ("extension Plan { func f() { use(trips.first!); let x = shown; use(x) } }", "Trip?"),
  ])
  func membersOfKnownTypes(code: String, expected: String) { #expect(type(code) == expected) }

  @Test(arguments: [
    ("func f(c: ModelContext) throws { let x = try Trip.all(in: c); use(x) }", "[Trip]"),
    (
      "func g() async throws -> Trip? { nil }\nfunc f() async throws { let x = try await g(); use(x) }",
      "Trip?"
    ),
    (
      "func f(c: ModelContext) throws { let d = FetchDescriptor<Trip>(); let x = try c.fetch(d); use(x) }",
      "[Trip]"
    ),
    (
      "func f(c: ModelContext) throws { var d: FetchDescriptor<Trip> = .init(); let x = try c.fetch(d).first; use(x) }",
      "Trip?"
    ),
    ("func f(c: ModelContext) throws { let x: [Trip] = try c.fetch(.init()); use(x) }", "[Trip]"),
    (
      "func f(c: ModelContext) throws { let d = FetchDescriptor(predicate: #Predicate<Trip> { _ in true }); let x = try c.fetch(d); use(x) }",
      "[Trip]"
    ),
    (
      "func f(c: ModelContext, i: PersistentIdentifier) { let x = c.model(for: i) as? Trip; use(x) }",
      "Trip?"
    ),
    (
      "func f(c: ModelContext, i: PersistentIdentifier) { let x: Trip? = c.registeredModel(for: i); use(x) }",
      "Trip?"
    ),
    (
      "@ModelActor actor A { func f(i: PersistentIdentifier) { let x = self[i, as: Trip.self]; use(x) } }",
      "Trip?"
    ),
    (
      "struct V: View { @Query(sort: \\Trip.title) var x: [Trip]; var body: some View { use(x) } }",
      "[Trip]"
    ),
    (
      "struct V: View { @Query private var t: [Trip]; var body: some View { let x = t.first; use(x) } }",
      "Trip?"
    ),
    (
      "struct V: View { @FetchRequest(sortDescriptors: []) var x: FetchedResults<Trip>; func f() { use(x) } }",
      "[Trip]"
    ),
    ("struct V: View { @State var x = Trip(); var body: some View { use(x) } }", "Trip"),
    ("struct V: View { @State private var x: Trip?; var body: some View { use(x) } }", "Trip?"),
    ("struct V: View { @Binding var x: Trip; var body: some View { use(x) } }", "Trip"),
    ("struct V: View { @ObservedObject var x: Plan; var body: some View { use(x) } }", "Plan"),
    (
      "struct V: View { @EnvironmentObject var p: Plan; var body: some View { let x = p.shown; use(x) } }",
      "Trip?"
    ),
    (
      "struct V: View { @Environment(Plan.self) var p; var body: some View { let x = p.trips; use(x) } }",
      "[Trip]"
    ),
    (
      "struct V: View { @Environment(Plan.self) var p; var body: some View { @Bindable var x = p; use(x) } }",
      "Plan"
    ),
    (
      "struct V: View { @Bindable var t: Trip; var body: some View { let x = t.hotel; use(x) } }",
      "Hotel?"
    ),
  ])
  func resultsAndWrappers(code: String, expected: String) { #expect(type(code) == expected) }

  @Test(arguments: [
    ("func f(t: Trip) { let (x, _) = (t, 1); use(x) }", "Trip"),
    ("func f(t: (Trip, Int)) { let x = t.0; use(x) }", "Trip"),
    ("func f(t: (trip: Trip, at: Int)) { let x = t.trip; use(x) }", "Trip"),
    ("func f(t: Trip) { let t = t.title; let x = t; use(x) }", "String"),
    ("func f(x: Trip) { let x = 1; use(x) }", "Int"),
    ("func f(x: Trip) { [1].forEach { x in use(x) } }", "Int"),
    ("func f(x: Trip) { if let x = x.hotel { use(x) } }", "Hotel"),
    ("final class A { var x = Trip(); func f(x: Hotel) { use(x) } }", "Hotel"),
    ("final class A { var x = Trip(); func f(x: Hotel) { use(self.x); use(x) } }", "Hotel"),
    ("func f(x: Trip) { func g(x: Hotel) { use(x) } }", "Hotel"),
    ("func f(x: Trip) { do { throw E() } catch let x { use(x) } }", "Error"),
    ("func f(x: Trip) { for x in 0..<2 { use(x) } }", "?"),
  ])
  func tuplesAndShadows(code: String, expected: String) { #expect(type(code) == expected) }

  @Test func aTypeOfATargetIsMeantWhereItIsImported() {
    let files = [
      "App/A.swift": "func f(x: Safe) { use(x) }", "Shared/S.swift": "final class Safe {}",
      "Kit/Sources/Vaults/V.swift": "public enum Safe {}",
    ]
    for (header, expected) in [
      ("", "Shared/S.swift"), ("import Vaults\n", "Kit/Sources/Vaults/V.swift"),
    ] {
      let sources = files.sorted { $0.key < $1.key }.map {
        SourceFile(
          path: $0.key,
          outline: Outline(SourceText(($0.key == "App/A.swift" ? header : "") + $0.value)))
      }
      let program = Program(sources)
      let name = program.descendants(Ref(file: 0, node: 0), .name).last {
        program.nameText($0) == "x"
      }
      var path: String?
      if case .declared(let id, _)? = name.map({ program.type(of: $0) }) {
        path = program.files[Int(program.types[id].ref.file)].path
      }
      #expect(path == expected)
    }
  }
}
