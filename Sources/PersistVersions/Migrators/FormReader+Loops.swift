import PersistFlow
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
    if let forms = loop(names, overTypesOf: call, closure) { return forms }
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
    let variables = bound.map { Declared.local($0) }
    return loop(variables, overTypesOf: ref, block)
      ?? loop(variables, over: form(values[0]), block)
  }

  /// What a loop over a list of types, or of values made of them, does for each of them; nil where
  /// it goes over something else.
  private mutating func loop(
    _ variables: [Declared], overTypesOf loop: Ref, _ body: Ref
  ) -> [Form]? {
    guard variables.count == 1, let list = self.values.list(ofLoop: loop), !list.isEmpty,
      let types = list.distinctTypes, program.isWithin(types.count, .loopElements)
    else { return nil }
    var forms: [Form] = []
    for (type, value) in zip(types, list) {
      known[variables[0]] = value
      names[variables[0]] = .words(program.nameText(program.types[type].ref))
      forms += statements(in: body)
    }
    known[variables[0]] = nil
    return forms
  }

  private mutating func loop(
    _ variables: [Declared], over sequence: Form, _ body: Ref
  ) -> [Form] {
    if let elements = elements(of: sequence, count: variables.count) {
      var forms: [Form] = []
      for element in elements {
        for (variable, value) in zip(variables, element) { names[variable] = value }
        forms += statements(in: body)
      }
      return forms
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

extension [Known] {
  /// The types that a list has, or of which it has values, where each is another.
  fileprivate var distinctTypes: [TypeID]? {
    let types = compactMap { value -> TypeID? in
      switch value {
      case .type(let type): type
      case .instance(let type, let fields) where count > 1 || fields.isEmpty: type
      default: nil
      }
    }
    return types.count == count && Set(types).count == count ? types : nil
  }
}
