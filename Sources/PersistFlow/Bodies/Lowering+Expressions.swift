import PersistIndex
import PersistSyntax

// MARK: - Expressions

extension Lowering {
  /// Lowers an expression, a closure, or an `if` or `switch` that is a value.
  func lower(_ ref: Ref) -> Value {
    nested(-1) {
      switch program.kind(ref) {
      case .expression: return lower(folded: program.folded(ref))
      case .chain: return lower(chain: ref)
      case .closure: return lower(closure: ref)
      case .argument: return program.firstChild(ref).map { lower($0) } ?? -1
      case .ifStatement, .switchStatement, .doStatement: return lowerBranches(ref)
      default: return emit(.opaque, ref)
      }
    }
  }

  private func lowerBranches(_ ref: Ref) -> Value {
    let result = temporary()
    switch program.kind(ref) {
    case .ifStatement: lowerIf(ref, into: result)
    case .switchStatement: lowerSwitch(ref, into: result)
    default: lowerStatement(ref)
    }
    return load(result, ref)
  }

  private func lower(folded ref: Ref) -> Value {
    nested(-1) {
      let source = program.source(ref)
      switch program.kind(ref) {
      case .trying: return lowerTry(ref)
      case .awaiting:
        let outer = isAwaiting
        isAwaiting = true
        let value = lower(folded: program.operands(ref)[0])
        isAwaiting = outer
        return emit(.await, source, [value])
      case .operation: return lowerOperation(ref)
      case .assignment: return lowerAssignment(ref)
      case .ternary: return lowerTernary(ref)
      case .conversion:
        let value = lower(folded: program.operands(ref)[0])
        let flags = program.node(ref).flags
        return emit(
          flags.contains(.isTest) ? .isType : .cast, source, [value],
          index: flags.contains(.isOptional) ? 1 : 0)
      case .missing: return emit(.opaque, program.expression(ofFolded: ref))
      case .chain: return lower(chain: ref)
      default: return lower(ref)
      }
    }
  }

  /// Lowers a condition: what the parts of `&&` and `||` decide leads on by itself.
  func lowerCondition(folded ref: Ref, _ otherwise: Int32) {
    let next = newBlock()
    if program.kind(ref) == .operation {
      let operands = program.operands(ref)
      switch program.name(ref) {
      case "&&":
        for operand in operands { lowerCondition(folded: operand, otherwise) }
        return jump(to: next)
      case "||":
        let other = newBlock()
        lowerCondition(folded: operands[0], other)
        end(.jump(next), goingOnWith: other)
        lowerCondition(folded: operands[1], otherwise)
        return jump(to: next)
      default: break
      }
    }
    end(.branch(lower(folded: ref), next, otherwise), goingOnWith: next)
  }

  private func lowerTry(_ ref: Ref) -> Value {
    let outer = catcher
    defer { catcher = outer }
    let covered = program.operands(ref)[0]
    let mark = program.source(ref)
    let flags = program.node(ref).flags
    guard flags.contains(.isOptional) else {
      // What covers the whole expression takes the errors of its parts, whatever marks these.
      catcher = flags.contains(.isForced) ? .crash : outer ?? .handler
      return lower(folded: covered)
    }
    let result = temporary()
    let failed = newBlock()
    let after = newJoin()
    catcher = .optional(failed)
    store(lower(folded: covered), in: result, mark)
    end(.jump(after), goingOnWith: failed)
    store(emit(.none, mark), in: result, mark)
    jump(to: after)
    return load(result, mark)
  }

  private func lowerOperation(_ ref: Ref) -> Value {
    let node = program.source(ref)
    let operands = program.operands(ref)
    let name = program.name(ref)
    let left = lower(folded: operands[0])
    switch name {
    case "&&", "||":
      return chosen(node) { result in
        store(left, in: result, node)
        let next = newBlock()
        let after = newJoin()
        end(
          name == "&&" ? .branch(left, next, after) : .branch(left, after, next), goingOnWith: next)
        store(lower(folded: operands[1]), in: result, node)
        jump(to: after)
      }
    case "??":
      return chosen(node) { result in
        store(emit(.unwrap, node, [left]), in: result, node)
        let next = newBlock()
        let after = newJoin()
        end(.branch(emit(.isNil, node, [left]), next, after), goingOnWith: next)
        begin(folded: operands[1])
        store(lower(folded: operands[1]), in: result, node)
        jump(to: after)
      }
    case "==", "!=":
      let right = lower(folded: operands[1])
      if let compared = nilCompared(left, right) {
        let isNil = emit(.isNil, node, [compared])
        return name == "==" ? isNil : emit(.prefix, node, [isNil], name: "!")
      }
      return emit(.binary, node, [left, right], name: name)
    default:
      return emit(.binary, node, [left, lower(folded: operands[1])], name: name)
    }
  }

  /// The value that is compared with the literal `nil`.
  private func nilCompared(_ left: Value, _ right: Value) -> Value? {
    func isNil(_ value: Value) -> Bool {
      value >= 0 && body.steps[Int(value)].operation == .none
    }
    return isNil(right) ? left : isNil(left) ? right : nil
  }

  /// Notes where the parts of an operand begin, which only some ways lead to.
  private func begin(folded operand: Ref) {
    let whole = program.expression(ofFolded: operand)
    guard whole != operand, program.kind(whole) == .expression else {
      // A part of a part that was noted before begins here.
      if let known = body.places.lastIndex(where: { $0.node == operand.node }) {
        body.places.remove(at: known)
      }
      return begin(operand)
    }
    let range = program.node(operand)
    for part in program.children(whole) {
      let node = program.node(part)
      if node.first >= range.first, node.end <= range.end { begin(part) }
    }
  }

