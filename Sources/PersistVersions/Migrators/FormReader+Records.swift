import PersistIndex
import PersistSyntax

// MARK: - Record types

extension FormReader {
  /// The beginning of a chain that names a record type: a copy of the type says the same, as long
  /// as its table is the same.
  mutating func recordPrefix(_ parts: [Ref], in chain: Ref) -> (form: Form, count: Int)? {
    for (index, part) in parts.enumerated() {
      guard index == 0 ? program.kind(part) == .name : program.kind(part) == .member else { break }
      let found = index == 0 ? program.type(of: part) : program.type(ofChain: chain, upTo: part)
      guard case .metatype(.declared(let type, _)) = found else { break }
      guard program.isRecord(type) else { continue }
      guard let table = values.table(ofRecord: type) else { return nil }
      return (.call(.words("record"), [.text(table)], closures: []), index + 1)
    }
    return nil
  }
}

extension Program {
  /// The enums with raw values that a record or table stores in one of its properties, by itself or
  /// as its raw value: `var kind = Kind.plain.rawValue`.
  package var storedEnums: Set<TypeID> {
    var found: Set<TypeID> = []
    for (id, property) in properties.enumerated()
    where !property.isComputed && !property.isStatic {
      guard let owner = property.owner, isRecord(owner) || isTable(owner) else { continue }
      if case .declared(let type, _) = type(ofProperty: id).unwrapped {
        found.insert(type)
      } else if let initial = property.initializer {
        let value = Ref(file: Int(property.ref.file), node: initial)
        guard let last = children(value).last.flatMap({ children($0).last }),
          name(last) == "rawValue"
        else { continue }
        found.formUnion(staticMembers(namedIn: value).map(\.type))
      }
    }
    return found.filter { types[$0].kind == .enumDecl }
  }
}
