import PersistSyntax

// MARK: - When closures run

extension Program {
  /// Whether a closure has run by the time that the code behind its call runs.
  package func runsInPlace(_ closure: Ref) -> Bool {
    if isCalledAtOnce(closure) { return true }
    guard let (call, _) = callTaking(closure) else { return false }
    let method = calledName(call)
    if method == "performAndWait" || method == "sync" { return true }
    if Words.performMethods.contains(method) || method == "run" { return isAwaited(call) }
    guard executor(ofClosure: closure, in: call) == .caller else { return false }
    guard case .functions(let candidates) = callTarget(call) else { return true }
    return candidates.allSatisfy { id in
      guard let parameter = parameter(of: functions[id], taking: closure, in: call),
        let type = parameter.type
      else { return false }
      return !names("escaping", in: Ref(file: Int(functions[id].ref.file), node: type))
    }
  }

}
