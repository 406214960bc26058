import PersistSyntax
import Testing

@testable import PersistFlow
@testable import PersistIndex

/// What certainly comes before a deletion or an end of the process.
@Suite struct StoreBackupTests {
  private static let head = """
    import SwiftData
    let storeURL = URL.applicationSupportDirectory.appending(path: "Trips.store")
    func backUp() throws { try files.copyItem(at: storeURL, to: backupURL) }
    func open() throws -> ModelContainer { try ModelContainer(for: A.self) }

    """

  /// Whether every deletion on a failure path comes after a backup; nil when there is none.
  private func isBackedUp(_ code: String) -> Bool? {
    let program = Names(Self.head + code).program
    let deletions = program.deletionsOnFailure
    return deletions.isEmpty
      ? nil : deletions.allSatisfy { program.isBackedUp(before: $0.work) }
  }

  @Test(arguments: [
    "func f() { do { _ = try open() } catch { guard (try? backUp()) != nil else { return }; try? files.removeItem(at: storeURL) } }",
    "func f() throws { do { _ = try open() } catch { try backUp(); try? files.removeItem(at: storeURL) } }",
    "func f() { do { _ = try open() } catch { do { try backUp() } catch { return }; try? files.removeItem(at: storeURL) } }",
    "func f() { do { _ = try open() } catch { do { try backUp(); try files.removeItem(at: storeURL) } catch {} } }",
    "func f() throws { try backUp(); do { _ = try open() } catch { try? files.removeItem(at: storeURL) } }",
    "func g() throws { try backUp(); f() }\nfunc f() { do { _ = try open() } catch { try? files.removeItem(at: storeURL) } }",
    "func h() throws { try backUp(); g() }\nfunc g() { f() }\nfunc f() { do { _ = try open() } catch { try? files.removeItem(at: storeURL) } }",
    "func h() throws { try backUp(); f() }\nfunc g() throws { try backUp(); f() }\nfunc f() { do { _ = try open() } catch { try? files.removeItem(at: storeURL) } }",
    "func f() throws { do { _ = try open() } catch { try files.moveItem(at: storeURL, to: aside); try? files.removeItem(at: storeURL) } }",
    "func f() throws { do { _ = try open() } catch { try wipe() } }\nfunc wipe() throws { try backUp(); try files.removeItem(at: storeURL) }",
  ])
  func aBackupThatComesBefore(code: String) { #expect(isBackedUp(code) == true) }

  @Test(arguments: [
    "func f() { do { _ = try open() } catch { try? backUp(); try? files.removeItem(at: storeURL) } }",
    "func f() { do { _ = try open() } catch { do { try backUp() } catch { log(error) }; try? files.removeItem(at: storeURL) } }",
    "func f() { do { _ = try open() } catch { try? files.removeItem(at: storeURL); try? backUp() } }",
    "func f() { do { _ = try open() } catch { keep { try backUp() }; try? files.removeItem(at: storeURL) } }",
    "func h() throws { try backUp(); f() }\nfunc g() { f() }\nfunc f() { do { _ = try open() } catch { try? files.removeItem(at: storeURL) } }",
    "func f() throws { do { _ = try open() } catch { try files.copyItem(at: otherURL, to: x); try files.removeItem(at: storeURL) } }\nlet otherURL = URL(fileURLWithPath: \"Other.sqlite\")",
    "func f() { do { _ = try open() } catch { quietly(); try? files.removeItem(at: storeURL) } }\nfunc quietly() { try? backUp() }",
    "func f() { do { _ = try open() } catch { quietly(); try? files.removeItem(at: storeURL) } }\nfunc quietly() { do { try backUp() } catch { log(error) } }",
    "func f() { f2(); do { _ = try open() } catch { f(); try? files.removeItem(at: storeURL) } }",
  ])
  func noBackupThatIsSure(code: String) { #expect(isBackedUp(code) == false) }

  @Test(arguments: [
    ("func f() { lock.lock(); flock(fd, LOCK_EX); _ = try? open() }", true),
    (
      "func f() { NSFileCoordinator().coordinate(writingItemAt: u, error: nil) { _ in _ = try? open() } }",
      true
    ),
    ("func a() { flock(fd, 2); b() }\nfunc b() { c() }\nfunc c() { _ = try? open() }", true),
    ("func a() { flock(fd, 2); c() }\nfunc b() { c() }\nfunc c() { _ = try? open() }", false),
    ("func a() { c() }\nfunc c() { _ = try? open() }", false),
    (
      "struct FileLock { func hold(_ w: () -> Void) { flock(fd, 2); w() } }\nfunc c() { FileLock().hold { _ = try? open() } }",
      true
    ),
  ])
  func aLockIsHeldByAllCallers(code: String, isLocked: Bool) {
    let program = Names(Self.head + code).program
    let calls = program.calls(named: "open").filter { program.calledName($0) == "open" }
    #expect(calls.map { program.isLocked($0) } == [isLocked])
  }

  // MARK: Stores that go to another place

  @Test func aStoreThatIsNamedForBeingTheOldOneIsTheSource() {
    let head = "let oldStoreURL = URL(fileURLWithPath: \"/a/Trips.sqlite\")\n"
    let body =
      "func f() { do { try c.migratePersistentStore(store, to: groupURL, type: .sqlite) } catch { log(error) }\n"
    #expect(
      deletedAfterTransfer(head + body + "try? files.removeItem(at: oldStoreURL) }")
        == ["(at: oldStoreURL)"])
    #expect(
      deletedAfterTransfer(
        head + "func f() { try? files.copyItem(at: oldStoreURL, to: groupStoreURL)\n"
          + "try? files.removeItem(at: oldStoreURL) }") == ["(at: oldStoreURL)"])
    #expect(
      deletedAfterTransfer(head + body + "try? files.removeItem(at: exportStoreURL) }") == [])
  }

  /// The deletions after a failed transfer, by the text of what they delete.
  private func deletedAfterTransfer(_ code: String) -> [String] {
    let program = Names(Self.head + code).program
    return program.deletionsAfterTransfer.map { program.text($0.work.site) }
  }

  @Test(arguments: [
    "func f() { do { try files.copyItem(at: storeURL, to: groupURL) } catch { log(error) }\n try? files.removeItem(at: storeURL) }",
    "func f() { try? files.copyItem(at: storeURL, to: groupURL)\n try? files.removeItem(at: storeURL) }",
    "func f() { do { try files.copyItem(at: storeURL, to: groupURL) } catch { try? files.removeItem(at: storeURL) } }",
    "func f() { do { try c.migratePersistentStore(old, to: groupURL, type: .sqlite) } catch { log(error) }\n try? files.removeItem(at: storeURL) }",
    "func f() throws { try c.replacePersistentStore(at: groupURL, withPersistentStoreFrom: storeURL, type: .sqlite) }\nfunc g() { do { try f() } catch { log(error) }; try? files.removeItem(at: storeURL) }",
    "func f() { try? files.copyItem(at: storeURL, to: groupURL)\n if files.fileExists(atPath: storeURL.path) { try? files.removeItem(at: storeURL) } }",
  ])
  func theOnlyStoreIsDeletedAfterAFailedTransfer(code: String) {
    #expect(deletedAfterTransfer(code) == ["(at: storeURL)"])
  }

  @Test(arguments: [
    "func f() throws { try files.copyItem(at: storeURL, to: groupURL); try files.removeItem(at: storeURL) }",
    "func f() { do { try files.copyItem(at: storeURL, to: groupURL); try files.removeItem(at: storeURL) } catch { log(error) } }",
    "func f() { do { try files.copyItem(at: storeURL, to: groupURL) } catch { return }; try? files.removeItem(at: storeURL) }",
    "func f() { do { try files.copyItem(at: storeURL, to: groupURL) } catch { try? files.removeItem(at: groupURL) } }\nlet groupURL = URL(fileURLWithPath: \"/g/Trips.store\")",
    "func f() { var done = true; do { try files.copyItem(at: storeURL, to: groupURL) } catch { done = false }; if done { try? files.removeItem(at: storeURL) } }",
    "func f() { try? files.copyItem(at: importedStoreURL, to: storeURL) }",
  ])
  func aTransferThatIsAskedFirst(code: String) { #expect(deletedAfterTransfer(code) == []) }
}
