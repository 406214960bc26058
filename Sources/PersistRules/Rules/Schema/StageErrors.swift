import PersistIndex
import PersistSyntax

/// Finds the places where the code of a stage goes on after an error that concerns the data.
struct StageErrors {
  private let program: Program
  /// The bodies that are handed the context or rows, or make what is stored.
  private(set) var bodies: [Ref] = []
  private var seen: Set<Ref> = []

  /// The `try?` marks and the empty `catch` clauses, in the order in which the code is reached.
  private(set) var places: [Ref] = []

  init(in handler: Ref, _ program: Program) {
    self.program = program
    add(handler)
    var next = 0
    while next < bodies.count {
      let body = bodies[next]
      next += 1
      for call in program.descendants(body, .call) where concernsData(call) || isStored(call, 0) {
        for id in program.functions(calledBy: call) {
          if let body = program.body(of: id) { add(body) }
        }
      }
    }
    for body in bodies { look(in: body) }
  }

  private mutating func add(_ body: Ref) {
    if seen.insert(body).inserted { bodies.append(body) }
  }

  private mutating func look(in body: Ref) {
    for mark in program.descendants(body, .tryMark)
    where program.node(mark).flags.contains(.isOptional) {
      guard let expression = program.parent(mark), !isCleanUp(expression),
        !savesCleanUp(expression, in: body),
        usesContext(expression) || isStored(mark, 0) && !encodes(expression)
      else { continue }
      places.append(mark)
    }
    for clause in program.descendants(body, .catchClause) {
      guard let block = program.child(clause, .block), program.children(block).isEmpty,
        let statement = program.parent(clause), let tried = program.child(statement, .block),
        usesContext(tried) || storesRows(in: tried), !isCleanUp(tried)
      else { continue }
      places.append(clause)
    }
  }

  /// Whether all that is tried is to encode a value of the program, which reads no data and keeps
  /// none.
  private func encodes(_ expression: Ref) -> Bool {
    let calls = program.descendants(expression, .call)
    return calls.contains { call in
      program.calledName(call) == "encode"
        && program.receiverType(ofCall: call).unwrapped.isEncoder
    }
      && calls.allSatisfy {
        program.functions(calledBy: $0).allSatisfy { !program.functions[$0].isThrowing }
      }
  }

  // MARK: What concerns the data

  private static let contextCalls: Set<Name> = [
    "fetch", "save", "delete", "enumerate", "fetchCount", "fetchIdentifiers", "transaction",
  ]

  /// Whether code asks a context, or hands it on.
  private func usesContext(_ node: Ref) -> Bool {
    program.descendants(node, .call).contains { call in
      if Self.contextCalls.contains(program.calledName(call)) {
        let receiver = program.receiverType(ofCall: call)
        if receiver == .unknown || program.isContext(receiver.unwrapped) { return true }
      }
      return program.children(call, .argument).contains {
        program.isContext(program.type(of: $0).unwrapped)
      }
    }
  }

  /// Whether a call is handed the context or a row, or made on one of them.
  private func concernsData(_ call: Ref) -> Bool {
    ([program.receiverType(ofCall: call)]
      + program.children(call, .argument).map { program.type(of: $0) }).contains { type in
        program.isContext(type.unwrapped) || program.model(in: type) != nil
      }
  }

  /// Whether code makes, inserts or sets rows.
  private func storesRows(in node: Ref) -> Bool {
    program.descendants(node, .call).contains(where: makesRow)
      || program.descendants(node, .expression).contains(where: setsRow)
  }

  private func makesRow(_ call: Ref) -> Bool {
    if program.calledName(call) == "insert" {
      return program.isContext(program.receiverType(ofCall: call).unwrapped)
    }
    guard case .initializer(let type, _) = program.callTarget(call) else { return false }
    return program.isModel(type)
  }

  /// Whether an expression assigns to a property of a row.
  private func setsRow(_ expression: Ref) -> Bool {
    let parts = program.children(expression)
    guard let sign = parts.firstIndex(where: { program.kind($0) == .binaryOperator }), sign > 0,
      program.isAssigningOperator(parts[sign]),
      let last = program.children(parts[sign - 1]).last, program.kind(last) == .member
    else { return false }
    let owner = program.type(ofChain: parts[sign - 1], upTo: last)
    return program.model(in: owner) != nil
  }

  /// Whether the code only clears away what nobody misses.
  private func isCleanUp(_ node: Ref) -> Bool {
    let calls = program.descendants(node, .call).map { program.calledName($0) }
    guard calls.contains(where: { $0 == "delete" || $0 == "removeItem" }) else { return false }
    let names = (program.descendants(node, .name) + program.descendants(node, .member)).map {
      program.nameText($0)
    }
    return names.contains { name in
      name.camelWords.contains { Self.passing.contains(String($0).lowercased()) }
    }
  }

  /// Whether a save has nothing to keep but deletions of what nobody misses.
  private func savesCleanUp(_ expression: Ref, in body: Ref) -> Bool {
    guard
      program.descendants(expression, .call).contains(where: { program.calledName($0) == "save" }),
      !storesRows(in: body)
    else { return false }
    let deletions = program.descendants(body, .call).filter { program.calledName($0) == "delete" }
    return !deletions.isEmpty
      && deletions.allSatisfy { call in
        program.ancestors(call).first { program.kind($0) == .expression }.map { isCleanUp($0) }
          ?? false
      }
  }

  private static let passing: Set<String> = [
    "cache", "cached", "caches", "draft", "drafts", "temporary", "tmp",
  ]

  // MARK: Where a value goes

  /// Whether the value of an expression goes into a row: by an assignment, as an argument, or by a
  /// local or a result that does.
  private func isStored(_ value: Ref, _ depth: Int) -> Bool {
    guard program.isWithin(depth, .stageValues) else { return false }
    var inner = value
    for outer in program.ancestors(value) {
      switch program.kind(outer) {
      case .expression where setsRow(outer): return true
      case .call where makesRow(outer) && outer != program.parent(value): return true
      case .binding, .optionalBinding:
        guard let bound = program.child(outer, .boundName) else { return false }
        return isLocalStored(bound, depth)
      case .forStatement:
        return inner != program.child(outer, .block) && storesRows(in: outer)
      case .ifStatement, .guardStatement, .whileStatement, .switchStatement:
        return program.kind(inner) != .block && program.kind(inner) != .switchCase
          && storesRows(in: outer)
      case .returnStatement: return isResultStored(outer, depth)
      case .block, .closure:
        return program.mayGiveValue(inner) && isResultStored(inner, depth)
      case .functionDecl, .initDecl, .accessor, .members, .file: return false
      default: break
      }
      inner = outer
    }
    return false
  }

  private func isLocalStored(_ local: Ref, _ depth: Int) -> Bool {
    program.uses(ofLocal: local).contains { isStored($0, depth + 1) }
  }

  /// Whether what a function gives back is stored by one of the bodies that call it.
  private func isResultStored(_ statement: Ref, _ depth: Int) -> Bool {
    guard let id = program.enclosingFunction(statement),
      program.body(of: id)
        == program.enclosingBody(statement).flatMap({ program.child($0, .block) })
    else { return false }
    return bodies.contains { body in
      program.descendants(body, .call).contains { call in
        program.functions(calledBy: call).contains(id) && isStored(call, depth + 1)
      }
    }
  }
}

extension SwiftType {
  /// Whether a type is one of Foundation's encoders.
  fileprivate var isEncoder: Bool {
    isExternal("JSONEncoder") || isExternal("PropertyListEncoder")
  }
}
