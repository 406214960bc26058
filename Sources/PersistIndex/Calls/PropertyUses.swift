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

  /// The uses of a property that may set it, or a part of it.
  func settings(ofProperty id: PropertyID) -> [Ref] {
    uses(of: [properties[id].name]).filter { use in
      guard property(usedBy: use) == id, let chain = parent(use), kind(chain) == .chain else {
        return false
      }
      let begin = view(chain)[token: Int(self.node(chain).first)]
      if children(chain).last != use || begin.kind == .prefixAmpersand { return true }
      guard let expression = parent(chain) else { return false }
      let parts = children(expression, atMost: 2)
      return parts.count == 2 && parts[0] == chain && isAssigningOperator(parts[1])
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
