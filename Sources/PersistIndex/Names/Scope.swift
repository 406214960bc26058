import PersistSyntax

/// What a name in the code stands for.
package enum Declared: Hashable, Sendable {
  /// A local: a `boundName`, `parameter` or `capture` node; or the `catchClause` or `accessor` node
  /// that declares `error`, `newValue` or `oldValue` without writing it.
  case local(Ref)
  /// `$0` and so on of a closure.
  case closureArgument(Ref, Int)
  /// `self` in a type; nil outside of types.
  case selfValue(TypeID?)
  case property(PropertyID)
  case functions([FunctionID])
  case type(TypeID)
}

/// What the statements of one scope declare.
final class ScopeNames {
  /// A name that a statement binds.
  struct Local {
    /// The node of the statement.
    let statement: Int32
    let bound: Ref
    /// A pattern of a `case`, whose names hold in all of the case.
    let isCaseItem: Bool
  }

  /// In source order.
  var locals: [Name: [Local]] = [:]
  var functions: [Name: FunctionID] = [:]
  var types: [Name: TypeID] = [:]

  func add(_ names: [(Name, Ref)], at statement: Int32, isCaseItem: Bool = false) {
    for (name, bound) in names {
      locals[name, default: []].append(
        Local(statement: statement, bound: bound, isCaseItem: isCaseItem))
    }
  }
}

/// What a name stands for.
struct DeclarationOfName: Query {
  let name: Ref

  func _rawHashValue(seed: Int) -> Int { name._rawHashValue(seed: seed) }
  static var provisional: Declared? { nil }
  static func memo(in program: Program) -> Memo<Self> { program.declarationsOfNames }
  func answer(in program: Program) -> Declared? { program.findDeclaration(name) }
}

// MARK: - Looking names up

extension Program {
  /// What a `name` node stands for; nil when the sources don't say.
  package func declared(_ ref: Ref) -> Declared? {
    answer(DeclarationOfName(name: ref))
  }

  fileprivate func findDeclaration(_ ref: Ref) -> Declared? {
    let view = view(ref)
    let token = view[node: Int(ref.node)].name
    guard token != Node.noToken else { return nil }
    switch view[token: Int(token)].kind {
    case .dollarIdentifier: return dollarArgument(ref, text: nameText(ref))
    case .keyword:
      switch view[token: Int(token)].keyword {
      case .selfValue: return lookUp("self", from: ref) ?? .selfValue(enclosingType(ref))
      case .selfType: return enclosingType(ref).map { .type($0) }
      default: return nil
      }
    default:
      if view.isProjection(Int(token)) {
        return lookUp(Name(String(nameText(ref).dropFirst())), from: ref)
      }
      let found = lookUp(name(ref), from: ref)
      // A generic parameter hides a type of its name.
      if case .type? = found, scope(ofGenericParameter: name(ref), at: ref) != nil { return nil }
      return found
    }
  }

  private func dollarArgument(_ ref: Ref, text: String) -> Declared? {
    guard let index = Int(text.dropFirst()) else {
      return lookUp(Name(String(text.dropFirst())), from: ref)
    }
    guard let closure = ancestors(ref).first(where: { kind($0) == .closure }) else { return nil }
    return .closureArgument(closure, index)
  }

  /// Looks a name up from a place, from the inside out.
  package func lookUp(_ name: Name, from place: Ref) -> Declared? {
    var inner = place
    while let scope = parent(inner) {
      if let found = lookUp(name, in: scope, before: inner) { return found }
      inner = scope
    }
    return lookUpGlobal(name, file: Int(place.file))
  }

  private func lookUpGlobal(_ name: Name, file: Int) -> Declared? {
    let variables = built(globals(named: name)) { properties[$0].ref }
    let holders = variables.map { files[Int(properties[$0].ref.file)] }
    let choice = files[file].choice(among: holders) { properties[variables[$0]].isPrivate }
    if let only = choice.only { return .property(variables[only]) }
    let all = freeFunctions(named: name)
    // None of so many is chosen for a call, and each call would keep a list of them.
    guard isWithin(all.count, .overloads) else { return .functions(all) }
    let free = all.filter { id in
      let holder = files[Int(functions[id].ref.file)]
      return holder === files[file]
        || !functions[id].isPrivate && (files[file].isTest || !holder.isTest)
    }
    if !free.isEmpty { return .functions(free) }
    return topLevelType(name, file: file).only.map { .type($0) }
  }

