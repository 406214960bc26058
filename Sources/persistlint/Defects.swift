#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is said, and done, should persistlint itself trap or run out of stack.
enum Defects {
  /// In bytes; handlers run here, because a thread may have used its own stack up.
  private static let stackSize = 1 << 16

  /// Ends with exit code 70 and a word about it.
  static func watch() {
    guard System.environment("SWIFT_BACKTRACE") == nil else { return }
    giveHandlersAStack()
    for trap in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = endWithDefect
        action.sa_flags = SA_ONSTACK
      #elseif canImport(Glibc)
        action.__sigaction_handler.sa_handler = endWithDefect
        action.sa_flags = Int32(SA_ONSTACK)
      #elseif canImport(Musl)
        action.__sa_handler.sa_handler = endWithDefect
        action.sa_flags = SA_ONSTACK
      #endif
      sigaction(trap, &action, nil)
    }
  }

  /// Each thread has to ask for its own; the memory is never given back.
  static func giveHandlersAStack() {
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
    stack.ss_size = numericCast(stackSize)
    sigaltstack(&stack, nil)
  }
}

/// Calls only what a signal handler may call.
private func endWithDefect(_ signal: Int32) {
  let words: StaticString =
    "persistlint: a defect of persistlint ended the run; set SWIFT_BACKTRACE to see where\n"
  Glue.writeFromHandler(words.utf8Start, words.utf8CodeUnitCount)
  _exit(70)
}
