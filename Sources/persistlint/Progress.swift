#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Says on a terminal what a run does, once it takes more than a second.
///
/// The lock guards `phase`, `hasEnded` and `isShown`.
final class Progress: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let ended = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var phase = ""
  private var hasEnded = false
  private var isShown = false
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

  /// Says what happens from now on.
  func begin(_ phase: String) {
    whileLocked {
      self.phase = phase
      if isShown { draw() }
    }
  }

  /// Takes away what was shown, and frees what was taken.
  func end() {
    whileLocked {
      hasEnded = true
      pthread_cond_signal(ended)
    }
    if let thread { pthread_join(thread, nil) }
    if isShown { Console.showProgress(nil) }
    pthread_cond_destroy(ended)
    pthread_mutex_destroy(mutex)
    ended.deallocate()
    mutex.deallocate()
  }

  private func watch() {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_sec += 1
    whileLocked {
      while !hasEnded, pthread_cond_timedwait(ended, mutex, &time) == 0 {}
      guard !hasEnded else { return }
      isShown = true
      draw()
    }
  }

  private func draw() {
    Console.showProgress(phase)
  }

  private func whileLocked(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    body()
    pthread_mutex_unlock(mutex)
  }
}
