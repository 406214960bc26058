import PersistIndex

// MARK: - Code that the main thread never runs

extension Program {
  /// Whether a node runs only where the thread isn't the main one: behind `Thread.isMainThread ? … :`,
  /// in the `else` of such an `if`, or after one that returns.
  func runsOnlyOffMain(_ node: Ref) -> Bool {
    files[Int(node.file)].spells(Frameworks.mainThreadQuestion)
      && conditions.surely(before: node) { part in
        !part.condition.holds && part.step.name == Frameworks.mainThreadQuestion
      }
  }

  /// Whether a place runs on the main thread.
  func runsOnMain(_ place: Ref) -> Bool { isolation(at: place) == .mainActor }
}
