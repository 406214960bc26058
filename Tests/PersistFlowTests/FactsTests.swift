import PersistFlow
import PersistIndex
import PersistSyntax
import Testing

/// The lines on which something is used off the queue of its owner.
private func wrongLines(_ source: String) -> [Int] {
  let program = Program([
    SourceFile(path: "Sources/App/File.swift", outline: Outline(SourceText(source)))
  ])
  let lines = Facts(of: program).uses.filter { $0.wrong != nil }.map { use in
    program.files[0].lineAndColumn(of: program.byteRange(use.node).lowerBound).line
  }
  return Set(lines).sorted()
}

/// A stack, a model and a screen, with the body of `work` in its place: line 20.
private func app(_ body: String, members: String = "") -> String {
  """
  import CoreData
  import SwiftUI
  @objc(Trip) final class Trip: NSManagedObject {
    @NSManaged var name: String?
  }
  final class Stack {
    let container: NSPersistentContainer
    let background: NSManagedObjectContext
    init() {
      container = NSPersistentContainer(name: "Trips")
      background = container.newBackgroundContext()
    }
  }
  struct Screen: View {
    let stack = Stack()
    var body: some View { Button("Work") { work() } }
  \(members)
    func work() {
      let context = stack.background
      let request = NSFetchRequest<Trip>(entityName: "Trip")
      \(body)
    }
  }
  """
}

@Suite struct FactsTests {
  @Test func objectInATupleIsStillTheSameObject() {
    let leaving = """
      context.perform {
        guard let trip = try? context.fetch(request).first else { return }
        let pair = (trip, 1)
        DispatchQueue.main.async { print(pair.0.name ?? "") }
      }
      """
    #expect(wrongLines(app(leaving)) == [24])
    let staying = leaving.replacing("DispatchQueue.main.async", with: "context.perform")
    #expect(wrongLines(app(staying)) == [])
  }

  @Test func storedClosureRunsWhereItIsCalled() {
    let body = """
      context.perform {
        guard let trip = try? context.fetch(request).first else { return }
        let show = { print(trip.name ?? "") }
        run(show)
      }
      """
    let elsewhere =
      "  func run(_ work: @escaping () -> Void) {\n DispatchQueue.global().async { work() } }"
    let here = "  func run(_ work: @escaping () -> Void) {\n work() }"
    #expect(wrongLines(app(body, members: elsewhere)).count == 1)
    #expect(wrongLines(app(body, members: here)) == [])
  }

  @Test func twoRightCallersAreNotMixed() {
    let body = """
      show(stack.container.viewContext)
      context.perform { show(context) }
      """
    let show = "  func show(_ context: NSManagedObjectContext) {\n context.reset() }"
    #expect(wrongLines(app(body, members: show)) == [])
    let wrong = body.replacing("context.perform { show(context) }", with: "show(context)")
    #expect(wrongLines(app(wrong, members: show)).count == 1)
  }

  @Test func argumentDecidesTheContext() {
    let members = """
        enum Role { case screen, worker }
        func context(for role: Role) -> NSManagedObjectContext {
          switch role {
          case .screen: return stack.container.viewContext
          case .worker: return stack.background
          }
        }
      """
    #expect(wrongLines(app("context(for: .screen).reset()", members: members)) == [])
    #expect(wrongLines(app("self.context(for: .worker).reset()", members: members)).count == 1)
  }

  @Test func whatCannotBeReadSaysNothing() {
    #expect(wrongLines(app("unknown().reset(); other(context)")) == [])
  }
}
