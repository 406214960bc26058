#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the stages of a run cost: processor time, summed over threads; kept when the environment
/// asks for it.
final class Timings: @unchecked Sendable {
  /// The stages in the order in which they begin.
  enum Stage: Int, CaseIterable {
    case find, read, lex, outline, words, facts, join, rules, print
  }

  /// Nothing unless `PERSISTLINT_TIMINGS` is set.
  static let shared = System.environment("PERSISTLINT_TIMINGS") == nil ? nil : Timings()

  private let lock = Lock()
  private var seconds = [Double](repeating: 0, count: Stage.allCases.count)
  private let start = System.clock

  /// Runs the body as part of a stage.
  static func measure<Value, Failure: Error>(
    _ stage: Stage, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let shared else { return try body() }
    let start = threadTime
    defer { shared.add(threadTime - start, to: stage) }
    return try body()
  }

  /// Seconds of processor time of this thread.
  private static var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func add(_ seconds: Double, to stage: Stage) {
    lock.whileHeld { self.seconds[stage.rawValue] += seconds }
  }

  /// One line a stage: its name, milliseconds, MB/s of `bytes`; then the whole and the peak memory.
  func report(bytes: Int) -> String {
    var lines = ""
    for stage in Stage.allCases {
      lines += line("\(stage)", seconds[stage.rawValue], bytes)
    }
    lines += line("whole", System.clock - start, bytes)
    var usage = rusage()
    // 0 is this process; its name has another type on each platform.
    getrusage(0, &usage)
    #if canImport(Darwin)
      let peak = usage.ru_maxrss >> 10
    #else
      let peak = usage.ru_maxrss
    #endif
    return lines + "peak \(peak) KiB\n"
  }

  private func line(_ name: String, _ seconds: Double, _ bytes: Int) -> String {
    let microseconds = Int(seconds * 1e6)
    let rate = Int(Double(bytes) / max(seconds, 1e-6) / 1e6)
    return "\(name) \(microseconds) us \(rate) MB/s\n"
  }
}