  private func lookUp(_ name: Name, in scope: Ref, before inner: Ref) -> Declared? {
    switch kind(scope) {
    case .block, .file, .switchCase, .ifConfigClause:
      return lookUpStatements(name, in: scope, before: inner)
    case .closure:
      return lookUpStatements(name, in: scope, before: inner)
        ?? lookUpClosure(name, in: scope, inner: inner)
    case .ifStatement, .whileStatement:
      let blocks = children(scope, .block)
      guard let body = blocks.first, inner <= body else { return nil }
      return lookUpConditions(name, in: scope, before: inner)
    case .guardStatement:
      return kind(inner) == .block ? nil : lookUpConditions(name, in: scope, before: inner)
    case .forStatement:
      return lookUpFor(name, in: scope, inner: inner)
    case .caseItem:
      return boundName(name, in: scope).map { .local($0) }
    case .catchClause:
      return lookUpCatch(name, in: scope, inner: inner)
    case .functionDecl, .initDecl, .subscriptDecl:
      return child(scope, .parameters).flatMap { parameter(name, in: $0) }
    case .accessor:
      return lookUpAccessor(name, in: scope)
    case .members:
      return parent(scope).flatMap { type(declaredAt: $0) }.flatMap {
        member(name, of: $0, isStatic: isStatic(inner))
      }
    default: return nil
    }
  }

  /// Locals of the statements before a place, and local functions anywhere beside it.
  private func lookUpStatements(_ name: Name, in scope: Ref, before inner: Ref) -> Declared? {
    let names = names(declaredIn: scope)
    let local = names.locals[name]?.last {
      $0.statement < inner.node || $0.isCaseItem && $0.statement != inner.node
    }
    return local.map { .local($0.bound) } ?? names.functions[name].map { .functions([$0]) }
      ?? names.types[name].map { .type($0) }
  }

  /// The type that the statements of a scope declare by a name.
  func localType(_ name: Name, in scope: Ref) -> TypeID? { names(declaredIn: scope).types[name] }

  /// What the statements of a scope declare, in their order; made once a scope.
  private func names(declaredIn scope: Ref) -> ScopeNames {
    if let known = scopeNames[scope] { return known }
    let names = ScopeNames()
    collect(from: scope, into: names, statement: nil)
    scopeNames[scope] = names
    return names
  }

  /// Statements in `#if` count as the directive that they stand in.
  private func collect(from scope: Ref, into names: ScopeNames, statement: Int32?) {
    let isGlobal = kind(scope) == .file
    for child in children(scope) {
      let place = statement ?? child.node
      switch kind(child) {
      case .variableDecl where !isGlobal:
        for binding in children(child, .binding) { names.add(boundNames(in: binding), at: place) }
      case .guardStatement:
        for condition in children(child)
        where kind(condition) == .optionalBinding || kind(condition) == .caseCondition {
          names.add(boundNames(in: condition), at: place)
        }
      case .functionDecl where !isGlobal:
        guard let id = function(declaredAt: child),
          statement != nil || names.functions[name(child)] == nil
        else { continue }
        names.functions[name(child)] = id
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .typealiasDecl:
        if !isGlobal, let id = type(declaredAt: child) { names.types[types[id].name] = id }
      case .caseItem: names.add(boundNames(in: child), at: place, isCaseItem: true)
      case .ifConfig where !isGlobal:
        // What comes last counts: of several clauses the first one that is built.
        let clauses = children(child, .ifConfigClause)
        let built = clauses.filter { children($0).last.map { isBuilt($0) } ?? false }
        for clause in clauses.filter({ !built.contains($0) }) + built.reversed() {
          collect(from: clause, into: names, statement: place)
        }
      default: break
      }
    }
  }

  private func lookUpConditions(_ name: Name, in scope: Ref, before inner: Ref?) -> Declared? {
    var found: Declared?
    for condition in children(scope) {
      if let inner, condition >= inner { break }
      if kind(condition) == .optionalBinding || kind(condition) == .caseCondition,
        let bound = boundName(name, in: condition)
      {
        found = .local(bound)
      }
    }
    return found
  }

  private func lookUpFor(_ name: Name, in scope: Ref, inner: Ref) -> Declared? {
    let parts = children(scope).filter { kind($0) == .boundName || kind($0) == .expression }
    guard let pattern = parts.first, parts.count > 1, inner > parts[1] else { return nil }
    return boundName(name, in: pattern).map { .local($0) }
  }

