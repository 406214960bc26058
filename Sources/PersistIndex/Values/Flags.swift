import PersistSyntax

// MARK: - Flags

/// What a flag that a parameter or property holds is in all code that ships.
private struct FlagOfParameter: Query {
  let function: FunctionID
  let index: Int

  static var provisional: Bool? { nil }
  func answer(in program: Program) -> Bool? { program.flag(ofParameter: index, of: function) }
}

extension Program {
  /// What a flag is by a constant or by every caller that ships; nil where they disagree or it can't
  /// be told.
  package func flag(_ ref: Ref) -> Bool? {
    let parts = children(ref)
    switch kind(ref) {
    case .expression:
      let operands = parts.filter { kind($0) != .tryMark }
      return operands.count == 1 ? flag(operands[0]) : nil
    case .chain:
      let value = parts.count == 1 ? flag(parts[0]) : parts.last.flatMap { flag(member: $0) }
      return isNegated(ref) ? value.map { !$0 } : value
    case .literal:
      switch text(ref) {
      case "true": return true
      case "false": return false
      default: return nil
      }
    case .name: return flag(named: ref)
    default: return nil
    }
  }

  /// Whether a `!` stands before a chain.
  private func isNegated(_ chain: Ref) -> Bool {
    let first = Int(node(chain).first)
    guard first > 0 else { return false }
    let outline = outline(chain)
    return [first - 1, first].contains { token in
      outline.tokens[token].kind == .prefixOperator && outline.text(ofToken: token) == "!"
    }
  }

  private func flag(member: Ref) -> Bool? {
    kind(member) == .member ? property(usedBy: member).flatMap { flag(of: $0) } : nil
  }

  private func flag(named name: Ref) -> Bool? {
    switch declared(name) {
    case .property(let id): return flag(of: id)
    case .local(let local) where kind(local) == .parameter:
      guard let list = parent(local), let owner = parent(list),
        let function = function(declaredAt: owner),
        let index = functions[function].parameters.firstIndex(where: {
          $0.node == Int(local.node)
        })
      else { return nil }
      return answer(FlagOfParameter(function: function, index: index))
    case .local(let local) where kind(local) == .boundName:
      guard let binding = parent(local), kind(binding) == .binding,
        let declaration = parent(binding),
        outline(declaration).tokens[Int(node(declaration).first)].keyword == .let,
        let value = child(binding, .expression)
      else { return nil }
      return flag(value)
    default: return nil
    }
  }

  private func flag(of id: PropertyID) -> Bool? {
    let property = properties[id]
    guard property.isLet || property.modifiers.contains("private") else { return nil }
    if property.isLet, let value = property.initializer {
      return flag(Ref(file: Int(property.ref.file), node: value))
    }
    guard property.isLet, property.initializer == nil, let given = givenValues(of: id) else {
      return nil
    }
    let flags = Set(given.map { flag($0) })
    return flags.count == 1 ? flags.first ?? nil : nil
  }

  /// What all callers that ship hand to a parameter.
  fileprivate func flag(ofParameter index: Int, of function: FunctionID) -> Bool? {
    let parameter = functions[function].parameters[index]
    let place = Ref(file: Int(functions[function].ref.file), node: parameter.node)
    let standard = child(place, .expression).flatMap { flag($0) }
    let calls = callers(of: function).filter { !isSilent($0) }
    guard !calls.isEmpty else { return nil }
    let flags = Set(
      calls.map { call -> Bool? in
        guard let given = argument(of: call, for: index, of: functions[function]) else {
          return standard
        }
        return flag(child(given, .expression) ?? given)
      })
    return flags.count == 1 ? flags.first ?? nil : nil
  }
}
