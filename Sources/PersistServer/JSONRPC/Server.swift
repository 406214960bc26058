import PersistReport

/// What a server wants done; whoever holds it does that in this order.
package enum Effect<Job: Sendable>: Sendable {
  /// Write a message.
  case send(JSON)
  /// Do a job of this number behind those that were started before.
  case start(Int, Job)
  /// Leave a job, whether it has begun or not; its outcome isn't wanted any more.
  case cancel(Int)
  /// End the process with this exit code.
  case exit(Int32)
}

/// A server as a value: events come in, effects go out. It knows no streams, threads or clocks.
package protocol Server: Sendable {
  /// What takes time.
  associatedtype Job: Sendable
  /// What comes out of a job.
  associatedtype Outcome: Sendable

  /// When the server wants to be woken, in seconds; nil for never.
  var wakeTime: Double? { get }

  /// Takes what a client sent; `now` is in seconds since some moment in the past.
  mutating func receive(_ incoming: Incoming, at now: Double) -> [Effect<Job>]

  /// Takes the outcome of a job that wasn't cancelled.
  mutating func finish(_ job: Int, _ outcome: Outcome, at now: Double) -> [Effect<Job>]

  /// Does what is due.
  mutating func wake(at now: Double) -> [Effect<Job>]

  /// Takes the end of what the client sends.
  mutating func end() -> [Effect<Job>]
}
