import PersistSyntax

// MARK: - Names of what is called, and reads of properties

extension Program {
  /// The name of what a call calls, as it is written.
  package func calledText(_ call: Ref) -> String { calledNode(call).map { nameText($0) } ?? "" }

  /// The name of a function; for an initializer the name of its type.
  package func functionName(_ id: FunctionID) -> String {
    let function = functions[id]
    guard function.kind == .initDecl, let owner = function.owner else {
      return nameText(function.ref)
    }
    return kind(types[owner].ref) == .extensionDecl
      ? child(types[owner].ref, .type).map { text($0) } ?? "" : nameText(types[owner].ref)
  }

  /// The reads of a property, in source order.
  package func uses(ofProperty id: PropertyID) -> [Ref] {
    answer(UsesOfProperty(property: id))
  }

  fileprivate func findUses(ofProperty id: PropertyID) -> [Ref] {
    let wanted = Set([id] + requirements(metBy: id))
    return uses(of: [properties[id].name]).filter { node in
      property(usedBy: node).map { wanted.contains($0) } ?? false && !isAssignmentTarget(node)
    }
  }

  /// The requirements of protocols that a property alone meets.
  private func requirements(metBy id: PropertyID) -> [PropertyID] {
    guard let owner = properties[id].owner, types[owner].kind != .protocolDecl else { return [] }
    let name = properties[id].name
    return lineage(of: owner).filter { types[$0].kind == .protocolDecl }.compactMap { type in
      guard let required = ownMembers(type, name)?.properties.first else { return nil }
      let meeting = types(inheritingFrom: [types[type].name]).filter { holder in
        types[holder].kind != .typealiasDecl && lineage(of: holder).contains(type)
      }.flatMap { ownMembers($0, name)?.properties ?? [] }.filter { !isExempt(properties[$0].ref) }
      return meeting == [id] ? required : nil
    }
  }

  /// Whether a chain that ends with a node is the target of `=`.
  package func isAssignmentTarget(_ node: Ref) -> Bool {
    assignment(toWhatEndsWith: node) != nil
  }
}

/// The reads of a property.
private struct UsesOfProperty: Query {
  let property: PropertyID

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] { program.findUses(ofProperty: property) }
}
