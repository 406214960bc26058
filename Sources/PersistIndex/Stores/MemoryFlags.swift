import PersistSyntax

/// How a function's parameter decides that a store lies in memory.
private struct MemoryChoice: Query {
  let parameter: Ref
  let function: FunctionID

  static var provisional: Truth { [] }
  func answer(in program: Program) -> Truth { program.findMemoryChoice(parameter, function) }
}

/// Whether a function gives its container a store in memory, whatever it's called with.
private struct AlwaysDescribesMemory: Query {
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findAlwaysDescribesMemory(function) }
}

// MARK: - Functions that describe stores in memory

extension Program {
  /// Whether a call runs a function of the sources that gives its container a store in memory: in
  /// any case, or because of a flag that it gets.
  package func describesInMemory(by call: Ref) -> Bool {
    let candidates = functions(calledBy: call)
    guard !candidates.isEmpty else { return false }
    return candidates.allSatisfy { id in
      answer(AlwaysDescribesMemory(function: id))
        || functions[id].parameters.indices.contains { index in
          guard let given = argument(of: call, for: index, of: functions[id]) else { return false }
          let place = Ref(
            file: Int(functions[id].ref.file), node: functions[id].parameters[index].node)
          let choice = answer(MemoryChoice(parameter: place, function: id))
          return choice == .isTrue && truth(of: given) == .isTrue
            || choice == .isFalse && truth(of: given) == .isFalse
        }
    }
  }

  fileprivate func findAlwaysDescribesMemory(_ id: FunctionID) -> Bool {
    guard let body = body(of: id) else { return false }
    return descendants(body, .expression).contains { expression in
      saysMemory(expression) && hasAssignment(expression)
        && enclosingBody(expression) == functions[id].ref
        && !children(expression, .binaryOperator).contains { nameText($0) == "?" }
        && !ancestors(expression).prefix { $0 != body }.contains {
          [.ifStatement, .switchCase, .guardStatement].contains(kind($0))
        }
    }
  }

  private func hasAssignment(_ expression: Ref) -> Bool {
    children(expression, .binaryOperator).contains { isAssignmentSign($0) }
  }

  /// Whether code names Core Data's store in memory, or the file that keeps nothing.
  func saysMemory(_ node: Ref) -> Bool {
    descendants(node, .name).contains { name($0) == "NSInMemoryStoreType" }
      || descendants(node, .string).contains { stringText($0) == "/dev/null" }
  }

  /// The value of a flag with which a function describes a store in memory; empty where it decides
  /// nothing, or both.
  fileprivate func findMemoryChoice(_ parameter: Ref, _ id: FunctionID) -> Truth {
    guard let body = body(of: id) else { return [] }
    return uses(ofLocal: parameter).reduce(Truth()) { found, use in
      guard contains(body, use), let chain = parent(use), children(chain).count == 1,
        let expression = parent(chain)
      else { return found }
      let isNegated = truthIsNegated(chain)
      let when: Truth
      if let sides = memorySide(of: expression, on: chain) {
        when = sides
      } else if let statement = parent(expression), kind(statement) == .ifStatement,
        children(expression) == [chain], let block = child(statement, .block),
        expression < block
      {
        guard saysMemory(block) else { return found }
        when = .isTrue
      } else if let argument = parent(expression), kind(argument) == .argument,
        children(expression) == [chain], let call = parent(argument), kind(call) == .call
      {
        when = memoryChoice(of: argument, in: call)
      } else {
        return found
      }
      return found.union(isNegated ? when.negated : when)
    }
  }

  /// The side of `flag ? a : b` that speaks of a store in memory.
  private func memorySide(of expression: Ref, on chain: Ref) -> Truth? {
    let parts = children(expression)
    guard let index = parts.firstIndex(of: chain), index + 1 < parts.count,
      nameText(parts[index + 1]) == "?",
      let colon = parts.firstIndex(where: {
        kind($0) == .binaryOperator && nameText($0) == ":"
      })
    else { return nil }
    if parts[(index + 2)..<colon].contains(where: { saysMemory($0) }) { return .isTrue }
    return parts[(colon + 1)...].contains(where: { saysMemory($0) }) ? .isFalse : Truth()
  }

  /// What a function of the sources makes of a flag that is handed on.
  private func memoryChoice(of argument: Ref, in call: Ref) -> Truth {
    guard case .functions(let candidates) = callTarget(call) else { return [] }
    return candidates.reduce(Truth()) { found, id in
      guard let parameter = self.parameter(of: functions[id], taking: argument, in: call) else {
        return found
      }
      let place = Ref(file: Int(functions[id].ref.file), node: parameter.node)
      return found.union(answer(MemoryChoice(parameter: place, function: id)))
    }
  }
}
