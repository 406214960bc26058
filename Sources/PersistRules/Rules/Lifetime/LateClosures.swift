import PersistIndex
import PersistSyntax

// MARK: - Closures that run after a wait

extension Program {
  /// The call after whose wait a closure runs: a timer, a delayed block, the completion of a
  /// transfer, itself or inside a function of the sources; nil where it runs at once or nobody
  /// knows.
  func wait(before closure: Ref) -> Ref? {
    guard kind(closure) == .closure, let (call, _) = callTaking(closure) else { return nil }
    return makesWait(closure, call, depth: 0) ? call : nil
  }

  private func makesWait(_ given: Ref, _ call: Ref, depth: Int) -> Bool {
    guard isWithin(depth, .delayCalls) else { return false }
    guard case .functions(let candidates) = callTarget(call) else {
      return Self.delays.contains(calledName(call)) && !isShort(call)
    }
    guard candidates.count == 1, let body = body(of: candidates[0]),
      let parameter = parameter(of: functions[candidates[0]], taking: given, in: call)
    else { return false }
    let place = Ref(file: Int(functions[candidates[0]].ref.file), node: parameter.node)
    return uses(ofLocal: place).contains { isUsedLate($0, in: body, depth: depth) }
  }

  /// Whether a closure that a function is given is called, or handed on, after a wait.
  private func isUsedLate(_ use: Ref, in body: Ref, depth: Int) -> Bool {
    if let argument = ancestors(use).prefix(3).first(where: { kind($0) == .argument }),
      let call = parent(argument), kind(call) == .call
    {
      return makesWait(argument, call, depth: depth + 1)
    }
    return ancestors(use).prefix { $0 != body }.contains { outer in
      guard kind(outer) == .closure, let (call, _) = callTaking(outer) else { return false }
      return makesWait(outer, call, depth: depth + 1)
    }
  }

  /// The calls that may wait before their closure runs, in source order.
  var delayingCalls: [Ref] {
    Self.delays.flatMap { calls(named: $0) }.filter { call in
      if case .functions = callTarget(call) { return false }
      return !isExempt(call)
    }.sorted()
  }

  private static let delays: Set<Name> = [
    "asyncAfter", "dataTask", "downloadTask", "scheduledTimer", "uploadTask",
  ]

  /// Whether a delay is written as less than a second, the length of an animation.
  private func isShort(_ call: Ref) -> Bool {
    guard let deadline = argument(call, "deadline") ?? argument(call, "withTimeInterval") else {
      return false
    }
    let seconds = numbers(in: deadline)
    return !seconds.isEmpty && seconds.allSatisfy { $0 < 1 }
      || names("milliseconds", in: deadline)
  }
}
