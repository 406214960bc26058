import PersistIndex

// MARK: - Where closures run

extension API {
  static let concurrency: [API] =
    queues + firstQueues + signals + operations + tasks + prints + callbacks + sources

  private static func runs(
    _ type: Name, _ name: Name, _ place: Place, isStatic: Bool = false, given: [Result] = [],
    result: Result = .plain, isDelayed: Bool = false
  ) -> API {
    API(
      type: type, name: name, isStatic: isStatic, result: result,
      closures: [Closure(operand: .last, place: place, given: given, isDelayed: isDelayed)])
  }

  /// A method of a queue that returns when its closure has run.
  private static func blocks(_ name: Name) -> API {
    API(
      type: "DispatchQueue", name: name, result: .returned(.last),
      closures: [Closure(operand: .last, place: .queueOfSync, isWaitedFor: true)],
      waits: .receiver)
  }

  /// A method of a task group that begins a task, whose result the group hands out.
  private static func childTask(_ name: Name) -> API {
    API(
      type: "TaskGroup", name: name, closures: [Closure(operand: .last, place: .pool)],
      flows: [Flow(value: .returned, into: .receiver)])
  }

  private static let signals: [API] = [
    API(type: "DispatchSemaphore", name: "init", result: .holder("DispatchSemaphore", nil)),
    API(type: "DispatchSemaphore", name: "wait", waits: .receiver),
    API(type: "DispatchSemaphore", name: "signal", signals: .receiver),
    API(type: "DispatchGroup", name: "init", result: .holder("DispatchGroup", nil)),
    API(type: "DispatchGroup", name: "enter"),
    API(type: "DispatchGroup", name: "wait", waits: .receiver),
    API(type: "DispatchGroup", name: "leave", signals: .receiver),
  ]

  private static let queues: [API] = [
    API(type: "DispatchQueue", name: "main", isStatic: true, result: .queue(.main)),
    API(type: "DispatchQueue", name: "global", isStatic: true, result: .queue(.global)),
    API(type: "DispatchQueue", name: "init", result: .madeQueue),
    runs("DispatchQueue", "async", .queue(.receiver)),
    runs("DispatchQueue", "asyncAfter", .queue(.receiver), isDelayed: true),
    blocks("sync"),
    blocks("asyncAndWait"),
    runs("DispatchQueue", "concurrentPerform", .background, isStatic: true),
    runs("DispatchQueue", "schedule", .queue(.receiver)),
    API(type: "DispatchWorkItem", name: "init", result: .holder("DispatchWorkItem", .last)),
    // A work item is called where `perform` stands.
    API(
      type: "DispatchWorkItem", name: "perform",
      closures: [Closure(operand: .receiver, place: .inPlace)]),
    runs("DispatchGroup", "notify", .queue(.labelled("queue"))),
    runs("DispatchWorkItem", "notify", .queue(.labelled("queue"))),
  ]

  /// Dispatch as Swift before 3 called it.
  private static let firstQueues: [API] = [
    API(type: .none, name: "dispatch_get_main_queue", result: .queue(.main)),
    API(type: .none, name: "dispatch_get_global_queue", result: .queue(.global)),
    API(type: .none, name: "dispatch_queue_create", result: .madeQueue),
    runs(.none, "dispatch_async", .queue(.argument(0))),
    runs(.none, "dispatch_barrier_async", .queue(.argument(0))),
    runs(.none, "dispatch_after", .queue(.argument(1)), isDelayed: true),
  ]

  private static let operations: [API] = [
    API(type: "Thread", name: "isMainThread", isStatic: true, result: .isOnMain),
    API(type: "Thread", name: "current", isStatic: true, result: .external("Thread")),
    API(type: "Thread", name: "isMainThread", result: .isOnMain),
    API(type: "OperationQueue", name: "main", isStatic: true, result: .queue(.main)),
    API(type: "OperationQueue", name: "init", result: .madeOperationQueue),
    API(type: "RunLoop", name: "main", isStatic: true, result: .queue(.main)),
    runs("DispatchQueue", "perform", .queue(.receiver)),
    runs("DispatchQueue", "addOperation", .queue(.receiver)),
    runs("DispatchQueue", "addBarrierBlock", .queue(.receiver)),
    runs("OperationQueue", "addOperation", .background),
    API(
      type: "OperationQueue", name: "addOperations",
      closures: [Closure(operand: .argument(0), place: .background)]),
    API(
      type: "DispatchQueue", name: "addOperations",
      closures: [Closure(operand: .argument(0), place: .queue(.receiver))]),
    runs("OperationQueue", "addBarrierBlock", .background),
    API(type: "BlockOperation", name: "init", result: .holder("BlockOperation", .last)),
    runs("Operation", "completionBlock", .background),
    runs("Thread", "detachNewThread", .background, isStatic: true),
    API(type: "Thread", name: "init", closures: [Closure(operand: .last, place: .background)]),
  ]