  private func lookUpCatch(_ name: Name, in scope: Ref, inner: Ref) -> Declared? {
    let items = children(scope, .caseItem)
    guard !items.contains(inner) else { return nil }
    for item in items {
      if let bound = boundName(name, in: item) { return .local(bound) }
    }
    let binds = items.contains { !descendants($0, .boundName).isEmpty }
    return name == "error" && !binds ? .local(scope) : nil
  }

  private func lookUpClosure(_ name: Name, in scope: Ref, inner: Ref) -> Declared? {
    if let parameters = child(scope, .parameters), let found = parameter(name, in: parameters) {
      return found
    }
    guard let captures = child(scope, .captures), !contains(captures, inner) else { return nil }
    return children(captures, .capture).first { self.name($0) == name }.map { .local($0) }
  }

  private func parameter(_ name: Name, in parameters: Ref) -> Declared? {
    let names: [Name: Ref]
    if let known = parameterNames[parameters] {
      names = known
    } else {
      names = parameterNames(in: parameters)
      parameterNames[parameters] = names
    }
    return names[name].map { .local($0) }
  }

  /// The first parameter of each name.
  private func parameterNames(in parameters: Ref) -> [Name: Ref] {
    var names: [Name: Ref] = [:]
    for parameter in children(parameters, .parameter) {
      for name in [name(parameter), projected(parameter)].compactMap({ $0 })
      where names[name] == nil {
        names[name] = parameter
      }
    }
    return names
  }

  /// The name of the value that a closure's parameter `$item` holds beside its binding.
  private func projected(_ parameter: Ref) -> Name? {
    let token = node(parameter).name
    guard token != Node.noToken, view(parameter).isProjection(Int(token)) else { return nil }
    return Name(String(nameText(parameter).dropFirst()))
  }

  private func lookUpAccessor(_ name: Name, in scope: Ref) -> Declared? {
    switch self.name(scope) {
    case "set", "willSet": return name == "newValue" ? .local(scope) : nil
    case "didSet": return name == "oldValue" ? .local(scope) : nil
    default: return nil
    }
  }

  /// The node that binds a name in a binding, condition or pattern; `self` in `guard let self`.
  func boundName(_ name: Name, in ref: Ref) -> Ref? {
    let outline = outline(ref)
    var node = Int(ref.node)
    let end = Int(outline.nodes[node].subtreeEnd)
    while node < end {
      switch outline.nodes[node].kind {
      case .boundName where outline.name(of: node) == name:
        return Ref(file: Int(ref.file), node: node)
      case .closure, .block, .accessors: node = Int(outline.nodes[node].subtreeEnd)
      default: node += 1
      }
    }
    return nil
  }

  /// All names that a binding, condition or pattern binds.
  private func boundNames(in ref: Ref) -> [(Name, Ref)] {
    let outline = outline(ref)
    var found: [(Name, Ref)] = []
    var node = Int(ref.node)
    let end = Int(outline.nodes[node].subtreeEnd)
    while node < end {
      switch outline.nodes[node].kind {
      case .boundName:
        found.append((outline.name(of: node), Ref(file: Int(ref.file), node: node)))
        node += 1
      case .closure, .block, .accessors: node = Int(outline.nodes[node].subtreeEnd)
      default: node += 1
      }
    }
    return found
  }

  /// Whether what a member of a type declares belongs to the type; nil for what is none or a type.
  private func isStatic(_ member: Ref) -> Bool? {
    switch kind(member) {
    case .functionDecl: function(declaredAt: member).map { functions[$0].isStatic }
    case .variableDecl:
      child(member, .binding).flatMap { property(declaredAt: $0) }.map { properties[$0].isStatic }
    case .initDecl, .deinitDecl: false
    default: nil
    }
  }

  /// The member of the sources that a value, or a type where that is the value, has by a name.
  package func member(_ name: Name, of value: SwiftType) -> Declared? {
    var (type, isStatic) = (value, false)
    if case .metatype(let base) = value { (type, isStatic) = (base, true) }
    switch type {
    case .declared(let id, _): return member(name, of: id, isStatic: isStatic)
    case .external(let external, _):
      return foreignType(named: external).flatMap { member(name, of: $0, isStatic: isStatic) }
    default: return nil
    }
  }

