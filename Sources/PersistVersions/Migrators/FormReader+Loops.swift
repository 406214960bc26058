import PersistFlow
import PersistIndex
import PersistSyntax

// MARK: - Loops

extension FormReader {
  /// A loop over a list that is known: what it does, once for each element; any other loop as one
  /// statement, whether `for` or `forEach` says it.
  mutating func loop(_ ref: Ref) -> [Form]? {
    if program.kind(ref) == .forStatement { return forLoop(ref) }
    let parts = program.children(ref).filter {
      program.kind($0) != .awaitMark && program.kind($0) != .tryMark
    }
    guard parts.count == 1, program.kind(parts[0]) == .chain,
      let call = program.children(parts[0]).last, program.kind(call) == .call,
      program.calledNode(call).map({ program.nameText($0) }) == "forEach",
      program.arguments(call).count == 1, let argument = program.arguments(call).first,
      let closure = program.closure(of: argument),
      program.descendants(closure, .returnStatement).isEmpty
    else { return nil }
    var names: [Declared] = [.closureArgument(closure, 0)]
    if let list = program.child(closure, .parameters) {
      names = program.children(list, .parameter).map { .local($0) }
    }
    let sequence = chain(parts[0], dropping: 2)
    return rounds(of: call, names, over: sequence, closure)
      ?? [loop(call, names, over: sequence, closure, run?.runs(of: closure).last)]
  }

  private mutating func forLoop(_ ref: Ref) -> [Form]? {
    guard let block = program.child(ref, .block), let pattern = program.children(ref).first else {
      return nil
    }
    let values = program.children(ref).filter { $0 != pattern && program.kind($0) == .expression }
    let bound =
      program.kind(pattern) == .boundName
      ? [pattern] : Array(program.descendants(pattern, .boundName))
    guard values.count == 1, !bound.isEmpty || program.nameText(pattern) == "_",
      program.descendants(block, .breakStatement).isEmpty,
      program.descendants(block, .continueStatement).isEmpty
    else { return nil }
    let variables = bound.map { Declared.local($0) }
    let sequence = form(values[0])
    return rounds(of: ref, variables, over: sequence, block)
      ?? [loop(ref, variables, over: sequence, block, run)]
  }

  /// What a loop over a list that is known does for each of its elements.
  private mutating func rounds(
    of loop: Ref, _ variables: [Declared], over sequence: Form, _ body: Ref
  ) -> [Form]? {
    let rounds = run?.runs(of: loop) ?? []
    guard !variables.isEmpty, !rounds.isEmpty,
      rounds.allSatisfy({ $0.given.allSatisfy(\.isWhole) }),
      rounds.areOfTypes || sequence.isConstant(for: variables.count)
        || !isPlain && (!sequence.isWrittenOut || rounds.holdCode)
    else { return nil }
    var forms: [Form] = []
    for round in rounds {
      // What the variables are is known where they are used.
      for variable in variables { names[variable] = nil }
      forms += within(round) { $0.statements(in: body) }
    }
    return forms
  }

  private mutating func loop(
    _ loop: Ref, _ variables: [Declared], over sequence: Form, _ body: Ref, _ whole: CodeRun?
  ) -> Form {
    let inner = CodeRun.common(run?.runs(of: loop) ?? []) ?? whole
    elements.formUnion(variables)
    let shown = variables.map { variable -> Form in
      count += 1
      names[variable] = .local(count)
      return .local(count)
    }
    return .loop(shown, over: sequence, within(inner) { $0.statements(in: body) })
  }
}

extension Form {
  /// The list that a loop goes over, without the numbers that it may give the elements.
  private var list: Form {
    if case .call(.member(let list, "enumerated"), [], []) = self { list } else { self }
  }

  /// Whether it shows all the elements of a list.
  fileprivate var isWrittenOut: Bool { if case .list = list { true } else { false } }

  /// Whether it is a list of constants, as many to an element as a loop has variables.
  fileprivate func isConstant(for variables: Int) -> Bool {
    guard case .list(let elements) = list else { return false }
    let count = list == self ? variables : variables - 1
    return !list.description.contains("%")
      && elements.allSatisfy { element in
        guard case .tuple(let parts) = element else { return count == 1 && element.isConstant }
        return parts.count == count
          && parts.allSatisfy { part in
            if case .labelled(_, let value) = part { value.isConstant } else { part.isConstant }
          }
      }
  }
}

extension [CodeRun] {
  /// Whether a loop goes over types, or values of types, of which each is another.
  fileprivate var areOfTypes: Bool {
    let types = compactMap { round -> TypeID? in
      switch round.given.first {
      case .type(let type): type
      case .instance(let type, let fields) where count > 1 || fields.isEmpty: type
      default: nil
      }
    }
    return types.count == count && Set(types).count == count
  }

  /// Whether a loop goes over code, or values that hold some.
  fileprivate var holdCode: Bool { contains { $0.given.contains(where: \.holdsCode) } }
}

extension Known {
  /// Whether it is code or an instance, or holds some.
  fileprivate var holdsCode: Bool {
    switch self {
    case .instance, .closure, .function: true
    case .tuple(let parts, _): parts.contains(where: \.holdsCode)
    default: false
    }
  }
}
