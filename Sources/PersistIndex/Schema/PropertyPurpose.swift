import PersistSchema
import PersistSyntax

/// What shipping code does with a stored property of an entity, in whichever version's class.
package struct PropertyPurpose: Sendable {
  /// Whether code beside the initializers of the class sets it.
  package fileprivate(set) var isSet = false
  /// Whether code reads it.
  package fileprivate(set) var isRead = false
  /// The first place that tells objects apart, finds or sorts them by it.
  package fileprivate(set) var comparison: Ref?
}

extension Program {
  /// What shipping code does with a property.
  package func purpose(of subject: Subject) -> PropertyPurpose {
    let entity = Name(String(subject.entity.prefix { $0 != "@" }))
    let property = Name(subject.property)
    var purpose = PropertyPurpose()
    for use in uses(of: [property]) where !isExempt(use) && isProperty(use, of: entity) {
      note(use, of: entity, in: &purpose)
    }
    for file in files(using: property) {
      for path in descendants(Ref(file: file, node: 0), .keyPath)
      where names(ofKeyPath: path)?.last == property && !isExempt(path) {
        guard compares(path, of: entity) else { continue }
        purpose.isRead = true
        purpose.comparison = purpose.comparison ?? path
      }
    }
    return purpose
  }

  private func isProperty(_ use: Ref, of entity: Name) -> Bool {
    guard let id = property(usedBy: use), let owner = properties[id].owner else { return false }
    return types[owner].name == entity && isModel(owner)
  }

  private func note(_ use: Ref, of entity: Name, in purpose: inout PropertyPurpose) {
    let maker = enclosingFunction(use).map { functions[$0] }
    let isOwnInitializer =
      maker?.kind == .initDecl && maker?.owner.map { types[$0].name == entity } ?? false
    if assignment(toWhatEndsWith: use) != nil {
      if !isOwnInitializer { purpose.isSet = true }
      return
    }
    purpose.isRead = true
    if purpose.comparison == nil, isCompared(use) { purpose.comparison = use }
  }

  /// Whether a value beside an operator, an index, or what a search gets ends with a node.
  private func isCompared(_ use: Ref) -> Bool {
    guard let chain = parent(use), kind(chain) == .chain,
      children(chain).last(where: { ![.optionalChain, .force].contains(kind($0)) }) == use,
      let around = parent(chain)
    else { return false }
    if kind(around) == .expression {
      let parts = children(around)
      guard let place = parts.firstIndex(of: chain) else { return false }
      let signs = [place - 1, place + 1].filter(parts.indices.contains).map { parts[$0] }
      if signs.contains(where: { kind($0) == .binaryOperator && isComparison(name($0)) }) {
        return true
      }
    }
    guard let argument = ancestors(chain).first(where: { kind($0) != .expression }),
      kind(argument) == .argument, let taker = parent(argument)
    else { return false }
    switch kind(taker) {
    case .subscriptSuffix: return true
    case .call: return ["contains", "firstIndex", "id", "tag"].contains(calledName(taker))
    default: return false
    }
  }

  private func isComparison(_ sign: Name) -> Bool {
    ["==", "!=", "<", ">", "<=", ">="].contains(sign)
  }

  /// Whether a key path says by what objects of an entity are sorted, grouped or told apart.
  private func compares(_ path: Ref, of entity: Name) -> Bool {
    let around = ancestors(path).first { ![.chain, .expression].contains(kind($0)) }
    guard let argument = around, [.argument, .attribute].contains(kind(argument))
    else { return false }
    if let root = view(ofKeyPath: path)?.root {
      return type(ofTypeNode: root.node.ref).unwrapped.declaredName(in: self) == entity
    }
    guard ["id", "by", "using", "sort", "order", "comparing"].contains(label(argument)),
      let call = parent(argument), kind(call) == .call
    else { return false }
    let holders =
      [receiverType(ofCall: call)] + arguments(call).prefix(1).map { type(of: $0) }
    return holders.contains { holder in
      model(in: holder).map { types[$0].name == entity } ?? false
    }
  }
}

extension SwiftType {
  /// The name of the type of the sources that this is.
  fileprivate func declaredName(in program: Program) -> Name? {
    guard case .declared(let id, _) = self else { return nil }
    return program.types[program.resolveAlias(id)].name
  }
}