  /// The member of a type or its supertypes with a name; where one type has several, those that
  /// belong to the type itself, or to its values, if that is asked for.
  package func member(_ name: Name, of type: TypeID, isStatic: Bool? = nil) -> Declared? {
    var required: Declared?
    for owner in lineage(of: type) {
      guard let members = ownMembers(owner, name).map({ fitting($0, isStatic) }) else { continue }
      if let property = preferred(members.properties, in: owner, for: type) {
        guard owner != type, isRequirement(property: property) else { return .property(property) }
        required = required ?? .property(property)
        continue
      }
      if !members.functions.isEmpty {
        let all = Members(functions: methods(name, of: type))
        return .functions(fitting(all, isStatic).functions)
      }
      if let type = members.types.first { return .type(type) }
    }
    return required ?? foreignMember(name, of: type, isStatic)
  }

  /// Of several members those that belong to the type itself, or to its values; all where none does.
  private func fitting(_ all: Members, _ isStatic: Bool?) -> Members {
    guard let isStatic, all.functions.count + all.properties.count > 1 else { return all }
    var found = all
    found.functions = all.functions.filter { functions[$0].isStatic == isStatic }
    found.properties = all.properties.filter { properties[$0].isStatic == isStatic }
    return found.functions.isEmpty && found.properties.isEmpty ? all : found
  }

  /// The property or methods with a name that the sources add to a framework's type which a type
  /// inherits from.
  private func foreignMember(_ name: Name, of type: TypeID, _ isStatic: Bool?) -> Declared? {
    for parent in foreignParents(of: type) {
      guard let members = ownMembers(parent, name).map({ fitting($0, isStatic) }) else { continue }
      if let property = members.properties.first { return .property(property) }
      if !members.functions.isEmpty { return .functions(methods(name, of: type)) }
    }
    return nil
  }

  /// What the sources add to the frameworks' types that a type inherits from, and to theirs.
  private func foreignParents(of type: TypeID) -> [TypeID] {
    lineage(of: type).flatMap { inherited(by: $0) }.flatMap { extendedNames(of: $0) }
      .compactMap { foreignType(named: $0) }.flatMap { lineage(of: $0) }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The property that counts of several with one name: what implements a requirement, where
  /// nothing else may.
  private func preferred(_ all: [PropertyID], in owner: TypeID, for type: TypeID) -> PropertyID? {
    let all = built(all) { properties[$0].ref }
    guard all.count > 1, types[owner].kind == .protocolDecl, let first = all.first,
      let implementing = all.first(where: { !isRequirement(property: $0) })
    else { return all.first }
    if owner != type { return implementing }
    let name = properties[first].name
    let others = types(inheritingFrom: [types[owner].name]).contains {
      types[$0].kind != .protocolDecl && !(ownMembers($0, name)?.properties ?? []).isEmpty
    }
    return others ? all.first { isRequirement(property: $0) } ?? first : implementing
  }

  /// Whether a property is a requirement of a protocol.
  private func isRequirement(property id: PropertyID) -> Bool {
    guard let owner = properties[id].owner, types[owner].kind == .protocolDecl else { return false }
    return contains(types[owner].ref, properties[id].ref)
  }

  /// The property of a type or its supertypes with a name that belongs to the type, or to values.
  func property(_ name: Name, of type: TypeID, isStatic: Bool) -> PropertyID? {
    var required: PropertyID?
    for owner in lineage(of: type) {
      let all = (ownMembers(owner, name)?.properties ?? []).filter {
        properties[$0].isStatic == isStatic
      }
      guard let found = preferred(all, in: owner, for: type) else { continue }
      if owner == type || !isRequirement(property: found) { return found }
      required = required ?? found
    }
    return required
  }

  /// The methods of a type and its supertypes with a name, the nearest first.
  package func methods(_ name: Name, of type: TypeID) -> [FunctionID] {
    var found: [FunctionID] = []
    for owner in lineage(of: type) {
      found += ownMembers(owner, name)?.functions ?? []
    }
    for parent in foreignParents(of: type) {
      found += ownMembers(parent, name)?.functions ?? []
    }
    return found
  }
}

extension OutlineView {
  /// Whether a token is a name such as `$item`, which stands for the binding of `item`.
  fileprivate func isProjection(_ token: Int) -> Bool {
    let token = self[token: token]
    return token.kind == .identifier && bytes[Int(token.offset)] == UInt8(ascii: "$")
  }
}
