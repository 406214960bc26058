import PersistFlow
import PersistIndex
import PersistSyntax

/// A static or top-level variable or function.
struct SchemaMember {
  /// The binding or the function.
  let ref: Ref
  let isConditional: Bool
}

extension SchemaTypes {
  /// The binding or the function that a member is.
  func node(_ member: SchemaMember) -> NodeView { program.nodeView(member.ref) }

  /// The static member of a type with this name; nil when there is none or several.
  func staticMember(_ name: String, of type: Int) -> SchemaMember? {
    let known = staticMembers[type] ?? findStaticMembers(of: type)
    staticMembers[type] = known
    guard let found = known[name] else { return nil }
    return found.count == 1 ? found[0] : nil
  }

  /// What a static member of a type is, one that a protocol gives it too, and where that stands; nil
  /// when there is none or several.
  func known(_ name: String, of type: Int) -> (place: NodeView, value: Known)? {
    var member = staticMember(name, of: type)
    if member == nil, case .property(let id)? = program.member(Name(name), of: type) {
      let ref = program.properties[id].ref
      if staticMembers[type]?[name] == nil { member = SchemaMember(ref: ref, isConditional: false) }
    }
    return member.map { member in
      let value =
        member.isConditional ? .other : program.knownValue(ofMember: member.ref, in: type)
      return (node(member), value)
    }
  }

  private func findStaticMembers(of type: Int) -> [String: [SchemaMember]] {
    var found: [String: [SchemaMember]] = [:]
    for list in memberLists(of: type) {
      list.forEachActive(conditions) { part, isConditional in
        guard part.kind == .variableDecl || part.kind == .functionDecl, part.isStatic else {
          return
        }
        for member in part.kind == .functionDecl ? [part] : part.children(.binding) {
          guard let name = member.name?.text else { continue }
          found[name, default: []].append(
            SchemaMember(ref: member.ref, isConditional: isConditional))
        }
      }
    }
    return found
  }

  /// The names of all static variables of a type, with their bindings.
  func staticVariables(of type: Int) -> [SchemaMember] {
    var found: [SchemaMember] = []
    for list in memberLists(of: type) {
      list.forEachActive(conditions) { part, isConditional in
        guard part.kind == .variableDecl, part.isStatic else { return }
        for binding in part.children(.binding) {
          found.append(SchemaMember(ref: binding.ref, isConditional: isConditional))
        }
      }
    }
    return found
  }

  /// The active variables with a name outside of types and functions.
  private func globals(named name: String) -> [Ref] {
    program.globals(named: Name(name)).map { program.properties[$0].ref }.filter(program.isBuilt)
  }

  /// The member that `name` or `A.B.name` stands for at a place.
  func member(_ names: [String], from place: Ref) -> SchemaMember? {
    guard let name = names.last else { return nil }
    if names.count > 1 {
      guard let type = resolve(names.dropLast(), from: place) else { return nil }
      return staticMember(name, of: type)
    }
    for outer in program.ancestors(place) {
      if let type = program.type(declaredAt: outer), let member = staticMember(name, of: type) {
        return member
      }
    }
    let visible = globals(named: name).filter { $0.file == place.file || !isTest($0) }
    let own = visible.filter { $0.file == place.file }
    guard let found = own.count == 1 ? own[0] : visible.first, visible.count == 1 || own.count == 1
    else { return nil }
    return SchemaMember(ref: found, isConditional: false)
  }
}
