import PersistIndex
import PersistSyntax

/// A change in `willSave` or `didSave` that causes the next save, or that uses a deleted
/// relationship.
struct ChangeInWillSave: Rule {
  static let id: RuleID = "change-in-will-save"

  func check(_ program: Program, into findings: inout Findings) {
    for name: Name in ["willSave", "didSave"] {
      for id in program.functions(named: name) {
        let function = program.functions[id]
        guard let owner = function.owner, program.isManagedClass(owner),
          function.parameters.isEmpty, let body = program.body(of: id)
        else { continue }
        check(body, of: owner, program.nameText(function.ref), program, &findings)
      }
    }
  }

  private func check(
    _ body: Ref, of owner: TypeID, _ method: String, _ program: Program,
    _ findings: inout Findings
  ) {
    for expression in program.nodesRun(in: body) where program.kind(expression) == .expression {
      guard let (change, inner) = changeAt(expression, of: owner, program, depth: 0) else {
        continue
      }
      let conditions = program.conditions(before: expression, in: body) + inner
      switch change {
      case .own(let property):
        let looks = conditions.contains {
          program.looksAtChanges($0, of: property) || comparesOwn($0, of: owner, program)
        }
        guard !looks else { continue }
        findings.report(
          .neverEnds(property, method), at: program.children(expression)[0])
      case .related(let path):
        guard !conditions.contains(where: { asksDeleted($0, program) }) else { continue }
        findings.report(.followsGone(path, method), at: program.children(expression)[0])
      }
      return
    }
  }

  /// Whether a condition compares some stored property of the object, as one does that sets
  /// several when one of them changes.
  private func comparesOwn(_ condition: Ref, of owner: TypeID, _ program: Program) -> Bool {
    let compares = program.descendants(condition, .binaryOperator).contains {
      ["!=", "==", "<", ">", "<=", ">="].contains(program.nameText($0))
    }
    return compares
      && program.subtree(condition).contains { index in
        let node = Ref(file: Int(condition.file), node: Int(index))
        guard program.kind(node) == .name || program.kind(node) == .member,
          let id = program.property(usedBy: node)
        else { return false }
        return program.isStored(id) && program.properties[id].owner == owner
      }
  }

  private enum Change {
    /// A stored property of the object itself.
    case own(String)
    /// A property of an object at the end of a relationship.
    case related(String)
  }

  /// What an expression changes, itself or in a method of the object that it calls, and the
  /// conditions there.
  private func changeAt(
    _ expression: Ref, of owner: TypeID, _ program: Program, depth: Int
  ) -> (Change, [Ref])? {
    if let found = change(expression, of: owner, program) { return (found, []) }
    guard let parts = program.chainParts(expression), let call = parts.last,
      program.kind(call) == .call, let name = program.calledNode(call),
      parts.count == 2 || parts.count == 3 && program.nameText(parts[0]) == "self",
      program.isWithin(depth, .ownCalls)
    else { return nil }
    if program.nameText(name) == "setValue", let key = program.argument(call, "forKey"),
      program.functions(calledBy: call).isEmpty
    {
      return (.own(program.text(key).trimmingQuotes), [])
    }
    let candidates = program.functions(calledBy: call)
    guard candidates.count == 1, let holder = program.functions[candidates[0]].owner,
      !program.functions[candidates[0]].isStatic, program.lineage(of: owner).contains(holder),
      let body = program.body(of: candidates[0])
    else { return nil }
    for inner in program.nodesRun(in: body) where program.kind(inner) == .expression {
      if let (found, conditions) = changeAt(inner, of: owner, program, depth: depth + 1) {
        return (found, conditions + program.conditions(before: inner, in: body))
      }
    }
    return nil
  }

  /// What an assignment changes.
  private func change(_ expression: Ref, of owner: TypeID, _ program: Program) -> Change? {
    let parts = program.children(expression)
    guard parts.count > 2, program.isAssigningOperator(parts[1]),
      program.kind(parts[0]) == .chain
    else { return nil }
    var path = program.children(parts[0]).filter {
      ![.optionalChain, .force].contains(program.kind($0))
    }
    if let first = path.first, program.nameText(first) == "self" { path.removeFirst() }
    guard let first = path.first, [.name, .member].contains(program.kind(first)) else { return nil }
    if path.count == 1 {
      guard let id = program.property(usedBy: first), program.isStored(id),
        program.properties[id].owner.map({ program.lineage(of: owner).contains($0) }) ?? false
      else { return nil }
      return .own(program.nameText(first))
    }
    guard isRelated(first, of: owner, program), let last = path.last,
      let id = program.property(usedBy: last), program.isStored(id)
    else { return nil }
    return .related(path.dropLast().map { program.nameText($0) }.joined(separator: "."))
  }

