import PersistRules

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What happens should persistlint itself trap or run out of stack: the run begins again without
/// what trapped, prints what everything else found, and ends with exit code 70.
enum Defects {
  /// In bytes; handlers run here, because a thread may have used its own stack up.
  private static let stackSize = 1 << 16
  /// A run that has left so much out begins no more.
  private static let most = 8
  /// Holds what earlier runs trapped at, a line each.
  private static let variable = "PERSISTLINT_WITHOUT"

  /// What an earlier run of the same command trapped at.
  static let known: [String] =
    System.environment(variable)?.split(separator: "\n").map(String.init) ?? []

  /// Where the tests of this want a defect.
  private static let wanted = System.environment("PERSISTLINT_TRAP")

  /// Whether the run lacks something because of a defect.
  static var isPartial: Bool { !known.isEmpty }

  /// Says on standard error what the run lacks.
  static func report() {
    for line in known {
      complain(
        "a defect of persistlint stopped \(line), and the run continued without it; please report this"
      )
    }
  }

  /// Runs a body unless an earlier run trapped in it; `outer` is what it is a part of.
  static func watch(_ task: String, in outer: String = "", _ body: () -> Void) {
    if known.contains(task) { return }
    let record = Record.ofThread
    record.say(task)
    if let wanted, task.contains(wanted) { raise(SIGILL) }
    body()
    record.say(outer)
  }

  /// Knows the rules and their fixes by their names.
  static let watch = Watch { task, body in
    switch task {
    case .rule(let rule): watch("\(rule)", body)
    case .fix(let rule, let location):
      watch("the fix of \(rule) at \(location.path):\(location.start.line)", in: "\(rule)", body)
    }
  }

  /// Begins to watch.
  static func begin() {
    guard System.environment("SWIFT_BACKTRACE") == nil else { return }
    Restart.prepare(variable, isLast: known.count >= most)
    giveHandlersAStack()
    for trap in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
      var action = sigaction()
      let flags = Int32(truncatingIfNeeded: UInt(SA_ONSTACK) | UInt(SA_NODEFER))
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = endWithDefect
      #elseif canImport(Glibc)
        action.__sigaction_handler.sa_handler = endWithDefect
      #elseif canImport(Musl)
        action.__sa_handler.sa_handler = endWithDefect
      #endif
      action.sa_flags = flags
      sigaction(trap, &action, nil)
    }
  }

  /// Each thread has to ask for its own.
  static func giveHandlersAStack() {
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
    stack.ss_size = numericCast(stackSize)
    sigaltstack(&stack, nil)
  }

  /// Gives back, at the end of a thread, what it asked for.
  static func takeStackFromHandlers() {
    var (none, stack) = (stack_t(), stack_t())
    none.ss_flags = numericCast(SS_DISABLE)
    // Some systems want a size even where there is none.
    none.ss_size = numericCast(stackSize)
    guard sigaltstack(&none, &stack) == 0 else { return }
    #if canImport(Darwin)
      stack.ss_sp.deallocate()
    #else
      stack.ss_sp?.deallocate()
    #endif
  }
}

/// What a thread is doing, as bytes that a handler of signals can read.
private struct Record {
  private static let size = 4096
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { free($0) }
    return key
  }()

  private let bytes: UnsafeMutablePointer<UInt8>

  /// Empty until the thread says something.
  static var ofThread: Record {
    if let bytes = pthread_getspecific(key) {
      return Record(bytes: bytes.assumingMemoryBound(to: UInt8.self))
    }
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    bytes.initialize(repeating: 0, count: size)
    pthread_setspecific(key, bytes)
    return Record(bytes: bytes)
  }

  /// The text of the thread, ended by a zero; nothing when it has never said one.
  static var text: UnsafePointer<UInt8>? {
    pthread_getspecific(key).map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }
  }

  func say(_ text: String) {
    bytes[0] = 0
    var count = 1
    for byte in text.utf8.prefix(Record.size - 2) {
      // A line of the variable; the first byte comes last, so that no half text is ever read.
      if count > 1 { bytes[count - 1] = byte == 0x0A || byte == 0 ? 0x20 : byte }
      count += 1
    }
    bytes[count - 1] = 0
    if let first = text.utf8.first { bytes[0] = first }
  }
}

/// What is needed to begin again from a handler of signals, which may ask for no memory.
private enum Restart {
  private static let room = 64 << 10

  nonisolated(unsafe) private static var program: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var environment:
    UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  /// `PERSISTLINT_WITHOUT=…`, to which the handler adds a line.
  nonisolated(unsafe) private static var variable: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var used = 0

  static func prepare(_ name: String, isLast: Bool) {
    guard !isLast, let path = System.pathOfProgram else { return }
    let start = "\(name)=" + Defects.known.map { "\($0)\n" }.joined()
    guard start.utf8.count < room / 2 else { return }
    let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: room)
    bytes.initialize(repeating: 0, count: room)
    for byte in start.utf8 {
      bytes[used] = CChar(bitPattern: byte)
      used += 1
    }
    variable = bytes
    program = strdup(path)
    let inherited = System.environmentLines.filter { !$0.hasPrefix(name + "=") }
    let lines = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: inherited.count + 2)
    for (index, line) in inherited.enumerated() { lines[index] = strdup(line) }
    lines[inherited.count] = bytes
    lines[inherited.count + 1] = nil
    environment = lines
  }

  /// Returns only when there is no way; calls only what a handler of signals may call.
  static func begin() {
    guard let program, let environment, let variable, let text = Record.text, text[0] != 0 else {
      return
    }
    // What was read from a pipe can't be read once more.
    if StandardInput.wasRead, lseek(System.standardInput, 0, SEEK_SET) != 0 { return }
    var index = 0
    while text[index] != 0, used < room - 2 {
      variable[used] = CChar(bitPattern: text[index])
      used += 1
      index += 1
    }
    variable[used] = 0x0A
    execve(program, CommandLine.unsafeArgv, environment)
  }
}

/// Calls only what a signal handler may call.
private func endWithDefect(_ signal: Int32) {
  Restart.begin()
  say("persistlint: error: a defect of persistlint ended the run")
  if let text = Record.text, text[0] != 0 {
    say(" in ")
    Glue.writeFromHandler(text, strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)))
  }
  say("; set SWIFT_BACKTRACE to see where\n")
  _exit(ExitCode.defect.rawValue)
}

private func say(_ words: StaticString) {
  Glue.writeFromHandler(words.utf8Start, words.utf8CodeUnitCount)
}
