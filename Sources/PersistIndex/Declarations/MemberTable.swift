/// The members of a type that have one name.
struct Members: Sendable {
  var functions: [FunctionID] = []
  var properties: [PropertyID] = []
  var types: [TypeID] = []
}

/// The members of all types by type and name, as chains in a table without gaps.
struct MemberTable: Sendable {
  private enum Kind: Int32 { case function, property, type }

  private struct Entry: Sendable {
    let name: Name
    let owner: Int32
    let kind: Kind
    let member: Int32
    /// The index of the next entry of the chain, or -1.
    var next: Int32 = -1
  }

  private var entries: [Entry] = []
  /// The first entry of each chain, or -1.
  private var heads: [Int32]

  init(
    _ types: [TypeDeclaration], _ functions: [FunctionDeclaration],
    _ properties: [PropertyDeclaration]
  ) {
    let count = types.reduce(0) { $0 + $1.functions.count + $1.properties.count + $1.nested.count }
    var capacity = 64
    while capacity < count { capacity *= 2 }
    heads = Array(repeating: -1, count: capacity)
    entries.reserveCapacity(count)
    for (owner, type) in types.enumerated() {
      for id in type.functions { add(functions[id].name, owner, .function, id) }
      for id in type.properties { add(properties[id].name, owner, .property, id) }
      for id in type.nested { add(types[id].name, owner, .type, id) }
    }
    // From the back, so that each chain is in the order of the members.
    for index in entries.indices.reversed() {
      let slot = slot(entries[index].name, entries[index].owner)
      entries[index].next = heads[slot]
      heads[slot] = Int32(truncatingIfNeeded: index)
    }
  }

  private mutating func add(_ name: Name, _ owner: TypeID, _ kind: Kind, _ member: Int) {
    entries.append(
      Entry(
        name: name, owner: Int32(truncatingIfNeeded: owner), kind: kind,
        member: Int32(truncatingIfNeeded: member)))
  }

  private func slot(_ name: Name, _ owner: Int32) -> Int {
    name.hash.scattered(Int(owner) &* 0x9E37_79B1) & (heads.count - 1)
  }

  /// The members of a type with a name; nil where there are none.
  subscript(type: TypeID, name: Name) -> Members? {
    let owner = Int32(truncatingIfNeeded: type)
    var found: Members?
    var next = heads[slot(name, owner)]
    while next >= 0 {
      let entry = entries[Int(next)]
      next = entry.next
      guard entry.owner == owner, entry.name == name else { continue }
      switch entry.kind {
      case .function:
        found = found ?? Members()
        found?.functions.append(Int(entry.member))
      case .property:
        found = found ?? Members()
        found?.properties.append(Int(entry.member))
      case .type:
        found = found ?? Members()
        found?.types.append(Int(entry.member))
      }
    }
    return found
  }
}
