import PersistIndex
import PersistSchema
import PersistSyntax

extension MigrationStage {
  /// One of the two pieces of code that a stage runs.
  package struct Handler {
    /// Runs before the migration, and so on the older version.
    package let isWill: Bool
    /// The closure or the block of the function; nil when it is not in the sources.
    package let body: Ref?
    /// Where it is written in the stage.
    package let place: Ref
  }

  /// The code that the stage runs.
  package func handlers(in program: Program) -> [Handler] {
    [(true, willMigrate, willBody), (false, didMigrate, didBody)].compactMap { isWill, code, body in
      guard let code else { return nil }
      return Handler(isWill: isWill, body: body, place: code)
    }
  }

  /// Whether the stage's code reads an entity or property of one of these classes, or may do so
  /// where the sources don't tell what it reads.
  package func reads(
    _ subject: Subject, of models: [ModelDeclaration], in program: Program
  ) -> Bool {
    guard kind == .custom else { return false }
    let types = Set(models.compactMap { $0.place.ref.flatMap { program.type(declaredAt: $0) } })
    let query = StageReads(program: program, types: types, property: subject.property)
    return handlers(in: program).contains { handler in
      guard let body = handler.body else { return true }
      return query.isRead(from: body)
    }
  }
}

/// Looks for reads of an entity, or of one of its properties, in the code that a handler reaches.
private struct StageReads {
  let program: Program
  /// The classes whose rows are read.
  let types: Set<TypeID>
  /// The property that is read; "" for the entity as a whole.
  let property: String

  /// External calls that take a row and read nothing of it.
  private static let blindCalls: Set<Name> = [
    "append", "debugPrint", "delete", "dump", "insert", "print",
  ]

  func isRead(from body: Ref) -> Bool {
    guard let bodies = program.bodiesReached(from: body, escapes: mayTakeRow) else { return true }
    let takesAnyKey = bodies.contains(where: readsByAnyKey)
    return bodies.contains { isRead(in: $0, byAnyKey: takesAnyKey) }
  }

  private func isRead(in body: Ref, byAnyKey: Bool) -> Bool {
    let outline = program.outline(body)
    for index in program.subtree(body) {
      let node = Ref(file: Int(body.file), node: Int(index))
      switch outline.nodes[Int(index)].kind {
      case .member where isRead(member: node): return true
      case .name where isRead(name: node): return true
      case .type
      where property.isEmpty && program.parent(node).map { program.kind($0) } != .keyPath
        && names(program.type(ofTypeNode: node)):
        return true
      case .keyPath where !property.isEmpty && spells(keyPath: node): return true
      case .string where !property.isEmpty && isKey(node, byAnyKey: byAnyKey): return true
      case .call where takesWhole(node): return true
      default: continue
      }
    }
    return false
  }

  private func isRead(member: Ref) -> Bool {
    guard let chain = program.parent(member), program.kind(chain) == .chain else { return false }
    if property.isEmpty {
      if case .metatype(let type) = program.type(ofChain: chain, upTo: member),
        case .declared(let outer, _) = type,
        let nested = program.nestedType(program.name(member), in: outer, file: Int(member.file))
          .only
      {
        return types.contains(program.resolveAlias(nested))
      }
      guard let row = row(of: member, in: chain) else { return false }
      guard case .property(let id)? = program.member(program.name(member), of: row) else {
        return false
      }
      return program.model(in: program.type(ofProperty: id)).map(isOurs) ?? false
    }
    guard program.name(member) == Name(property) else { return false }
    switch program.type(ofChain: chain, upTo: member).unwrapped {
    case .declared(let type, _): return isOurs(type)
    case .unknown: return true
    default: return false
    }
  }

  private func row(of member: Ref, in chain: Ref) -> TypeID? {
    guard case .declared(let type, _) = program.type(ofChain: chain, upTo: member).unwrapped,
      program.isModel(type)
    else { return nil }
    return program.resolveAlias(type)
  }

  private func isRead(name: Ref) -> Bool {
    if property.isEmpty {
      if program.genericArguments(name).contains(where: names) { return true }
      guard case .type(let type)? = program.declared(name) else { return false }
      return types.contains(program.resolveAlias(type))
    }
    guard program.name(name) == Name(property),
      case .property(let id)? = program.declared(name), let owner = program.properties[id].owner
    else { return false }
    return isOurs(owner)
  }

  /// Whether a value of the type can be a row of ours: the class itself, one above or below it, or
  /// a protocol of it.
  private func isOurs(_ type: TypeID) -> Bool {
    let type = program.resolveAlias(type)
    return types.contains { own in
      own == type || program.lineage(of: own).contains(type)
        || program.lineage(of: type).contains(own)
    }
  }

  private func names(_ type: SwiftType) -> Bool {
    switch type {
    case .declared(let id, _): types.contains(program.resolveAlias(id))
    case .optional(let inner), .array(let inner), .set(let inner), .metatype(let inner):
      names(inner)
    case .external(_, let arguments): arguments.contains(where: names)
    default: false
    }
  }

  private func spells(keyPath: Ref) -> Bool {
    program.view(ofKeyPath: keyPath)?.members.contains { $0.name == Name(property) } ?? false
  }

  /// Whether a string is a key that is given to a row.
  private func isKey(_ string: Ref, byAnyKey: Bool) -> Bool {
    guard program.stringText(string) == property else { return false }
    if byAnyKey { return true }
    return program.ancestors(string).first { program.kind($0) == .argument }
      .map { Self.keyLabels.contains(program.label($0)) } ?? false
  }

  private static let keyLabels: Set<Name> = ["forKey", "forKeyPath", "keyPath"]

  /// Whether code takes values by keys that are no literals.
  private func readsByAnyKey(_ body: Ref) -> Bool {
    program.descendants(body, .argument).contains { argument in
      guard Self.keyLabels.contains(program.label(argument)) else { return false }
      return program.descendants(argument, .string).isEmpty
    }
  }

  /// Whether a call hands a whole row to code from elsewhere that may read it, as an encoder does.
  private func takesWhole(_ call: Ref) -> Bool {
    switch program.callTarget(call) {
    case .externalMethod, .externalFunction, .externalInitializer: break
    default: return false
    }
    guard !Self.blindCalls.contains(program.calledName(call)) else { return false }
    return program.children(call, .argument).contains { argument in
      program.model(in: program.type(of: argument)).map(isOurs) ?? false
    }
  }

  /// Whether a call of something that the sources don't tell gets the context or a row.
  private func mayTakeRow(_ call: Ref) -> Bool {
    program.children(call, .argument).contains { argument in
      let type = program.type(of: argument)
      return program.isContext(type) || program.model(in: type).map(isOurs) ?? false
    }
  }
}
