import PersistIndex
import PersistSyntax

// MARK: - What GRDB makes of types

extension KnownValues {
  /// The table of a record type: as it says, else as GRDB names it; nil where that isn't known.
  package func table(ofRecord type: TypeID) -> String? {
    member(Frameworks.tableName, "", of: .type(type)).text
  }
}

extension Program {
  /// The name of the column that a value is; nil where it is none.
  package func column(_ value: Known) -> String? {
    switch value {
    case .made(let call, let parts):
      guard calledName(call) == Frameworks.column, parts.count == 1 else { return nil }
      return parts[0].text ?? key(parts[0])
    case .element(let element, _):
      let type = enclosingType(element)
      return type.map { inherits($0, from: Frameworks.columnProtocol) } ?? false ? key(value) : nil
    default: return nil
    }
  }

  /// The text that a case of an enum stands for.
  private func key(_ value: Known) -> String? {
    guard case .element(let element, []) = value else { return nil }
    guard let raw = child(element, .expression) else { return nameText(element) }
    return descendants(raw, .string).first.map { text(ofString: $0) { _ in "" } }
  }

  /// The name that GRDB gives to the table of a record type.
  func usualTable(ofRecord type: TypeID) -> String {
    let name = nameText(types[type].ref)
    let head = name.prefix { $0.isUppercase }
    guard head.count > 1 else { return name.prefix(1).lowercased() + name.dropFirst() }
    if head.count == name.count { return name.lowercased() }
    return head.dropLast().lowercased() + name.dropFirst(head.count - 1)
  }
}