  private static let tasks: [API] = [
    API(
      type: "Task", name: "init", result: .holder("Task", nil),
      closures: [Closure(operand: .last, place: .task)]),
    runs("Task", "detached", .pool, isStatic: true),
    runs("Task", "immediateDetached", .pool, isStatic: true),
    runs("Task", "immediate", .task, isStatic: true),
    runs("MainActor", "run", .main, isStatic: true, result: .returned(.last)),
    runs("MainActor", "assumeIsolated", .main, isStatic: true, result: .returned(.last)),
    runs(
      .none, "withTaskGroup", .inPlace, given: [.holder(Frameworks.taskGroup, nil)],
      result: .returned(.last)),
    runs(
      .none, "withThrowingTaskGroup", .inPlace, given: [.holder(Frameworks.taskGroup, nil)],
      result: .returned(.last)),
    runs(
      .none, "withDiscardingTaskGroup", .inPlace, given: [.holder(Frameworks.taskGroup, nil)],
      result: .returned(.last)),
    childTask("addTask"),
    childTask("addTaskUnlessCancelled"),
    API(type: "TaskGroup", name: "next", result: .elementOrNil(.receiver)),
    runs(.none, "autoreleasepool", .inPlace, result: .returned(.last)),
    runs(
      .none, "withoutActuallyEscaping", .inPlace, given: [.argument0], result: .returned(.last)),
    runs("UIGraphicsPDFRenderer", "pdfData", .inPlace),
    runs("UIGraphicsPDFRenderer", "writePDF", .inPlace),
    runs("UIGraphicsImageRenderer", "image", .inPlace),
    runs("UIGraphicsImageRenderer", "pngData", .inPlace),
    runs("UIGraphicsImageRenderer", "jpegData", .inPlace),
    runs("UIView", "performWithoutAnimation", .inPlace, isStatic: true),
    runs("Result", "init", .inPlace, result: .outcome),
    runs(.none, "withAnimation", .inPlace, result: .returned(.last)),
    runs(
      .none, "withoutActuallyEscaping", .inPlace, given: [.argument0], result: .returned(.last)),
    runs(.none, "withCheckedContinuation", .continuation, given: [.continuation], result: .sent),
    runs(
      .none, "withCheckedThrowingContinuation", .continuation, given: [.continuation], result: .sent
    ),
    runs(.none, "withUnsafeContinuation", .continuation, given: [.continuation], result: .sent),
    runs(
      .none, "withUnsafeThrowingContinuation", .continuation, given: [.continuation], result: .sent
    ),
    API(
      type: "CheckedContinuation", name: "resume",
      flows: [Flow(value: .labelled("returning"), into: .receiver)]),
  ]

  /// What reads all of what it is given.
  private static let prints: [API] = [API(type: .none, name: "print", uses: [.argument(0)])]

  private static let callbacks: [API] = [
    API(type: "URLSession", name: "shared", isStatic: true, result: .external("URLSession")),
    API(
      type: "URLSession", name: "init", result: .holder("URLSession", .labelled("delegateQueue")),
      delegates: [
        Delegate(
          operand: .labelled("delegate"),
          methods: ["urlSession", "urlSessionDidFinishEvents"],
          place: .queueOr(.labelled("delegateQueue"), otherwise: .background))
      ]),
    API(type: "XMLParser", name: "init", result: .holder("XMLParser", nil)),
    API(
      type: "XMLParser", name: "delegate",
      flows: [Flow(value: .last, into: .receiver, cell: "waiting")]),
    API(
      type: "XMLParser", name: "parse",
      delegates: [
        Delegate(
          operand: .waiting,
          methods: ["parser", "parserDidStartDocument", "parserDidEndDocument"], place: .inPlace)
      ]),
    runs("URLSession", "dataTask", .heldQueue(otherwise: .background), isDelayed: true),
    runs("URLSession", "uploadTask", .heldQueue(otherwise: .background), isDelayed: true),
    runs("URLSession", "downloadTask", .heldQueue(otherwise: .background), isDelayed: true),
    API(
      type: "NotificationCenter", name: "addObserver",
      closures: [
        Closure(operand: .last, place: .posting, given: [.posted]),
        Closure(operand: .labelled("selector"), place: .posting, given: [.posted]),
      ]),
    API(
      type: "NotificationCenter", name: "post",
      flows: [Flow(value: .labelled("name"), into: .receiver, cell: "posted")]),
    API(
      type: "NotificationCenter", name: "default", isStatic: true,
      result: .external("NotificationCenter")),
    runs("UIAlertAction", "init", .main, isDelayed: true),
    runs("UIAction", "init", .main, isDelayed: true),
    runs("UIContextualAction", "init", .main, isDelayed: true),
    runs("Timer", "scheduledTimer", .inPlace, isStatic: true, given: [.unknown], isDelayed: true),
    runs(
      "BGTaskScheduler", "register", .queueOr(.labelled("using"), otherwise: .background),
      given: [.unknown]),
    API(
      type: "BGTaskScheduler", name: "shared", isStatic: true, result: .external("BGTaskScheduler")),
    API(
      type: "NSFileCoordinator", name: "coordinate",
      closures: [Closure(operand: .last, place: .inPlace, given: [.plain, .plain])]),
  ]

  /// Sources of events, with the queue that their handlers run on.
  private static let sources: [API] =
    [
      "makeTimerSource", "makeFileSystemObjectSource", "makeReadSource", "makeWriteSource",
      "makeSignalSource", "makeProcessSource", "makeUserDataAddSource", "makeUserDataOrSource",
      "makeMemoryPressureSource",
    ].map {
      API(
        type: "DispatchSource", name: $0, isStatic: true,
        result: .holder("DispatchSource", .labelled("queue")))
    }
    + ["setEventHandler", "setCancelHandler", "setRegistrationHandler"].map {
      runs("DispatchSource", $0, .heldQueue(otherwise: .background))
    }
}
