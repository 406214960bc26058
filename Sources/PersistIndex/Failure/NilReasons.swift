import PersistSyntax

// MARK: - Whether nil means that a store wasn't opened

extension FailureExit {
  /// The form in which the failure comes out; a completion or coordinator has its own.
  var form: FailureForm {
    switch self {
    case .function(_, let form), .property(_, let form), .closure(_, let form),
      .kept(_, let form), .parameter(_, _, let form):
      form
    case .completion: .error
    case .coordinator: .error
    }
  }
}

extension Program {
  /// Whether what leaves by an exit is nil for other reasons than the failures of some paths.
  func isNilOtherwise(_ exit: FailureExit, _ paths: [FailurePath]) -> Bool {
    let body: Ref?
    switch exit {
    case .function(let id, .flag(let value)):
      return self.body(of: id).map { body in
        descendants(body, .returnStatement).contains { statement in
          !paths.contains { $0.contains(statement, in: self) }
            && child(statement, .expression).flatMap { booleanLiteral($0) } != !value
        }
      } ?? true
    case .function(let id, .missing): body = self.body(of: id)
    case .property(let id, .missing):
      body = properties[id].accessors.map { Ref(file: Int(properties[id].ref.file), node: $0) }
    default: return false
    }
    guard let body else { return false }
    let others = descendants(body, .returnStatement).filter { statement in
      !paths.contains { $0.contains(statement, in: self) }
    }
    if others.contains(where: { mayBeNil($0) }) { return true }
    return !mayHoldStore(exit) && paths.isEmpty
  }

  /// Whether a `return` may give nil by itself.
  private func mayBeNil(_ statement: Ref) -> Bool {
    guard let value = child(statement, .expression) else { return false }
    if isNil(value) { return true }
    guard children(value, .tryMark).isEmpty else { return false }
    if case .optional = type(of: value) { return true }
    return child(value, .chain).map { !children($0, .optionalChain).isEmpty } ?? false
  }

  /// Whether what leaves by an exit can be the opened store, or what stands for it; a text, a number
  /// or an object of the store isn't.
  func mayHoldStore(_ exit: FailureExit) -> Bool {
    let type: SwiftType
    switch exit {
    case .function(let id, _): type = resultType(id)
    case .property(let id, _): type = self.type(ofProperty: id)
    default: return true
    }
    switch type.unwrapped {
    case .array, .set, .dictionary: return false
    case .external(let name, _):
      return Words.openingTypes[name] != nil || !Words.sendableValues.contains(name)
    case .declared(let id, _): return !isModel(id) && !isRealmObject(id)
    default: return true
    }
  }

  // MARK: Threads

  /// Whether a node runs only where the thread isn't the main one: behind `Thread.isMainThread ? … :`,
  /// in the `else` of such an `if`, or after one that returns.
  func runsOnlyOffMain(_ node: Ref) -> Bool {
    guard files[Int(node.file)].words.holds("isMainThread") else { return false }
    var inner = node
    for outer in ancestors(node) {
      switch kind(outer) {
      case .expression:
        let parts = children(outer)
        if let first = parts.first, let colon = parts.firstIndex(where: { name($0) == ":" }),
          saysMainThread(first), parts.count > 1, name(parts[1]) == "?", colon + 1 < parts.count,
          parts[(colon + 1)...].contains(where: { contains($0, inner) })
        {
          return true
        }
      case .ifStatement:
        let blocks = children(outer).filter { [.block, .ifStatement].contains(kind($0)) }
        if asksMainThread(outer), blocks.count > 1, contains(blocks[1], inner) { return true }
      case .block, .closure:
        if let first = answer(MainThreadExit(block: outer)), first < inner { return true }
      case .functionDecl, .initDecl, .accessor, .members: return false
      default: break
      }
      inner = outer
    }
    return false
  }

  /// The first statement of a block that leaves it on the main thread.
  fileprivate func findMainThreadExit(of block: Ref) -> Ref? {
    children(block, .ifStatement).first { statement in
      asksMainThread(statement) && (child(statement, .block).map { alwaysLeaves($0) } ?? false)
    }
  }

  private func asksMainThread(_ statement: Ref) -> Bool {
    let conditions = children(statement).prefix { kind($0) != .block }
    return conditions.count == 1 && conditions.allSatisfy { saysMainThread($0) }
  }

  /// Whether a condition is `Thread.isMainThread` and nothing else.
  func saysMainThread(_ condition: Ref) -> Bool {
    spells(["Thread", "isMainThread"], condition)
      || spells(["Thread", "current", "isMainThread"], condition)
  }

  /// Whether a place runs on the main thread.
  func runsOnMain(_ place: Ref) -> Bool { isolation(at: place) == .mainActor }
}

/// The first statement of a block that leaves it on the main thread.
private struct MainThreadExit: Query {
  let block: Ref

  static var provisional: Ref? { nil }
  func answer(in program: Program) -> Ref? { program.findMainThreadExit(of: block) }
}
