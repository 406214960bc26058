import PersistSyntax

/// Whether what a local holds comes from a word that leads to contexts or managed objects.
private struct LeadsToManaged: Query {
  /// The declaration of the local, or the closure whose arguments have no names.
  let source: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findLead(to: source) }
}

// MARK: - What can't be a context or a managed object, by its words

extension Program {
  /// Whether something in a declaration can be a context or a managed object: a word there leads to
  /// some, or `self` is one.
  func mayHoldManaged(_ declaration: Ref) -> Bool {
    guard let holder = parent(declaration),
      [.members, .file, .ifConfigClause].contains(kind(holder))
    else { return true }
    let view = view(declaration)
    let leading = contextNames
    let node = node(declaration)
    for token in node.first..<node.end where view[token: Int(token)].kind == .identifier {
      if leading.contains(view.name(ofToken: token)) { return true }
    }
    return enclosingType(declaration).map { belongsToContext($0) } ?? false
  }

  /// How many tokens of a chain are looked at before its types are.
  private static let glance = 64

  /// Whether some beginning of a chain can be a context or a managed object: unless it begins with a
  /// value that is or holds one, it has a word of these in it.
  package func mayGiveManaged(_ chain: Ref) -> Bool {
    guard let first = firstChild(chain) else { return true }
    let view = view(chain)
    let (start, end) = (node(chain).first, node(chain).end)
    guard end - start <= UInt32(Self.glance) else { return true }
    let words = contextNames
    for token in start..<end where view[token: Int(token)].kind == .identifier {
      if words.contains(view.name(ofToken: token)) { return true }
    }
    switch kind(first) {
    case .name: break
    case .literal, .regex, .string, .implicitMember, .keyPath, .closure: return false
    default: return true
    }
    switch declared(first) {
    case .property, .functions, .type, nil: return false
    case .selfValue(let type): return type.map { belongsToContext($0) } ?? true
    case .local(let source), .closureArgument(let source, _):
      guard answer(LeadsToManaged(source: source)) else { return false }
      let type = type(of: first)
      return type == .unknown ? fetches(chain) : holdsManaged(type)
    }
  }

  private func holdsManaged(_ type: SwiftType) -> Bool {
    if isManagedContext(type) || managedModel(in: type) != nil { return true }
    switch type {
    case .unknown, .parameter, .associated: return false
    case .declared(let id, _): return belongsToContext(id)
    case .optional(let inner), .array(let inner), .set(let inner), .function(_, let inner),
      .metatype(let inner):
      return holdsManaged(inner)
    case .dictionary(let key, let value): return holdsManaged(key) || holdsManaged(value)
    case .external(_, let parts), .tuple(let parts, _): return parts.contains { holdsManaged($0) }
    }
  }

  /// Whether a chain asks something for objects.
  private func fetches(_ chain: Ref) -> Bool { children(chain).contains { mayGiveObjects($0) } }

  /// Whether a member is what contexts are asked for.
  func mayGiveObjects(_ member: Ref?) -> Bool {
    guard let member, kind(member) == .member else { return false }
    return Words.contextGivers.contains(name(member)) || Words.performMethods.contains(name(member))
  }

  // MARK: Locals

  fileprivate func findLead(to source: Ref) -> Bool {
    switch kind(source) {
    case .closure: return leads(aroundClosure: source)
    case .parameter: return leads(toParameter: source)
    case .capture: return leads(source)
    case .catchClause: return false
    case .boundName:
      let binders: Set<Node.Kind> = [
        .binding, .optionalBinding, .caseCondition, .forStatement, .caseItem,
      ]
      return ancestors(source).first { binders.contains(kind($0)) }.map { leads(toBinder: $0) }
        ?? true
    default: return true
    }
  }

  private func leads(toParameter parameter: Ref) -> Bool {
    guard let list = parent(parameter), let owner = parent(list) else { return true }
    if kind(owner) != .closure { return leads(owner, except: child(owner, .block)) }
    return child(parameter, .type).map { leads($0) } ?? leads(aroundClosure: owner)
  }

  private func leads(aroundClosure closure: Ref) -> Bool {
    guard let (call, _) = callTaking(closure), let chain = parent(call) else { return true }
    // The name of a type says nothing of the closures that its initializers take.
    if case .initializer = callTarget(call) { return true }
    return leads(chain, except: closure)
  }

  private func leads(toBinder binder: Ref) -> Bool {
    switch kind(binder) {
    case .forStatement: return leads(binder, except: child(binder, .block))
    case .caseItem:
      guard let statement = ancestors(binder).first(where: { kind($0) == .switchStatement }),
        let subject = child(statement, .expression)
      else { return true }
      return leads(binder) || leads(subject)
    case .optionalBinding where child(binder, .expression) == nil:
      guard let name = child(binder, .boundName),
        case .local(let outer)? = lookUp(self.name(name), from: binder)
      else { return leads(binder) }
      return leads(binder) || answer(LeadsToManaged(source: outer))
    default: return leads(binder)
    }
  }

  /// Whether code, but for a part of it, has such a word, or a local that comes from one.
  private func leads(_ root: Ref, except hole: Ref? = nil) -> Bool {
    let view = view(root)
    let leading = contextNames
    let node = node(root)
    let left = hole.map { self.node($0) }
    for token in node.first..<node.end where view[token: Int(token)].kind == .identifier {
      if let left, left.first <= token, token < left.end { continue }
      if leading.contains(view.name(ofToken: token)) { return true }
    }
    let skipped = hole.map { subtree($0) }
    return subtree(root).contains { index in
      guard view[node: Int(index)].kind == .name, !(skipped?.contains(index) ?? false) else {
        return false
      }
      switch declared(Ref(file: Int(root.file), node: Int(index))) {
      case .local(let source), .closureArgument(let source, _):
        return answer(LeadsToManaged(source: source))
      case .selfValue(let type): return type.map { belongsToContext($0) } ?? true
      default: return false
      }
    }
  }
}
