import PersistSyntax

/// Whether a function runs what it is given for a parameter, now or soon.
private struct RunsParameter: Query {
  let parameter: Ref
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findRun(of: parameter, by: function) }
}

/// Code that has a name.
package enum NamedCode: Hashable, Sendable {
  case function(FunctionID)
  case closure(Ref)
}

/// Code that a call is handed by its name, and runs.
package struct HandedCode {
  package let named: NamedCode
  /// The argument that names the code.
  package let argument: Ref
  /// The body of the function, or the closure; nil for a function without one.
  package let code: Ref?
}

// MARK: - Code that calls are handed

extension Program {
  /// Whether a call runs, now or soon, the code that one of its arguments is.
  package func runs(_ argument: Ref, handedTo call: Ref) -> Bool {
    let name = calledName(call)
    if name == "Result" || Words.closureExecutors.contains(name) || givesValue(ofClosureIn: call) {
      return true
    }
    return isRun(argument, byFunctionsOf: call)
  }

  /// Whether the functions of the sources that a call names run the code that an argument is.
  func isRun(_ argument: Ref, byFunctionsOf call: Ref) -> Bool {
    let callees = functions(calledBy: call).filter { functions[$0].body != nil }
    return !callees.isEmpty
      && callees.allSatisfy { id in
        place(ofParameterOf: id, taking: argument, in: call).map {
          answer(RunsParameter(parameter: $0, function: id))
        } ?? false
      }
  }

  /// The parameter of a function that an argument of a call is for.
  package func place(ofParameterOf id: FunctionID, taking argument: Ref, in call: Ref) -> Ref? {
    parameter(of: functions[id], taking: argument, in: call).map {
      Ref(file: Int(functions[id].ref.file), node: $0.node)
    }
  }

  fileprivate func findRun(of parameter: Ref, by id: FunctionID) -> Bool {
    guard let body = body(of: id) else { return false }
    return runs(ofParameter: parameter).contains { run in
      contains(body, run)
        && ancestors(run).prefix { $0 != body }.allSatisfy {
          kind($0) != .closure || runsNow($0)
        }
    }
  }

  /// The calls that run what a parameter holds, or hand it to what does.
  package func runs(ofParameter parameter: Ref) -> [Ref] {
    uses(ofLocal: parameter).compactMap { use in
      guard let chain = parent(use), kind(chain) == .chain, children(chain).first == use else {
        return nil
      }
      let next = children(chain).dropFirst().first {
        ![.optionalChain, .force].contains(kind($0))
      }
      if let next { return kind(next) == .call ? next : nil }
      guard let (argument, call) = argument(holding: chain), runs(argument, handedTo: call) else {
        return nil
      }
      return call
    }
  }

  /// The argument that a chain is, and the call that this belongs to.
  private func argument(holding chain: Ref) -> (argument: Ref, call: Ref)? {
    guard var holder = parent(chain) else { return nil }
    if kind(holder) == .expression, children(holder).count == 1, let outer = parent(holder) {
      holder = outer
    }
    guard kind(holder) == .argument, let call = parent(holder), kind(call) == .call else {
      return nil
    }
    return (holder, call)
  }

  /// The functions and closures that a call is handed by their names and runs: `remove` in
  /// `files.forEach(remove)`, `work` in `queue.sync(execute: work)`.
  package func codeHanded(to call: Ref) -> [HandedCode] {
    children(call, .argument).compactMap { argument in
      guard let value = children(argument).first, let chain = nodeView(value).onlyChain?.ref,
        let named = code(named: children(chain)), runs(argument, handedTo: call)
      else { return nil }
      return HandedCode(named: named, argument: argument, code: body(of: named))
    }
  }

  /// The code that a call runs: of functions of the sources, of a closure that a constant holds, and
  /// what it is handed by name.
  package func codeRun(by call: Ref) -> [Ref] {
    functions(calledBy: call).compactMap { body(of: $0) }
      + (closure(calledBy: call).map { [$0] } ?? []) + codeHanded(to: call).compactMap(\.code)
  }

  /// The calls that are handed a function by its name and run it.
  package func calls(handed id: FunctionID) -> [Ref] {
    uses(of: [functions[id].name]).compactMap { use in
      guard let chain = parent(use), let call = argument(holding: chain)?.call,
        codeHanded(to: call).contains(where: { $0.named == .function(id) })
      else { return nil }
      return call
    }
  }

  private func body(of code: NamedCode) -> Ref? {
    switch code {
    case .function(let id): body(of: id)
    case .closure(let closure): closure
    }
  }

  /// The one function, or the closure of a constant, that the parts of a chain name.
  private func code(named parts: [Ref]) -> NamedCode? {
    guard let first = parts.first, let last = parts.last else { return nil }
    if parts.count == 1 {
      guard let named = declared(first) else { return nil }
      if case .functions(let ids) = named { return ids.count == 1 ? .function(ids[0]) : nil }
      return heldClosure(named).map { .closure($0) }
    }
    guard kind(last) == .member, let chain = parent(last) else { return nil }
    switch type(ofChain: chain, upTo: last).unwrapped {
    case .declared(let type, _), .metatype(.declared(let type, _)):
      let all = methods(name(last), of: type)
      let ids = all.count == 1 ? all : all.filter { !isRequirement($0) }
      return ids.count == 1 ? .function(ids[0]) : nil
    default: return nil
    }
  }
}
