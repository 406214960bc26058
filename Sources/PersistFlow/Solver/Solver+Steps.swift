import PersistIndex
import PersistSyntax

// MARK: - Steps that follow from their operands alone

extension Solver {
  func make(_ step: Instruction, _ operands: [OriginsID], _ body: Body, _ key: InstanceKey)
    -> OriginsID
  {
    switch step.operation {
    case .literal:
      // Texts and numbers decide too seldom to be told apart.
      let isTold =
        Frameworks.truths.contains(step.name) || step.name == Frameworks.variableOfPreviews
      return isTold
        ? table.one(.literal(step.name)) : OriginTable.plain
    case .none: return OriginTable.null
    case .type: return type(at: body.ref(step), step.name)
    case .function: return function(at: body.ref(step), operands)
    case .keyPath: return table.one(.keyPath(body.ref(step)))
    case .implicitMember: return table.one(.enumCase(step.name, []))
    case .getElement: return element(of: operands[0], orNil: true)
    case .setElement: return setElement(operands, step)
    case .closure: return table.one(.closure(step.index, operands))
    case .tuple:
      let labels = program.children(body.ref(step), .argument).map { program.label($0) }
      return table.one(.tuple(operands, labels))
    case .array: return table.one(.collection(table.union(operands)))
    case .dictionary:
      let values = operands.indices.filter { !$0.isMultiple(of: 2) }.map { operands[$0] }
      return table.one(.dictionary(table.union(values)))
    case .part: return part(Int(step.index), step.name, of: operands[0])
    case .payload: return payload(Int(step.index), of: step.name, in: operands[0])
    case .isCase: return isCase(step.name, operands[0])
    case .isNil: return isNil(operands[0])
    case .unwrap: return table.unwrapped(operands[0])
    case .cast: return step.index == 1 ? table.union(operands[0], OriginTable.null) : operands[0]
    case .binary: return binary(step.name, operands)
    case .prefix: return step.name == "!" ? negated(operands[0]) : OriginTable.plain
    case .next: return next(of: operands[0])
    case .await: return operands[0]
    case .opaque: return OriginTable.unknown
    default: return OriginTable.plain
    }
  }

  private func type(at node: Ref, _ name: Name) -> OriginsID {
    switch program.declared(node) {
    case .type(let id):
      switch program.declaredType(id) {
      case .declared(let type, _): return table.one(.type(type))
      case .external(let external, _): return table.one(.externalType(external))
      default: return OriginTable.unknown
      }
    case .property(let id):
      return program.properties[id].owner.map { table.one(.type($0)) } ?? OriginTable.unknown
    default: return table.one(.externalType(name))
    }
  }

  private func function(at node: Ref, _ operands: [OriginsID]) -> OriginsID {
    guard case .functions(let ids)? = program.declared(node), let id = ids.first, ids.count == 1
    else { return OriginTable.unknown }
    return table.one(.function(id, operands.first ?? OriginTable.nothing))
  }

  // MARK: Parts

  /// The origins of a part of what a set may be, and whether there may be others.
  private func each(_ set: OriginsID, _ part: (Origin) -> OriginsID) -> OriginsID {
    let whole = table[set]
    var result = whole.isOpen ? OriginTable.unknown : OriginTable.nothing
    for origin in whole.known { result = table.union(result, part(table[origin: origin])) }
    return result
  }

  /// What a collection may hold.
  func element(of set: OriginsID, orNil: Bool) -> OriginsID {
    each(set) { origin in
      switch origin {
      case .collection(let inner): inner
      case .dictionary(let inner): orNil ? table.union(inner, OriginTable.null) : inner
      case .plain, .literal: OriginTable.plain
      case .null: OriginTable.nothing
      case .holder: OriginTable.unknown
      default: OriginTable.unknown
      }
    }
  }

  private func next(of set: OriginsID) -> OriginsID {
    each(set) { origin in
      switch origin {
      case .dictionary(let inner):
        table.one(.tuple([OriginTable.plain, inner], ["key", "value"]))
      case .collection(let inner): inner
      case .plain, .literal: OriginTable.plain
      case .null: OriginTable.nothing
      default: OriginTable.unknown
      }
    }
  }