  /// Whether a name is a relationship of the object, or a local that was taken from one.
  private func isRelated(_ first: Ref, of owner: TypeID, _ program: Program) -> Bool {
    if let id = program.property(usedBy: first) { return program.destination(of: id) != nil }
    guard case .local(let local)? = program.declared(first), let binder = program.parent(local),
      program.model(in: program.type(ofLocal: local)) != nil
    else { return false }
    guard let value = program.child(binder, .expression) else {
      // `if let folder`
      guard case .property(let id)? = program.lookUp(program.name(local), from: binder) else {
        return false
      }
      return program.destination(of: id) != nil
    }
    guard let chain = program.chainParts(value) else { return false }
    let path = chain.drop { program.nameText($0) == "self" }
    return path.first.flatMap { program.property(usedBy: $0) }.map {
      program.destination(of: $0) != nil
    } ?? false
  }

  /// Whether a condition asks whether the object itself is deleted.
  private func asksDeleted(_ condition: Ref, _ program: Program) -> Bool {
    program.subtree(condition).contains { index in
      let node = Ref(file: Int(condition.file), node: Int(index))
      guard program.kind(node) == .name || program.kind(node) == .member else { return false }
      let word = program.nameText(node)
      guard word == "isDeleted" || word == "managedObjectContext" || word == "isInserted" else {
        return false
      }
      guard program.kind(node) == .member, let chain = program.parent(node) else { return true }
      return program.children(chain).first.map { program.nameText($0) == "self" } ?? false
    }
  }
}

extension Program {
  /// The conditions that decide whether a node runs: of what stands around it, and of each `guard`
  /// before it.
  func conditions(before node: Ref, in body: Ref) -> [Ref] {
    var found: [Ref] = []
    var inner = node
    while inner != body, let outer = parent(inner) {
      switch kind(outer) {
      case .ifStatement, .whileStatement, .switchStatement:
        found += children(outer).filter {
          $0 != inner && ![.block, .ifStatement, .switchCase].contains(kind($0))
        }
      case .block, .closure, .switchCase:
        found += answer(LeavingConditions(block: outer)).prefix { $0 < inner }
      default: break
      }
      inner = outer
    }
    return found
  }

  fileprivate func findLeavingConditions(of block: Ref) -> [Ref] {
    children(block).flatMap { statement -> [Ref] in
      if kind(statement) == .guardStatement {
        return children(statement).filter { kind($0) != .block }
      }
      guard kind(statement) == .ifStatement, leaves(statement) || branchLeaves(statement) else {
        return []
      }
      return children(statement).filter { ![.block, .ifStatement].contains(kind($0)) }
    }
  }

  private func branchLeaves(_ statement: Ref) -> Bool {
    children(statement, .block).first.map { alwaysLeaves($0) } ?? false
  }

  /// Whether a condition compares a property, or asks what has changed.
  fileprivate func looksAtChanges(_ condition: Ref, of property: String) -> Bool {
    subtree(condition).contains { index in
      let node = Ref(file: Int(condition.file), node: Int(index))
      guard kind(node) == .name || kind(node) == .member else { return false }
      let word = nameText(node)
      return word == property
        || [
          "changedValues", "changedValuesForCurrentEvent", "committedValues", "primitiveValue",
        ].contains(word) || word.hasPrefix("primitive")
    }
  }
}

extension Finding.Message {
  fileprivate static func neverEnds(_ property: String, _ method: String) -> Self {
    """
    the app hangs in the first save until the system kills the process, because `\(method)` runs \
    again each time it changes `\(property)`; compare with the old value first, or set the \
    primitive value
    """
  }

  fileprivate static func followsGone(_ path: String, _ method: String) -> Self {
    """
    deleting an object can crash the app, because `\(method)` also runs for deleted objects and \
    their `\(path)` is gone by then; return early if `isDeleted`
    """
  }
}

/// The conditions by which the statements of a block may leave it, in source order.
private struct LeavingConditions: Query {
  let block: Ref

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] { program.findLeavingConditions(of: block) }
}
