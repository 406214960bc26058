/// Runs what may fail for reasons of its own, so that whoever asked knows what it was, and can leave
/// it out: the whole of a rule, or one fix of it.
package struct Watch: Sendable {
  /// What is about to run.
  package enum Task: Sendable {
    case rule(RuleID)
    /// The fix of a finding that the rule reports at a place.
    case fix(RuleID, Location)
  }

  private let run: @Sendable (Task, () -> Void) -> Void

  /// A watch that doesn't call the body leaves the task out.
  package init(_ run: @escaping @Sendable (Task, () -> Void) -> Void) { self.run = run }

  /// Runs everything.
  package static let none = Watch { $1() }

  func callAsFunction<Value>(_ task: Task, _ body: () -> Value?) -> Value? {
    var value: Value?
    run(task) { value = body() }
    return value
  }
}