  /// A value that several blocks store.
  private func chosen(_ node: Ref, _ part: (Int32) -> Void) -> Value {
    let result = temporary()
    part(result)
    return load(result, node)
  }

  private func lowerTernary(_ ref: Ref) -> Value {
    let whole = program.expression(ofFolded: ref)
    let operands = program.operands(ref)
    return chosen(whole) { result in
      let condition = lower(folded: operands[0])
      let first = newBlock()
      let second = newBlock()
      let after = newJoin()
      end(.branch(condition, first, second), goingOnWith: first)
      begin(folded: operands[1])
      store(lower(folded: operands[1]), in: result, whole)
      end(.jump(after), goingOnWith: second)
      begin(folded: operands[2])
      store(lower(folded: operands[2]), in: result, whole)
      jump(to: after)
    }
  }

  // MARK: Assignments

  private func lowerAssignment(_ ref: Ref) -> Value {
    let node = program.source(ref)
    let operands = program.operands(ref)
    let name = program.name(ref)
    var value = lower(folded: operands[1])
    if name != "=", name != .none, program.kind(node) == .binaryOperator,
      !program.isPlainAssignment(node)
    {
      let left = lower(folded: operands[0])
      value = emit(.binary, node, [left, value], name: name)
    }
    assign(folded: operands[0], value)
    return value
  }

  private func assign(folded target: Ref, _ value: Value) {
    var target = target
    while [.trying, .awaiting].contains(program.kind(target)) {
      target = program.operands(target)[0]
    }
    if !program.kind(target).isFolded { assign(chain: target, value) }
  }

  /// Assigns to the parts of a tuple, one after the other.
  func assign(tuple: Ref, _ value: Value) {
    let parts = program.children(tuple, .argument)
    for (index, part) in parts.enumerated() {
      let element = take(part, index, of: parts.count, from: value)
      guard let expression = program.firstChild(part), program.kind(expression) == .expression,
        let chain = program.firstChild(expression), program.kind(chain) == .chain
      else { continue }
      assign(chain: chain, element)
    }
  }

  // MARK: Closures

  func lower(closure: Ref) -> Value {
    let lowering = Lowering(program, table, root: closure, kind: .closure)
    lowering.body.owner = body.owner
    lowering.body.isStatic = body.isStatic
    lowering.body.isAsync = program.node(closure).flags.contains(.isAsync)
    let number = table.reserve(closure, .closure)
    // What the list of captures takes is taken here, where the closure is made.
    var taken: [(Ref, Value)] = []
    for capture in program.child(closure, .captures).map({ program.children($0, .capture) }) ?? [] {
      guard let expression = program.child(capture, .expression) else { continue }
      taken.append((capture, lower(expression)))
    }
    let parameters =
      program.child(closure, .parameters).map { program.children($0, .parameter) } ?? []
    lowering.lowerParameters(parameters)
    lowering.lowerBody(closure)
    let values = lowering.body.captures.map { declaration in
      taken.first { $0.0 == declaration }?.1 ?? load(declaredAt: declaration, closure)
    }
    table.finish(number, lowering.body)
    return emit(.closure, closure, [emit(.selfValue, closure)] + values, index: number)
  }

  /// A local variable that is worked out is a closure, which each read calls.
  func lower(getter: Ref) -> Value {
    let lowering = Lowering(program, table, root: getter, kind: .closure)
    lowering.body.owner = body.owner
    lowering.body.isStatic = body.isStatic
    let number = table.reserve(getter, .closure)
    if let block = program.child(getter, .block) { lowering.lowerBody(block) }
    let values = lowering.body.captures.map { load(declaredAt: $0, getter) }
    table.finish(number, lowering.body)
    return emit(.closure, getter, [emit(.selfValue, getter)] + values, index: number)
  }

  private func call(_ value: Value, _ node: Ref) -> Value {
    body.calls.append(
      CallSite(
        node: node.node, name: .none, receiver: value, callsValue: true, arguments: [],
        isTried: catcher != nil, isAwaited: isAwaiting))
    return emit(
      .call, node, [value], name: .none, index: Int32(truncatingIfNeeded: body.calls.count - 1))
  }

  // MARK: Names

  /// The value of what a name stands for.
  func value(of declared: Declared?, at node: Ref) -> Value {
    let name = program.name(node)
    switch declared {
    case .local(let declaration):
      let value = load(declaredAt: declaration, node)
      return program.isComputed(local: declaration) ? call(value, node) : value
    case .closureArgument(_, let index):
      body.parameterCount = max(body.parameterCount, index + 1)
      return emit(.parameter, node, index: Int32(truncatingIfNeeded: index))
    case .selfValue: return emit(.selfValue, node)
    case .property(let id): return get(property: id, node)
    case .functions: return emit(.function, node, [emit(.selfValue, node)], name: name)
    case .type: return emit(.type, node, name: name)
    case nil:
      let text = program.nameText(node)
      if text == "super" { return emit(.selfValue, node, name: "super") }
      if text.first?.isUppercase == true { return emit(.type, node, name: name) }
      return emit(.get, node, [emit(.selfValue, node)], name: name)
    }
  }

  private func get(property id: PropertyID, _ node: Ref) -> Value {
    let property = program.properties[id]
    let name = program.nameText(node).hasPrefix("$") ? program.name(node) : property.name
    guard property.owner != nil else {
      return emit(.get, node, name: name, index: Int32(truncatingIfNeeded: id))
    }
    let receiver = emit(property.isStatic ? .type : .selfValue, node)
    return emit(.get, node, [receiver], name: name, index: Int32(truncatingIfNeeded: id))
  }
}
