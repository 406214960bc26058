#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// In bytes; deeply nested sources need more than the half MiB that some threads get.
private let stackSize = 16 << 20

/// The values of all items in the items' order, made by so many threads with large stacks.
func parallelMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], jobs: Int, _ transform: @escaping @Sendable (Item) -> Value
) -> [Value] {
  let work = Work(items, transform)
  let threads = (0..<min(max(jobs, 1), items.count)).compactMap { _ in
    startThread { work.run() }
  }
  if threads.isEmpty { work.run() }
  for thread in threads { pthread_join(thread, nil) }
  return work.values
}

/// Makes values on other threads while items are still being found, each thread with a tool of its
/// own; the lock guards all that varies.
final class Pipeline<Item: Sendable, Tool, Value: Sendable>: @unchecked Sendable {
  private let makeTool: @Sendable () -> Tool
  private let transform: @Sendable (Item, Tool) -> Value
  private let lock = Lock()
  private var items: [Item] = []
  private var next = 0
  private var isFinished = false
  /// How many threads wait for an item.
  private var waiting = 0
  private var values: [Value] = []
  private var threads: [pthread_t] = []

  init(
    jobs: Int, tool: @escaping @Sendable () -> Tool,
    transform: @escaping @Sendable (Item, Tool) -> Value
  ) {
    makeTool = tool
    self.transform = transform
    threads = (0..<max(jobs, 1)).compactMap { _ in startThread { self.run() } }
  }

  /// Hands out an item.
  func add(_ item: Item) {
    lock.whileHeld {
      items.append(item)
      if waiting > 0 { lock.wakeOne() }
    }
  }

  /// The values of all items, in no order, when all are made.
  func finish() -> [Value] {
    lock.whileHeld {
      isFinished = true
      lock.wakeAll()
    }
    run()
    for thread in threads { pthread_join(thread, nil) }
    return values
  }

  private func run() {
    let tool = makeTool()
    var made: [Value] = []
    while let item = take() { made.append(transform(item, tool)) }
    lock.whileHeld { values += made }
  }

  private func take() -> Item? {
    lock.whileHeld {
      while next == items.count, !isFinished {
        waiting += 1
        lock.wait()
        waiting -= 1
      }
      guard next < items.count else { return nil }
      defer { next += 1 }
      return items[next]
    }
  }
}

/// The value of a closure that runs on a thread with a large stack.
func onLargeStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
  guard let value = parallelMap([0], jobs: 1, { _ in body() }).first else { return body() }
  return value
}

/// Hands out the items one by one and gathers their values; the lock guards `next` and `made`.
private final class Work<Item: Sendable, Value: Sendable>: @unchecked Sendable {
  private let items: [Item]
  private let transform: @Sendable (Item) -> Value
  private let lock = Lock()
  private var next = 0
  private var made: [Value?]

  init(_ items: [Item], _ transform: @escaping @Sendable (Item) -> Value) {
    self.items = items
    self.transform = transform
    made = Array(repeating: nil, count: items.count)
  }

  var values: [Value] { made.compactMap { $0 } }

  func run() {
    while let index = take() {
      let value = transform(items[index])
      lock.whileHeld { made[index] = value }
    }
  }

  private func take() -> Int? {
    lock.whileHeld {
      guard next < items.count else { return nil }
      defer { next += 1 }
      return next
    }
  }
}

final class Lock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Lets go of the lock, which has to be held, until another thread wakes this one.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// The same for so many seconds at most.
  func wait(atMost seconds: Double) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let end = Double(time.tv_nsec) / 1e9 + min(max(seconds, 0), 1e6)
    time.tv_sec += Int(end)
    time.tv_nsec = Int((end - Double(Int(end))) * 1e9)
    pthread_cond_timedwait(condition, mutex, &time)
  }

  func wakeOne() { pthread_cond_signal(condition) }
  func wakeAll() { pthread_cond_broadcast(condition) }

  func whileHeld<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}

private final class Start {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// A thread with a large stack, to be joined; nothing when the system gives none. It leaves it to
/// the thread that writes to be stopped from outside.
func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
  let mask = Drafts.blockStops()
  defer { Drafts.restore(mask) }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setstacksize(&attributes, stackSize)
  let start = Unmanaged.passRetained(Start(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, &attributes, { runThread($0) }, start)
  #else
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, { $0.flatMap { runThread($0) } }, start)
  #endif
  guard code == 0 else {
    Unmanaged<Start>.fromOpaque(start).release()
    return nil
  }
  return thread
}

private func runThread(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Defects.giveHandlersAStack()
  Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
  Defects.takeStackFromHandlers()
  return nil
}
