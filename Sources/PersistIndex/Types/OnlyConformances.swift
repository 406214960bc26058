import PersistSyntax

/// The one type that conforms to a protocol in code that ships.
private struct OnlyConformance: Query {
  let type: TypeID

  static var provisional: SwiftType { .unknown }
  func answer(in program: Program) -> SwiftType { program.findOnlyConformance(to: type) }
}

// MARK: - Protocols to which one type alone conforms

extension Program {
  /// A type with the one type that conforms in the place of each protocol of the sources.
  package func narrowed(_ type: SwiftType) -> SwiftType {
    switch type {
    case .declared(let id, _) where isProtocol(id):
      let only = answer(OnlyConformance(type: id))
      return only == .unknown ? type : only
    case .optional(let inner): return .optional(narrowed(inner))
    case .array(let inner): return .array(narrowed(inner))
    default: return type
    }
  }

  /// The types of the sources that conform to a protocol in code that ships, in source order.
  package func conformingTypes(to type: TypeID) -> [TypeID] {
    types(inheritingFrom: [types[type].name]).filter {
      types[$0].kind != .typealiasDecl && !isProtocol($0) && !isExemptByItself(types[$0].ref)
        && lineage(of: $0).contains(type)
    }
  }

  fileprivate func findOnlyConformance(to type: TypeID) -> SwiftType {
    let declared = conformingTypes(to: type)
    let foreign = declarations.foreignTypes.values.filter { lineage(of: $0).contains(type) }
    guard declared.count + foreign.count == 1 else { return .unknown }
    return (declared.first ?? foreign.first).map { selfType($0) } ?? .unknown
  }
}
