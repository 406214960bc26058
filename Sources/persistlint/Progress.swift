#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Says on a terminal what a run does and how far it is, once it takes more than two seconds.
///
/// The lock guards what varies.
final class Progress: @unchecked Sendable {
  private static let delay = 2
  /// In nanoseconds.
  private static let pause = 100_000_000

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let ended = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var phase = ""
  private var unit = ""
  private var count = 0
  private var total = 0
  private var hasEnded = false
  /// What the terminal shows.
  private var shown: String?
  private var thread: pthread_t?

  /// Nothing where no one watches.
  init?(isQuiet: Bool) {
    guard !isQuiet, System.isTerminal(System.standardError),
      System.environment("TERM") != "dumb"
    else { return nil }
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(ended, nil)
    thread = startThread { [self] in watch() }
  }

  /// Says what happens from now on, and how many things it is done to.
  func begin(_ phase: String, _ total: Int = 0, _ unit: String = "") {
    whileLocked {
      self.phase = phase
      self.total = total
      self.unit = unit
      count = 0
    }
  }

  /// Counts one thing that is done.
  func advance() {
    whileLocked { count += 1 }
  }

  /// Takes away what was shown, and frees what was taken.
  func end() {
    whileLocked {
      hasEnded = true
      pthread_cond_signal(ended)
    }
    if let thread { pthread_join(thread, nil) }
    if shown != nil { Console.showProgress(nil) }
    pthread_cond_destroy(ended)
    pthread_mutex_destroy(mutex)
    ended.deallocate()
    mutex.deallocate()
  }

  /// `1,240 of 4,056 files`, behind what happens to them.
  static func text(_ phase: String, _ count: Int, of total: Int, _ unit: String) -> String {
    guard total > 0 else { return phase }
    let counted = "\(grouped(min(count, total))) of \(grouped(total)) \(unit)"
    return phase.isEmpty ? counted : "\(phase), \(counted)"
  }

  /// A number with a comma before each three digits.
  static func grouped(_ number: Int) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  private func watch() {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec += Progress.delay
    whileLocked {
      while !hasEnded {
        // It ends by the signal, or because the time is over.
        if pthread_cond_timedwait(ended, mutex, &time) == 0 { continue }
        draw()
        clock_gettime(CLOCK_REALTIME, &time)
        time.tv_nsec += Progress.pause
        if time.tv_nsec >= 1_000_000_000 {
          time.tv_nsec -= 1_000_000_000
          time.tv_sec += 1
        }
      }
    }
  }

  private func draw() {
    let text = Progress.text(phase, count, of: total, unit)
    guard text != shown else { return }
    shown = text
    Console.showProgress(text)
  }

  private func whileLocked(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    body()
    pthread_mutex_unlock(mutex)
  }
}
