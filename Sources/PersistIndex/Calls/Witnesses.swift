import PersistSyntax

/// The functions that implement a protocol's requirement; empty where they aren't all known.
private struct Witnesses: Query {
  let requirement: FunctionID

  static var provisional: [FunctionID] { [] }
  func answer(in program: Program) -> [FunctionID] {
    program.findWitnesses(of: requirement) ?? []
  }
}

// MARK: - What implements a protocol's requirement

extension Program {
  /// The functions of the sources that a call runs as far as is known: those that it names, and
  /// what alone implements a protocol's requirement.
  package func functions(calledBy call: Ref) -> [FunctionID] {
    named(by: call).flatMap { id in
      witnesses(of: id).flatMap { $0.count == 1 ? [id] + $0 : nil } ?? [id]
    }
  }

  /// Whether a call may run a function, by its name or by a requirement that the function
  /// implements.
  func mayRun(_ id: FunctionID, _ call: Ref) -> Bool {
    named(by: call).contains { $0 == id || witnesses(of: $0)?.contains(id) ?? false }
  }

  /// The function itself, or all that implement it where it is a requirement.
  func bodies(of id: FunctionID) -> [FunctionID] { witnesses(of: id) ?? [id] }

  /// What a call names: functions as they are declared, requirements among them; those of all types
  /// where several have the name of the receiver's.
  package func named(by call: Ref) -> [FunctionID] {
    switch callTarget(call) {
    case .functions(let candidates), .initializer(_, let candidates): candidates
    case .externalMethod(.metatype(let type), let name):
      functions(name, ofOneOf: type, call).filter { functions[$0].isStatic }
    case .externalMethod(let type, let name):
      functions(name, ofOneOf: type, call).filter { !functions[$0].isStatic }
    case .externalInitializer(let type): functions("init", ofOneOf: type, call)
    default: []
    }
  }

  private func functions(_ name: Name, ofOneOf type: SwiftType, _ call: Ref) -> [FunctionID] {
    namesakes(of: type, file: Int(call.file)).flatMap {
      overloads(methods(name, of: $0), call, of: $0)
    }
  }

  /// Whether a function is a requirement of a protocol.
  func isRequirement(_ id: FunctionID) -> Bool {
    functions[id].body == nil
      && functions[id].owner.map { types[$0].kind == .protocolDecl } ?? false
  }

  /// The functions that implement a requirement in the types that conform to its protocol, those in
  /// tests and mocks left out; nil for other functions, and where a type implements it unseen.
  package func witnesses(of requirement: FunctionID) -> [FunctionID]? {
    guard isRequirement(requirement) else { return nil }
    let found = answer(Witnesses(requirement: requirement))
    return found.isEmpty ? nil : found
  }

  /// The only type that meets a requirement, where a framework declares it and the sources add nothing
  /// of that name.
  func foreignType(meeting requirement: FunctionID) -> SwiftType? {
    guard isRequirement(requirement), let owner = functions[requirement].owner,
      case let all = conformers(to: owner), all.count == 1, types[all[0]].kind == .extensionDecl,
      methods(functions[requirement].name, of: all[0]).allSatisfy({ functions[$0].body == nil })
    else { return nil }
    return .external(types[all[0]].name, [])
  }

  /// The types that conform to a protocol, or inherit from a class; those in tests and mocks left out.
  package func conformers(to owner: TypeID) -> [TypeID] {
    types(inheritingFrom: [types[owner].name]).filter { type in
      ![.protocolDecl, .typealiasDecl].contains(types[type].kind) && !isExempt(types[type].ref)
        && lineage(of: type).contains(owner)
    }
  }

  fileprivate func findWitnesses(of requirement: FunctionID) -> [FunctionID]? {
    guard let owner = functions[requirement].owner else { return nil }
    let name = functions[requirement].name
    var found: Set<FunctionID> = []
    for type in conformers(to: owner) {
      let all = methods(name, of: type).filter { functions[$0].body != nil }
      guard let witness = all.first(where: { haveOneSignature($0, requirement) }) else {
        return nil
      }
      if !isExempt(functions[witness].ref) { found.insert(witness) }
    }
    return found.sorted { functions[$0].ref < functions[$1].ref }
  }
}
