import PersistSyntax

extension String {
  /// The text with every occurrence of another replaced.
  func replacing(_ old: String, with new: String) -> String {
    guard !old.isEmpty else { return self }
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: old) {
      result += rest[..<range.lowerBound] + new
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

extension Substring {
  fileprivate func firstRange(of other: String) -> Range<Index>? {
    var at = startIndex
    while at < endIndex {
      if self[at...].hasPrefix(other) {
        return at..<index(at, offsetBy: other.count)
      }
      at = index(after: at)
    }
    return nil
  }
}

// MARK: - Values behind names

extension Program {
  /// The files that an expression may name.
  package func storePaths(_ ref: Ref) -> [StorePath] {
    var reader = StorePathReader(self)
    return reader.read(ref)
  }

  /// Whether a type's `url` is that of a store.
  func namesStore(_ type: SwiftType) -> Bool {
    [
      "ModelConfiguration", "NSPersistentStoreDescription", "NSPersistentStore",
      "NSPersistentStoreCoordinator",
    ].contains { type.isExternal($0) }
  }

  /// What a chain up to a suffix stands for, as a key: the same local or property gives the same.
  func key(of chain: Ref, upTo suffix: Ref) -> String {
    let parts = children(chain).filter { $0 < suffix }
    if parts.count == 1, case .local(let local)? = declared(parts[0]) {
      return "\(local.file):\(local.node)"
    }
    return parts.map { text($0) }.joined()
  }

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
      .compactMap { child($0, .expression) }.filter { text($0) != "nil" }
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
  func assignedValues(of local: Ref) -> [Ref]? {
    let values = uses(ofLocal: local).compactMap { use -> Ref? in
      guard let chain = parent(use), children(chain).count == 1, let expression = parent(chain),
        kind(expression) == .expression
      else { return nil }
      let parts = children(expression)
      guard parts.first == chain, parts.count > 2, name(parts[1]) == "=" else { return nil }
      return parts.last
    }
    return values.isEmpty ? nil : values
  }
}
