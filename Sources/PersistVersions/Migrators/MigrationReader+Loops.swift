import PersistIndex
import PersistSyntax

// MARK: - Loops

extension MigrationReader {
  /// A loop over a list that is known: what it does, once for each element; any other loop as one
  /// statement, whether `for` or `forEach` says it.
  mutating func loop(_ ref: Ref) -> [String]? {
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

  private mutating func forLoop(_ ref: Ref) -> [String]? {
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
    let sequence = text(values[0])
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
    _ variables: [Declared], over sequence: String, _ body: Ref
  ) -> [String] {
    if let elements = elements(of: sequence, count: variables.count) {
      var texts: [String] = []
      for element in elements {
        for (variable, value) in zip(variables, element) { names[variable] = value }
        texts += statements(in: body)
      }
      return texts
    }
    for variable in variables {
      count += 1
      names[variable] = "%\(count)"
    }
    let shown = variables.map { names[$0] ?? "_" }.joined(separator: ",")
    return ["for \(shown) in \(sequence) {" + statements(in: body).joined(separator: ";") + "}"]
  }

  /// The elements of a list of constants, each in as many parts as a loop has variables.
  private func elements(of sequence: String, count: Int) -> [[String]]? {
    var list = sequence
    let isNumbered = list.hasSuffix(".enumerated()")
    if isNumbered { list = String(list.dropLast(13)) }
    guard count > 0, let inside = list.inside("[]"), !list.contains("%") else { return nil }
    let texts = inside.parts(at: ",")
    guard program.isWithin(texts.count, .loopElements), !texts.isEmpty else { return nil }
    var found: [[String]] = []
    for (index, text) in texts.enumerated() {
      var parts = [text]
      if let inside = text.inside("()") {
        parts = inside.parts(at: ",").map { part in
          part.contains(":") && !part.hasPrefix(MigrationText.open)
            ? String(part.drop { $0 != ":" }.dropFirst()).trimmingSpaces : part
        }
      }
      if isNumbered { parts.insert("\(index)", at: 0) }
      guard parts.count == count, parts.allSatisfy({ isConstant($0) }) else { return nil }
      found.append(parts)
    }
    return found
  }
}
