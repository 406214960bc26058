import PersistIndex
import PersistSyntax

// MARK: - Loops

extension MigrationReader {
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
    let source = Array(program.children(parts[0]).dropLast(2))
    if let texts = loop(names, overTypesIn: source, closure) { return texts }
    if let texts = loop(names, registering: source, closure) { return texts }
    let sequence = chain(parts[0], dropping: 2)
    return loop(names, over: sequence, closure)
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
    if program.children(values[0]).count == 1, let chain = program.child(values[0], .chain) {
      unrolled.insert(ref)
      let names = bound.map { Declared.local($0) }
      if let texts = loop(names, overTypesIn: program.children(chain), block) { return texts }
      unrolled.remove(ref)
    }
    let sequence = form(values[0])
    if elements(of: sequence, count: bound.count) != nil {
      unrolled.insert(ref)
    } else {
      unrolled.insert(ref)
      if let texts = loop(bound.map { .local($0) }, registering: [values[0]], block) {
        return texts
      }
      unrolled.remove(ref)
    }
    return loop(bound.map { .local($0) }, over: sequence, block)
  }

  private mutating func loop(
    _ variables: [Declared], over sequence: Form, _ body: Ref
  ) -> [Form] {
    if let elements = elements(of: sequence, count: variables.count) {
      var texts: [Form] = []
      for element in elements {
        for (variable, value) in zip(variables, element) { names[variable] = value }
        texts += statements(in: body)
      }
      return texts
    }
    let shown = variables.map { variable -> Form in
      count += 1
      names[variable] = .local(count)
      return .local(count)
    }
    return [.loop(shown, over: sequence, statements(in: body))]
  }

  /// The elements of a list of constants, each in as many parts as a loop has variables.
  private func elements(of sequence: Form, count: Int) -> [[Form]]? {
    var list = sequence
    var isNumbered = false
    if case .call(.member(let inner, "enumerated"), [], []) = sequence {
      (list, isNumbered) = (inner, true)
    }
    guard count > 0, case .list(let elements) = list, !elements.isEmpty,
      !list.description.contains("%"),
      program.isWithin(elements.count, .loopElements)
    else { return nil }
    var found: [[Form]] = []
    for (index, element) in elements.enumerated() {
      var parts = [element]
      if case .tuple(let inner) = element {
        parts = inner.map { part in
          if case .labelled(_, let value) = part { value } else { part }
        }
      }
      if isNumbered { parts.insert(.words("\(index)"), at: 0) }
      guard parts.count == count, parts.allSatisfy(\.isConstant) else { return nil }
      found.append(parts)
    }
    return found
  }
}
