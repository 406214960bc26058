import PersistIndex

// MARK: - Subjects and streams

extension API {
  static let publishers: [API] = senders + same + moving + changing + observables

  /// Publishers of the same values, on the same queue.
  private static let same: [API] = ["Publisher", "MovedPublisher"].flatMap { type in
    [
      "eraseToAnyPublisher", "removeDuplicates", "dropFirst", "share", "filter", "first", "prefix",
      "handleEvents",
    ].map { API(type: type, name: $0, result: .value(.receiver)) }
  }

  /// Publishers whose values arrive on a queue that they are told.
  private static let moving: [API] = ["debounce", "throttle", "delay"].map {
    API(type: "Publisher", name: $0, result: .moved(to: .labelled("scheduler")))
  }

  /// What makes other values of a publisher's, on the queue where they arrive.
  private static let changing: [API] = ["map", "compactMap", "tryMap", "flatMap"].map {
    API(
      type: "MovedPublisher", name: $0, result: .movedOn,
      closures: [Closure(operand: .last, place: .movedQueue, given: [.elementOfMoved])])
  }

  /// RxSwift.
  private static let observables: [API] =
    [
      API(type: "MainScheduler", name: "instance", isStatic: true, result: .queue(.main)),
      API(type: "MainScheduler", name: "asyncInstance", isStatic: true, result: .queue(.main)),
      API(type: "ConcurrentDispatchQueueScheduler", name: "init", result: .queue(.global)),
      API(type: "SerialDispatchQueueScheduler", name: "init", result: .madeQueue),
    ]
    + ["Observable", "MovedPublisher"].flatMap { type in
      [
        API(type: type, name: "observe", result: .moved(to: .labelled("on"))),
        API(type: type, name: "observeOn", result: .moved(to: .argument(0))),
        API(
          type: type, name: "asObservable",
          result: type == "Observable" ? .external(type) : .value(.receiver)),
      ]
    }
    + [
      API(
        type: "MovedPublisher", name: "subscribe", result: .external("Disposable"),
        closures: ["onNext", "onSuccess", "onError", "onCompleted"].map {
          Closure(operand: .labelled($0), place: .movedQueue, given: [.elementOfMoved])
        })
    ]

  private static let senders: [API] = [
    API(
      type: "PassthroughSubject", name: "init", result: .holder("PassthroughSubject", nil)),
    API(
      type: "CurrentValueSubject", name: "init",
      result: .holder("CurrentValueSubject", .argument(0))),
    API(
      type: "PassthroughSubject", name: "send",
      closures: [Closure(operand: .waiting, place: .inPlace, given: [.argument0])],
      flows: [Flow(value: .argument(0), into: .receiver)]),
    API(type: "CurrentValueSubject", name: "value", result: .element(.receiver)),
    // Whoever listens is told the present value at once.
    API(
      type: "CurrentValueSubject", name: "sink", result: .external("AnyCancellable"),
      closures: [Closure(operand: .last, place: .inPlace, given: [.value(.held)])],
      flows: [Flow(value: .last, into: .receiver, cell: "waiting")]),
    API(
      type: "Publisher", name: "sink", result: .external("AnyCancellable"),
      flows: [Flow(value: .last, into: .receiver, cell: "waiting")]),
    API(type: "Publisher", name: "compactMap", result: .unknown),
    API(
      type: "Publisher", name: "receive",
      result: .moved(to: .argument(0))),
    API(
      type: "MovedPublisher", name: "sink", result: .external("AnyCancellable"),
      closures: [
        Closure(operand: .last, place: .movedQueue, given: [.elementOfMoved])
      ]),
    API(type: "NotificationCenter", name: "publisher", result: .external("Publisher")),
    API(type: "Timer", name: "publish", isStatic: true, result: .moved(to: .labelled("on"))),
    API(type: "MovedPublisher", name: "autoconnect", result: .value(.receiver)),
    API(
      type: "AsyncStream", name: "makeStream", isStatic: true, result: .streamPair),
    API(
      type: "AsyncStream", name: "init", result: .stream,
      closures: [Closure(operand: .last, place: .inPlace, given: [.stream])]),
    API(
      type: "AsyncStream", name: "yield", flows: [Flow(value: .argument(0), into: .receiver)]),
    API(type: "AsyncStream", name: "finish"),
    API(type: "AsyncStream", name: "continuation", result: .value(.receiver)),
    API(type: "AsyncStream", name: "stream", result: .value(.receiver)),
  ]
}