  private func setElement(_ operands: [OriginsID], _ step: Instruction) -> OriginsID {
    let value = operands[1]
    let whole = table[operands[0]]
    var result = whole.isOpen ? OriginTable.unknown : OriginTable.nothing
    for origin in whole.known {
      switch table[origin: origin] {
      case .collection(let inner):
        result = table.union(result, table.one(.collection(table.union(inner, value))))
      case .dictionary(let inner):
        result = table.union(result, table.one(.dictionary(table.union(inner, value))))
      case let other: result = table.union(result, table.one(other))
      }
    }
    // What isn't known holds at least this.
    if whole.known.isEmpty { result = table.union(result, table.one(.dictionary(value))) }
    return result
  }

  private func part(_ index: Int, _ label: Name, of set: OriginsID) -> OriginsID {
    each(set) { origin in
      switch origin {
      case .tuple(let parts, let labels):
        let place = labels.firstIndex { label != .none && $0 == label } ?? index
        return parts.indices.contains(place) ? parts[place] : OriginTable.unknown
      case .null: return OriginTable.nothing
      case .plain: return OriginTable.plain
      default: return OriginTable.unknown
      }
    }
  }

  private func payload(_ index: Int, of name: Name, in set: OriginsID) -> OriginsID {
    each(set) { origin in
      switch origin {
      case .enumCase(let other, let parts):
        if other != name { return OriginTable.nothing }
        return parts.indices.contains(index) ? parts[index] : OriginTable.unknown
      case .null: return OriginTable.nothing
      case _ where name == "some": return table.one(origin)
      default: return OriginTable.unknown
      }
    }
  }

  // MARK: Conditions

  private func truth(_ value: Bool) -> OriginsID {
    table.one(.literal(value ? "true" : "false"))
  }

  private func negated(_ set: OriginsID) -> OriginsID {
    let whole = table[set]
    guard !whole.isOpen, whole.known.count == 1 else { return OriginTable.plain }
    switch table[origin: whole.known[0]] {
    case .literal("true"): return truth(false)
    case .literal("false"): return truth(true)
    default: return OriginTable.plain
    }
  }

  private func isNil(_ set: OriginsID) -> OriginsID {
    if set == OriginTable.null { return truth(true) }
    let whole = table[set]
    guard !whole.isOpen, !whole.known.isEmpty else { return OriginTable.plain }
    let isThere = whole.known.allSatisfy { id in
      switch table[origin: id] {
      case .object, .instance, .structure, .literal, .enumCase, .closure, .owner, .queue: true
      default: false
      }
    }
    return isThere ? truth(false) : OriginTable.plain
  }

  private func isCase(_ name: Name, _ set: OriginsID) -> OriginsID {
    let whole = table[set]
    guard !whole.isOpen, !whole.known.isEmpty else { return OriginTable.plain }
    var matching = 0
    for id in whole.known {
      guard case .enumCase(let other, _) = table[origin: id], other != .none else {
        return OriginTable.plain
      }
      if other == name { matching += 1 }
    }
    if matching == whole.known.count { return truth(true) }
    return matching == 0 ? truth(false) : OriginTable.plain
  }

  private func binary(_ name: Name, _ operands: [OriginsID]) -> OriginsID {
    switch name {
    case "==", "!=":
      guard let same = areSame(operands[0], operands[1]) else { return OriginTable.plain }
      return truth(same == (name == "=="))
    case "+", "+=":
      let left = table.members(operands[0])
      let isList = left.contains { if case .collection = $0 { true } else { false } }
      guard isList || table[operands[0]].isOpen else { return OriginTable.plain }
      return table.union(copied(operands[0]), copied(operands[1]))
    default: return OriginTable.plain
    }
  }

  /// A value that is put together with another one: what was a live list is none any more.
  private func copied(_ set: OriginsID) -> OriginsID {
    table.mapped(set) { origin in
      guard case .holder(let type, _, let inner) = origin, Frameworks.ownedLists.contains(type)
      else { return table.one(origin) }
      return table.one(.collection(inner))
    }
  }

  /// Whether two values are surely the same constant, or surely two.
  private func areSame(_ left: OriginsID, _ right: OriginsID) -> Bool? {
    let (one, other) = (table[left], table[right])
    guard !one.isOpen, !other.isOpen, one.known.count == 1, other.known.count == 1 else {
      return nil
    }
    switch (table[origin: one.known[0]], table[origin: other.known[0]]) {
    case (.literal(let first), .literal(let second)): return first == second
    // What is surely missing equals no text.
    case (.null, .plain), (.plain, .null): return false
    case (.enumCase(let first, let parts), .enumCase(let second, let others))
    where parts.isEmpty && others.isEmpty:
      return first == second
    default: return nil
    }
  }
}
