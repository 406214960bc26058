import PersistIndex

// MARK: - What initializers leave behind

extension KnownValues {
  /// The instance that an initializer makes, which runs for it.
  func made(_ type: TypeID, _ initialize: (Known) -> Known) -> Known {
    let outer = assigned
    assigned = []
    left = .other
    if ownsStore(.declared(type, [])) { note(.init(kind: .fresh(program.types[type].ref))) }
    _ = initialize(.instance(type, [:]))
    assigned = outer
    return left
  }

  /// Takes over what another initializer has left in the instance: `self.init`, `super.init`.
  func fill(from made: Known) {
    guard case .instance(_, let fields) = made, case .instance(let type, let known) = own else {
      return
    }
    own = .instance(type, known.merging(fields) { $1 })
  }

  /// What an instance is when a property of it has got a value.
  func put(_ value: Known, into id: PropertyID?, of owner: Known) -> Known {
    guard followsTexts, case .instance(let type, var fields) = owner else { return .other }
    // A property of a framework's class holds nothing that the sources ask for.
    guard let id else { return owner }
    let isOwn = owner == own
    // What an initializer's helpers set counts for the order of its assignments.
    if isOwn, question.open.last?.isInitializing == false { bind() }
    // Nobody knows which of several assignments in an initializer comes last.
    let before = isOwn && assigned.contains(id) ? fields[id] : nil
    fields[id] = bounded(Known(oneOf: [before, value].compactMap { $0 }))
    guard isOwn else { return .instance(type, fields) }
    assigned.insert(id)
    own = .instance(type, fields)
    return own
  }

  /// Whether only what makes an instance gives a property its value.
  func isFixed(_ id: PropertyID) -> Bool {
    if let known = fixed[id] { return known }
    let found = findsFixed(id)
    fixed[id] = found
    return found
  }

  private func findsFixed(_ id: PropertyID) -> Bool {
    let property = program.properties[id]
    return property.isLet
      || program.uses(of: [property.name]).allSatisfy { use in
        guard program.isAssignmentTarget(use), program.property(usedBy: use) == id,
          !program.isExempt(use)
        else { return true }
        return program.enclosingBody(use).map {
          program.kind($0) == .initDecl && program.enclosingType($0) == property.owner
        } ?? false
      }
  }
}
