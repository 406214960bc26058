import PersistReport
import PersistServer

/// Joins a server to standard input and output: one thread reads, one does the jobs in their order,
/// and the one that calls `run` asks the server what to do.
///
/// The lock guards what varies.
final class ServerLoop<S: Server>: @unchecked Sendable {
  private enum Event {
    case incoming(Incoming)
    case outcome(Int, S.Outcome)
    case end
  }

  private struct Job {
    let number: Int
    let job: S.Job
    let cancellation: Cancellation
  }

  private let framing: Framing
  private let perform: @Sendable (S.Job, Cancellation) -> S.Outcome
  /// What there is to do when the outcome of a job has been told.
  private let cleanUp: @Sendable () -> Void
  private let lock = Lock()
  private let jobsLock = Lock()
  private var events: [Event] = []
  private var jobs: [Job] = []
  private var cancellations: [Int: Cancellation] = [:]

  init(
    _ framing: Framing, cleanUp: @escaping @Sendable () -> Void,
    perform: @escaping @Sendable (S.Job, Cancellation) -> S.Outcome
  ) {
    self.framing = framing
    self.cleanUp = cleanUp
    self.perform = perform
  }

  /// Serves until the server wants to end; gives the exit code.
  func run(_ server: S) -> Int32 {
    var server = server
    guard startThread({ self.read() }) != nil, startThread({ self.work() }) != nil else {
      return ExitCode.defect.rawValue
    }
    while true {
      let effects: [Effect<S.Job>]
      if let wakeTime = server.wakeTime, wakeTime <= System.clock {
        effects = server.wake(at: System.clock)
      } else {
        switch nextEvent(until: server.wakeTime) {
        case .incoming(let incoming): effects = server.receive(incoming, at: System.clock)
        case .outcome(let number, let outcome):
          // One that was cancelled too late to be left is as if it had been.
          guard cancellations.removeValue(forKey: number) != nil else { continue }
          effects = server.finish(number, outcome, at: System.clock)
        case .end:
          // Nobody is left who could read what else there is to say.
          if System.hasNoReader(System.standardOutput) { return ExitCode.clean.rawValue }
          effects = server.end()
        case nil: continue
        }
      }
      for effect in effects {
        if let code = carryOut(effect) { return code }
      }
    }
  }

  /// The exit code when that ends the process.
  private func carryOut(_ effect: Effect<S.Job>) -> Int32? {
    switch effect {
    case .send(let message): try? Console.send(framing.bytes(of: message))
    case .start(let number, let job):
      let cancellation = Cancellation()
      cancellations[number] = cancellation
      jobsLock.whileHeld {
        jobs.append(Job(number: number, job: job, cancellation: cancellation))
        jobsLock.wakeOne()
      }
    case .cancel(let number): cancellations.removeValue(forKey: number)?.cancel()
    case .exit(let code): return code
    }
    return nil
  }

  /// Nothing when it is time to wake the server.
  private func nextEvent(until time: Double?) -> Event? {
    lock.whileHeld {
      while events.isEmpty {
        guard let time else {
          lock.wait()
          continue
        }
        let left = time - System.clock
        guard left > 0 else { return nil }
        lock.wait(atMost: left)
      }
      return events.removeFirst()
    }
  }

  private func post(_ new: [Event]) {
    guard !new.isEmpty else { return }
    lock.whileHeld {
      events += new
      lock.wakeOne()
    }
  }

  private func read() {
    var reader = MessageReader(framing)
    while let bytes = FileReader.nextOfStandardInput() {
      post(reader.add(bytes).map { .incoming($0) })
    }
    post(reader.finish().map { .incoming($0) } + [.end])
  }

  private func work() {
    while true {
      let job = jobsLock.whileHeld {
        while jobs.isEmpty { jobsLock.wait() }
        return jobs.removeFirst()
      }
      guard !job.cancellation.isCancelled else { continue }
      post([.outcome(job.number, perform(job.job, job.cancellation))])
      cleanUp()
    }
  }
}
