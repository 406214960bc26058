import PersistSyntax

// MARK: - The end of the process

extension Program {
  /// Whether a statement certainly ends the process.
  func endsProcess(_ statement: Ref) -> Bool {
    guard kind(statement) == .expression,
      let chain = children(statement).last(where: { kind($0) == .chain }),
      let call = children(chain).last, kind(call) == .call
    else { return false }
    return isProcessEnd(call)
  }

  /// Whether a call ends the process: `fatalError` and its like, or a function of the sources that
  /// returns `Never` or certainly comes to one.
  package func isProcessEnd(_ call: Ref) -> Bool {
    switch callTarget(call) {
    case .externalFunction(let name): return endsByName(name, call)
    case .functions(let candidates):
      return !candidates.isEmpty && candidates.allSatisfy { certainlyEnds($0) }
    case .unknownMethod(let name), .externalMethod(_, let name):
      let parts = callee(call)
      guard let first = parts.first else { return false }
      let isFree = parts.count == 1 && kind(first) == .name
      guard isFree || parts.count == 2 && Words.processModules.contains(self.name(first)) else {
        return false
      }
      return endsByName(name, call)
    default: return false
    }
  }

  private func endsByName(_ name: Name, _ call: Ref) -> Bool {
    if Words.processEnds.contains(name) { return true }
    guard name == "precondition", let first = children(call, .argument).first else { return false }
    return label(first) == .none && child(first, .expression).map { text($0) } == "false"
  }

  private func certainlyEnds(_ function: FunctionID) -> Bool {
    answer(CertainEnd(function: function))
  }

  fileprivate func findCertainEnd(_ function: FunctionID) -> Bool {
    if functions[function].returnsNever { return true }
    guard let body = functions[function].body else { return false }
    let block = Ref(file: Int(functions[function].ref.file), node: body)
    let ends = children(block).first { statement in
      endsProcess(statement) || kind(statement) == .ifConfig && leaves(statement)
        || mayLeave(statement)
    }
    return ends.map { endsProcess($0) || kind($0) == .ifConfig } ?? false
  }

  /// Whether a statement holds a `return` or `throw` of its own body.
  private func mayLeave(_ statement: Ref) -> Bool {
    nodesRun(in: statement).contains { [.returnStatement, .throwStatement].contains(kind($0)) }
  }
}

/// Whether a function certainly ends the process.
private struct CertainEnd: Query {
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findCertainEnd(function) }
}

extension Program {
  /// The calls on a failure path that end the process, in source order.
  package func processEnds(on path: FailurePath) -> [Ref] {
    path.nodes.flatMap { root in
      nodesRun(in: root).filter { node in
        guard kind(node) == .call else { return false }
        return isProcessEnd(node) || node == path.head && calledName(node) == "precondition"
      }
    }
  }
}
