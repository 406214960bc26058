import PersistSyntax
import Testing

@testable import PersistFlow
@testable import PersistIndex

/// What runs when a store could not be opened: `lost()` stands where it does, `kept()` where not.
@Suite struct FailureSpreadTests {
  /// The names of the marks that stand on a failure path.
  private func marks(_ code: String) -> Set<String> {
    let source = "import SwiftData\nimport CoreData\nimport RealmSwift\n" + code
    let program = Names(source.replacing("OPEN", with: "ModelContainer(for: A.self)")).program
    return Set(
      program.storeFlow.paths.flatMap { path in
        path.nodes.flatMap { program.nodesRun(in: $0) }
          .filter { program.kind($0) == .call }.map { program.calledText($0) }
      }
    ).intersection(["lost", "kept"])
  }

  @Test(arguments: [
    "func f() { do { _ = try OPEN } catch { lost() }; kept() }",
    "func f() { do { do { _ = try OPEN } catch { throw Own.broken } } catch { lost() } }",
    "func f() { do { do { _ = try OPEN } catch { kept2(); throw error } } catch { lost() } }",
    "func f() { do { do { kept() } catch { kept() }; _ = try OPEN } catch { lost() } }",
    "func f() { do { _ = try OPEN; return } catch { log() }; lost() }",
    "func f() { do { return try OPEN } catch { log() }\n do { return try OPEN } catch { lost() } }",
  ])
  func catchClausesOfNestedDo(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "func f() { do { _ = try OPEN } catch let error as NSError where error.code == 134504 { lost() } catch {} }",
    "func f() { do { _ = try OPEN } catch CocoaError.fileReadNoSuchFile { lost() } }",
    "func f() { do { _ = try OPEN } catch is SwiftDataError { lost() } }",
    "func f() throws { do { _ = try OPEN } catch is Own {} }\nfunc g() { do { try f() } catch { lost() } }",
    "func f() throws { do { _ = try OPEN } catch Own.a(let code) {} }\nfunc g() { do { try f() } catch { lost() } }",
    "func f() { do { _ = try OPEN } catch { switch error { case Own.a: lost(); default: break } } }",
    "func f() { do { _ = try OPEN } catch { switch (error as NSError).code { case 1: lost(); default: break } } }",
    "func f() { do { _ = try OPEN } catch { if let e = error as? Own { lost() } } }",
  ])
  func patternsAndTheCodeOfTheError(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "func f() { let r = Result { try OPEN }; switch r { case .success: kept(); case .failure(let e): lost() } }",
    "func f() { let r = Result { try OPEN }; if case .failure = r { lost() } else { kept() } }",
    "func f() { let r = Result { try OPEN }; guard case .success(let c) = r else { lost(); return }; kept() }",
    "func f() { let r = Result { try OPEN }; do { _ = try r.get() } catch { lost() } }",
    "func f() -> Result<A, Error> { do { return .success(try OPEN) } catch { return .failure(error) } }\nfunc g() { switch f() { case .success: kept(); case .failure: lost() } }",
    "func f() -> Result<A, Error> { Result { try OPEN } }\nfunc g() { do { _ = try f().get() } catch { lost() } }",
    "let r = Result { try OPEN }\nfunc g() { if case .failure(let e) = r { lost() } }",
    "func f() { let r = Result { try OPEN }.mapError { Own($0) }; if case .failure = r { lost() } }",
    "func f() { Realm.asyncOpen { result in switch result { case .failure(let e): lost(); case .success: kept() } } }",
  ])
  func results(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "func f(c: NSPersistentContainer) { c.loadPersistentStores { _, error in if let error { lost() } else { kept() } } }",
    "func f(c: NSPersistentContainer) { c.loadPersistentStores { _, error in if let e = error { lost() } } }",
    "func f(c: NSPersistentContainer) { c.loadPersistentStores { _, error in if error != nil { lost() } } }",
    "func f(c: NSPersistentContainer) { c.loadPersistentStores { _, error in guard error == nil else { lost(); return }; kept() } }",
    "func f(c: NSPersistentContainer) { c.loadPersistentStores { _, error in guard let error else { kept(); return }; lost() } }",
    "func f(c: NSPersistentContainer) { c.loadPersistentStores { if let e = $1 { lost() } } }",
    "func f(c: NSPersistentContainer) { c.loadPersistentStores(completionHandler: { (d, error) in if let error = error as NSError? { lost() } }) }",
    "func f(c: NSPersistentContainer) { var e: Error?; c.loadPersistentStores { e = $1 }; if let e { lost() } }",
    "func f(_ c: NSPersistentContainer, done: @escaping (Error?) -> Void) { c.loadPersistentStores { _, error in done(error) } }\nfunc g(c: NSPersistentContainer) { f(c) { error in if error != nil { lost() } } }",
    "func f(_ c: NSPersistentContainer, done: @escaping (Result<Void, Error>) -> Void) { c.loadPersistentStores { _, error in if let error { done(.failure(error)) } else { done(.success(())) } } }\nfunc g(c: NSPersistentContainer) { f(c) { r in switch r { case .failure: lost(); case .success: kept() } } }",
    "func f(_ c: NSPersistentContainer) async throws { try await withCheckedThrowingContinuation { k in c.loadPersistentStores { _, error in if let error { k.resume(throwing: error) } } } }\nfunc g(c: NSPersistentContainer) async { do { try await f(c) } catch { lost() } }",
  ])
  func completionClosures(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "func f() { guard let c = try? OPEN else { lost(); return }; kept() }",
    "func f() { if let c = try? OPEN { kept() } else { lost() } }",
    "func f() { if let c = try? OPEN { kept(); return }; lost() }",
    "func f() { let c = (try? OPEN) ?? lost() }",
    "func f() { let c = try? OPEN; guard let c else { lost(); return }; kept() }",
    "func f() { let c = try? OPEN; if c == nil { lost() } }",
    "func f() -> A? { try? OPEN }\nfunc g() { guard let c = f() else { lost(); return }; kept() }",
    "func f() { guard let c = try? OPEN, c.isFit else { lost(); return } }",
  ])
  func optionalTries(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "final class S { lazy var c: A? = { do { return try OPEN } catch { lost(); return nil } }() }",
    "final class S { lazy var c: A? = { try? OPEN }(); func g() { guard let c else { lost(); return }; kept() } }",
    "enum S { static let c: A = { do { return try OPEN } catch { lost() } }() }",
    "enum S { static let c: A? = { do { return try OPEN } catch { return nil } }() }\nfunc g() { guard let c = S.c else { lost(); return } }",
    "let c: A? = try? OPEN\nfunc g() { if c == nil { lost() } }",
    "final class S { var c: A? { try? OPEN }\n func g() { if let c { kept() } else { lost() } } }",
    "final class S { var c: A { get throws { try OPEN } } }\nfunc g(s: S) { do { _ = try s.c } catch { lost() } }",
    "final class S { var c: A?; init() { c = try? OPEN }; func g() { guard let c else { lost(); return } } }",
    "final class S { var c: A?; init() { do { c = try OPEN } catch { c = nil } }; func g() { guard let c else { lost(); return } } }",
  ])
  func propertiesAndStatics(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "final class S { init() throws { _ = try OPEN } }\nfunc g() { do { _ = try S() } catch { lost() } }",
    "final class S { init?() { do { _ = try OPEN } catch { return nil } } }\nfunc g() { guard let s = S() else { lost(); return } }",
    "final class S { convenience init(a: Int) throws { try self.init() }; init() throws { _ = try OPEN } }\nfunc g() { do { _ = try S(a: 1) } catch { lost() } }",
    "class B { init() throws { _ = try OPEN } }\nfinal class S: B { override init() throws { try super.init() } }\nfunc g() { do { _ = try S() } catch { lost() } }",
    "extension ModelContainer { static func make() throws -> ModelContainer { try OPEN } }\nfunc g() { do { _ = try ModelContainer.make() } catch { lost() } }",
    "actor S { func open() throws { _ = try OPEN } }\nfunc g(s: S) async { do { try await s.open() } catch { lost() } }",
    "actor S { init() throws { _ = try OPEN }; static func make() throws -> S { try S() } }\nfunc g() { do { _ = try S.make() } catch { lost() } }",
    "actor S { func open() throws { _ = try OPEN }; func go() { do { try self.open() } catch { lost() } } }",
  ])
  func initializersAndActors(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "protocol P { func open() throws -> A }\nstruct S: P { func open() throws -> A { try OPEN } }\nfunc g(p: any P) { do { _ = try p.open() } catch { lost() } }",
    "protocol P { func open() -> A? }\nstruct S: P { func open() -> A? { try? OPEN } }\nfunc g(p: P) { guard let c = p.open() else { lost(); return } }",
    "protocol P { func open() throws }\nstruct S: P { func open() throws { _ = try OPEN } }\nfunc g<T: P>(t: T) { do { try t.open() } catch { lost() } }",
    "protocol P { func open() throws }\nstruct S: P { func open() throws { _ = try OPEN } }\nfunc g(t: some P) { do { try t.open() } catch { lost() } }",
    "protocol P { func open() throws }\nstruct S: P { func open() throws { _ = try OPEN } }\nstruct V { let p: P; func g() { do { try p.open() } catch { lost() } } }",
    "protocol P { var c: A? { get } }\nstruct S: P { var c: A? { try? OPEN } }\nfunc g(p: any P) { guard let c = p.c else { lost(); return } }",
  ])
  func protocolsWithOneImplementation(code: String) { #expect(marks(code) == ["lost"]) }

  @Test func twoImplementationsTellNothing() {
    let code = """
      protocol P { func open() throws }
      struct S: P { func open() throws { _ = try OPEN } }
      struct T: P { func open() throws {} }
      func g(p: any P) { do { try p.open() } catch { kept() } }
      """
    #expect(marks(code) == [])
  }

  @Test(arguments: [
    "func f() { let open = { try OPEN }; do { _ = try open() } catch { lost() } }",
    "final class S { let open: () throws -> A = { try OPEN }; func g() { do { _ = try open() } catch { lost() } } }",
    "final class S { var open: () throws -> A; init() { open = { try OPEN } }; func g() { do { _ = try open() } catch { lost() } } }",
    "final class S { var open: () throws -> A; init(open: @escaping () throws -> A) { self.open = open }; func g() { do { _ = try open() } catch { lost() } } }\nlet s = S(open: { try OPEN })",
    "struct S { var open: () throws -> A; func g() { do { _ = try open() } catch { lost() } } }\nlet s = S(open: { try OPEN })",
    "struct S { var open: () throws -> A; func g() { do { _ = try self.open() } catch { lost() } } }\nlet s = S { try OPEN }",
    "func run(_ body: () throws -> Void) { do { try body() } catch { lost() } }\nfunc g() { run { _ = try OPEN } }",
    "func run(_ body: () throws -> A) rethrows -> A { try body() }\nfunc g() { do { _ = try run { try OPEN } } catch { lost() } }",
    "func run(_ body: @escaping () throws -> Void) { queue.async { do { try body() } catch { lost() } } }\nfunc g() { run { _ = try OPEN } }",
  ])
  func closuresThatAreKeptAndCalledLater(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "func f() { Task { do { _ = try OPEN } catch { lost() } } }",
    "func f() { Task { try OPEN }\n kept() }; func g() { lost2() }",
    "func f() async { let t = Task { try OPEN }; do { _ = try await t.value } catch { lost() } }",
    "func f() async { do { _ = try await Task { try OPEN }.value } catch { lost() } }",
    "func f() async { do { _ = try await MainActor.run { try OPEN } } catch { lost() } }",
    "func f() { do { try lock.withLock { _ = try OPEN } } catch { lost() } }",
    "func f() { do { try queue.sync { _ = try OPEN } } catch { lost() } }",
  ])
  func tasksAndQueues(code: String) {
    #expect(marks(code) == (code.contains(" lost()") ? ["lost"] : []))
  }

  @Test(arguments: [
    "func f() {\n#if os(macOS)\ndo { _ = try OPEN } catch { lost() }\n#endif\n}",
    "func f() -> Error? { do { _ = try OPEN; return nil } catch { return error } }\nfunc g(c: NSManagedObjectContext) { var e: Error?; c.performAndWait { e = f() }; if let e { lost() } else { kept() } }",
    "func f(c: NSManagedObjectContext) { var e: Error?; c.performAndWait { e = g(); if e != nil { lost(); return }; kept() } }\nfunc g() -> Error? { do { _ = try OPEN; return nil } catch { return error } }",
    "enum K { case a, b }\nfunc f(k: K) { if let c = try? OPEN { switch k { case .a: return; case .b: return } }; lost() }",
    "func f(c: A?) -> A { c ?? (try? OPEN) ?? lost() }",
    "func f() { var c = try? OPEN; if c == nil { c = spare() }; if c == nil { lost() } }\nfunc spare() -> A? { nil }",
    "final class S { var c: A?; init() { if let made = try? OPEN { c = made } }; func g() { guard let c else { lost(); return } } }",
    "func f() throws { _ = try OPEN }\nfunc g() { do { try f() } catch is Own { stop() } catch { lost() } }",
  ])
  func waysThatMeetAndPart(code: String) { #expect(marks(code) == ["lost"]) }

  @Test(arguments: [
    "func f(isOn: Bool) { if isOn { if let c = try? OPEN { return } }; kept() }",
    "func f(c: NSPersistentContainer) { c.loadPersistentStores { d, error in if let error, d.isBad { stop(error) }; kept() } }",
    "func f(c: NSPersistentContainer) { c.loadPersistentStores { d, error in guard let error, d.isBad else { kept(); return } } }",
    "func f() { var e: Error?; do { _ = try OPEN } catch { log(error) }; if let e { kept() } }",
  ])
  func waysThatOthersTakeToo(code: String) { #expect(marks(code) == []) }

  @Test(arguments: [
    "func f() { do { _ = try OPEN } catch { log() }; kept() }",
    "func f() throws { _ = try OPEN; do { try other() } catch { kept() } }",
    "func f() { do { _ = try OPEN } catch { let later = { kept() }; keep(later) } }",
    "func f() { do { try other() } catch { kept() } }",
    "func f() { guard let url = group() else { kept(); return }; _ = try? OPEN }",
    "func f() { _ = try? OPEN; do { try other() } catch { kept() } }",
  ])
  func codeThatRunsWithoutTheFailure(code: String) { #expect(marks(code) == []) }
}
