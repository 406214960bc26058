import Testing

/// Plain values of a model are read before the closure that runs elsewhere.
@Suite struct TakenValuesFixTests {
  private static let head = """
    import SwiftData

    enum Mood { case good, bad }
    enum Shape { case circle(Any) }

    @Model final class Trip {
      var title = ""
      var notes: String?
      var tags: [String] = []
      var mood = Mood.good
      var shape = Shape.circle(0)
      var stops: [Stop] = []
      var parent: Trip?
      func send() {}
      init() {}
    }

    @Model final class Stop { init() {} }

    @MainActor final class Screen {
      let trip: Trip
      init(trip: Trip) { self.trip = trip }

    """ + "  func run() {\n"

  private func mended(_ body: String) -> Mending {
    let code = Self.head + body + "\n  }\n}\n"
    let file = Page.File(path: "Sources/App/Screen.swift", code: code, isShipped: false)
    return Mending([file], rule: "model-captured-in-detached-task")
  }

  private func expect(
    _ body: String, gives result: String, rounds: Int = 1,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let mending = mended(body)
    let lines = mending.code.dropFirst(Self.head.count).dropLast("\n  }\n}\n".count)
    #expect(String(lines) == result, sourceLocation: location)
    #expect(mending.rounds == rounds && mending.left.isEmpty, sourceLocation: location)
    #expect(parses(mending.code), sourceLocation: location)
  }

  private func expectNone(_ body: String, _ location: SourceLocation = #_sourceLocation) {
    let mending = mended(body)
    #expect(mending.rounds == 0, "\(mending.code)", sourceLocation: location)
    #expect(!mending.left.isEmpty, "nothing is found", sourceLocation: location)
  }

  @Test func eachPropertyIsReadOnceBefore() {
    expect(
      """
          // Off it goes.
          Task.detached(priority: .low) {
            print(self.trip.title, "\\(self.trip.title): \\(self.trip.notes ?? "")")  // twice
            if !self.trip.tags.isEmpty, self.trip.mood == .good { print(self.trip.tags[0]) }
          }
      """,
      gives: """
            // Off it goes.
            let title = self.trip.title
            let notes = self.trip.notes
            let tags = self.trip.tags
            let mood = self.trip.mood
            Task.detached(priority: .low) {
              print(title, "\\(title): \\(notes ?? "")")  // twice
              if !tags.isEmpty, mood == .good { print(tags[0]) }
            }
        """)
  }

  @Test func closuresInsideAreReached() {
    expect(
      """
          let item = trip
          let task = Task.detached { [1, 2].map { n in { "\\(n) \\(item.title)" }() } }
          await task.value
      """,
      gives: """
            let item = trip
            let title = item.title
            let task = Task.detached { [1, 2].map { n in { "\\(n) \\(title)" }() } }
            await task.value
        """)
  }

  @Test func namesInUseAreLeftAlone() {
    expect(
      """
          let title = "x"
          Task.detached { print(title, self.trip.title) }
      """,
      gives: """
            let title = "x"
            let tripTitle = self.trip.title
            Task.detached { print(title, tripTitle) }
        """)
    expect(
      """
          Task.detached { print(self.trip.title) }
          Task.detached { print(self.trip.title) }
      """,
      gives: """
            let title = self.trip.title
            Task.detached { print(title) }
            let tripTitle = self.trip.title
            Task.detached { print(tripTitle) }
        """, rounds: 2)
    expectNone(
      """
          let title = "x", tripTitle = "y"
          Task.detached { print(title, tripTitle, self.trip.title) }
      """)
  }

  @Test func blocksInOneLineAreUnfolded() {
    expect(
      "\t\trun { Task.detached { print(self.trip.title) } }",
      gives: """
        \t\trun {
        \t\t  let title = self.trip.title
        \t\t  Task.detached { print(title) }
        \t\t}
        """)
  }

  @Test func queuesAreServedToo() {
    expect(
      "    DispatchQueue.global().async { print(self.trip.title) }",
      gives: """
            let title = self.trip.title
            DispatchQueue.global().async { print(title) }
        """)
  }

  @Test(arguments: [
    "Task.detached { self.trip.title = \"\" }",
    "Task.detached { self.trip.title += \"\" }",
    "Task.detached { self.trip.tags.append(\"\") }",
    "Task.detached { self.trip.tags[0] = \"\" }",
    "Task.detached { change(&self.trip.title) }",
    "Task.detached { print(self.trip.stops) }",
    "Task.detached { print(self.trip.shape) }",
    "Task.detached { print(self.trip.parent?.title ?? \"\") }",
    "Task.detached { print(self.trip.title); self.trip.send() }",
    "Task.detached { print(self.trip.title, self.trip) }",
    "Task.detached { let it = self.trip; print(it.title) }",
    "Task.detached { [trip] in print(trip.title) }",
    "Task.detached { [weak self] in print(self?.trip.title ?? \"\") }",
    "Task.detached { print(self.trip /* mine */ .title) }",
    "let all = [1].map { _ in Task.detached { print(self.trip.title) } }",
    "Task.detached { [self] in print(self.trip.title) }",
    "run { [weak self] in Task.detached { guard let self else { return }; print(self.trip.title) } }",
    "if true { print(1); Task.detached { print(self.trip.title) } }",
  ])
  func whatIsMoreThanReadingIsLeft(body: String) { expectNone("    " + body) }
}
