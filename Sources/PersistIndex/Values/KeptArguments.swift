import PersistSyntax

// MARK: - What initializers and functions do with their arguments

extension Program {
  /// The properties that an initializer gives a parameter of its own to.
  package func properties(keeping parameter: Ref) -> [PropertyID] {
    guard let list = parent(parameter), let owner = parent(list), kind(owner) == .initDecl else {
      return []
    }
    return uses(ofLocal: parameter).compactMap { propertySet(to: $0) }
  }

  /// The property that the memberwise initializer gives a closure to.
  package func property(of type: TypeID, keeping closure: Ref, in call: Ref) -> PropertyID? {
    let label = callTaking(closure)?.label ?? .none
    let held = types[type].properties.filter {
      !properties[$0].isComputed && !properties[$0].isStatic
    }
    if label != .none { return held.first { properties[$0].name == label } }
    let closures = held.filter {
      if case .function = self.type(ofProperty: $0).unwrapped { return true }
      return false
    }
    return closures.count == 1 ? closures[0] : nil
  }

  /// The property that a closure, or a name that stands for one, is assigned to.
  package func propertySet(to value: Ref) -> PropertyID? {
    guard let chain = parent(value), kind(chain) == .chain, children(chain).count == 1,
      let assignment = assignment(of: chain), let target = children(assignment.target).last
    else { return nil }
    return property(usedBy: target)
  }

  /// The properties that an initializer of the sources sets from an argument.
  package func properties(setBy argument: Ref, of call: Ref) -> [PropertyID] {
    guard case .initializer(let type, let candidates) = callTarget(call) else { return [] }
    guard !candidates.isEmpty else {
      let name = label(argument)
      return types[type].properties.filter {
        properties[$0].name == name && !properties[$0].isComputed && !properties[$0].isStatic
      }
    }
    return candidates.count == 1
      ? parameter(of: candidates[0], takenBy: argument, of: call).map { properties(keeping: $0) }
        ?? [] : []
  }

  /// The parameter of a function that takes an argument of a call, as a node.
  package func parameter(of id: FunctionID, takenBy argument: Ref, of call: Ref) -> Ref? {
    let function = functions[id]
    return function.parameters.indices.first {
      self.argument(of: call, for: $0, of: function) == argument
    }.map { Ref(file: Int(function.ref.file), node: function.parameters[$0].node) }
  }

  /// Whether a chain is all of a value.
  package func isOnlyPart(_ chain: Ref, of value: Ref) -> Bool {
    chain == value
      || children(value).allSatisfy { $0 == chain || [.tryMark, .awaitMark].contains(kind($0)) }
  }
}
