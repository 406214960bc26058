import PersistSyntax

// MARK: - What code gives back, and what locals are given

extension Program {
  /// The one expression that a function gives back; nil where there are several.
  package func onlyValue(of function: FunctionID) -> Ref? {
    guard let body = functions[function].body else { return nil }
    return onlyValue(in: Ref(file: Int(functions[function].ref.file), node: body))
  }

  /// The one expression that a closure gives back; nil where there are several statements.
  package func onlyValue(of closure: Ref) -> Ref? {
    let statements = children(closure).filter {
      ![.attribute, .captures, .parameters, .type].contains(kind($0))
    }
    guard statements.count == 1 else { return nil }
    if kind(statements[0]) == .returnStatement { return child(statements[0], .expression) }
    return kind(statements[0]) == .expression ? statements[0] : nil
  }

  /// The one expression that a body gives back: its only `return`, or its only statement.
  package func onlyValue(in body: Ref) -> Ref? {
    let returns = nodesRun(in: body).filter { kind($0) == .returnStatement }
      .compactMap { child($0, .expression) }.filter { !isNil($0) }
    if returns.count == 1 { return returns[0] }
    guard returns.isEmpty else { return nil }
    var block = body
    if kind(body) == .accessors {
      guard let accessor = child(body, .accessor), let inner = child(accessor, .block) else {
        return nil
      }
      block = inner
    }
    let statements = children(block)
    return statements.count == 1 && kind(statements[0]) == .expression ? statements[0] : nil
  }

  /// The values that are assigned to a local that has none at its declaration.
  package func assignedValues(of local: Ref) -> [Ref]? {
    let values = uses(ofLocal: local).compactMap { use -> Ref? in
      guard let chain = parent(use), children(chain).count == 1 else { return nil }
      return assignment(toChain: chain)?.right.last
    }
    return values.isEmpty ? nil : values
  }
}
