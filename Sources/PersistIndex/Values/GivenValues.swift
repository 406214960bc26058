import PersistSyntax

// MARK: - What stored properties are given

extension Program {
  /// The values that a stored property without a value of its own is given wherever its owner is
  /// made; nil where not all of them can be told.
  package func givenValues(of id: PropertyID) -> [Ref]? {
    let property = properties[id]
    guard !property.isStatic, !property.isComputed, let owner = property.owner,
      property.isLet || property.isPrivateToSet || types[owner].kind == .structDecl
        || isSetOnlyWhenMade(id, owner)
    else { return nil }
    let initializers = types[owner].functions.filter { functions[$0].kind == .initDecl }
    let found =
      initializers.isEmpty
      ? valuesOfMembers(id, owner) : valuesOfInitializers(initializers, id)
    guard let found, !found.isEmpty, isWithin(found.count, .makers) else { return nil }
    return found
  }

  /// Whether nothing but the initializers of its owner sets a property.
  private func isSetOnlyWhenMade(_ id: PropertyID, _ owner: TypeID) -> Bool {
    uses(of: [properties[id].name]).allSatisfy { use in
      guard isAssignmentTarget(use), property(usedBy: use) == id, !isExempt(use) else {
        return true
      }
      return enclosingBody(use).map { kind($0) == .initDecl && enclosingType($0) == owner } ?? false
    }
  }

  /// The arguments for a property of the initializer that a struct has by itself.
  private func valuesOfMembers(_ id: PropertyID, _ owner: TypeID) -> [Ref]? {
    guard types[owner].kind == .structDecl else { return nil }
    let made = makers(of: owner)
    guard !made.isEmpty, isWithin(made.count, .makers) else { return nil }
    let values = made.map { argument($0, properties[id].name) }
    return values.allSatisfy { $0 != nil } ? values.compactMap { $0 } : nil
  }

  /// The calls that make a value of a type, outside of silent places.
  package func makers(of type: TypeID) -> [Ref] {
    let names = [types[type].name, "Self"]
    return (names.flatMap { calls(named: $0) } + initCalls(of: types[type].name)).filter { call in
      guard case .initializer(type, _) = callTarget(call) else { return false }
      return !isExempt(call)
    }
  }

  /// What the initializers assign to a property, with the callers' arguments for their parameters.
  private func valuesOfInitializers(_ initializers: [FunctionID], _ id: PropertyID) -> [Ref]? {
    var found: [Ref] = []
    for function in initializers where !isExempt(functions[function].ref) {
      guard let body = functions[function].body else { return nil }
      let assigned = assignments(
        to: id, in: Ref(file: Int(functions[function].ref.file), node: body))
      guard assigned.count == 1 else {
        if assigned.isEmpty, functions[function].modifiers.contains("convenience") { continue }
        return nil
      }
      guard let parameter = parameter(named: assigned[0], of: function) else {
        found.append(assigned[0])
        continue
      }
      let calls = shippingCallers(of: function)
      guard !calls.isEmpty, isWithin(calls.count, .makers) else { return nil }
      for call in calls {
        let place = Ref(
          file: Int(functions[function].ref.file),
          node: functions[function].parameters[parameter].node)
        guard
          let value = argument(of: call, for: parameter, of: functions[function])
            ?? child(place, .expression)
        else { return nil }
        found.append(value)
      }
    }
    return found
  }

  private func assignments(to id: PropertyID, in body: Ref) -> [Ref] {
    descendants(body, .expression).compactMap { expression in
      guard let assignment = assignment(expression), let value = assignment.right.last,
        assignment.right.dropLast().allSatisfy({
          kind($0) == .tryMark || kind($0) == .awaitMark
        }), let target = lastPart(ofTarget: assignment), name(target) == properties[id].name,
        property(usedBy: target) == id
      else { return nil }
      return value
    }
  }

  /// The index of the parameter that an expression is, and nothing more.
  private func parameter(named value: Ref, of function: FunctionID) -> Int? {
    let names = descendants(value, .name)
    guard names.count == 1, kind(value) == .chain, children(value).count == 1,
      case .local(let local)? = declared(names[0]), kind(local) == .parameter
    else { return nil }
    return functions[function].parameters.firstIndex { $0.node == Int(local.node) }
  }
}

extension PropertyDeclaration {
  fileprivate var isPrivateToSet: Bool { modifiers.contains("private") }
}
