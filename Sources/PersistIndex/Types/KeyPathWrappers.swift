import PersistSyntax

// MARK: - Property wrappers that take the value from somewhere

extension Program {
  /// What the wrapper of a variable gives: `@Environment(\.modelContext)`, `@Dependency(\.store)`,
  /// `@Environment(Store.self)`, `@ObservedResults(Note.self)`; nil where no wrapper says so.
  func typeOfWrapper(at declaration: Ref) -> SwiftType? {
    for attribute in children(declaration, .attribute) {
      guard let argument = child(attribute, .argument), let value = child(argument, .expression),
        let chain = child(value, .chain)
      else { continue }
      let name = name(attribute)
      if let path = child(chain, .keyPath) {
        if let found = type(ofKeyPath: path, in: name, at: declaration) { return found }
      } else if name == "ObservedResults", case .metatype(let type) = type(of: value) {
        return .array(type)
      } else if Words.keyPathRoots[name] != nil, case .metatype(let type) = type(of: value) {
        return dependency(type)
      }
    }
    return nil
  }

  /// The type of the property that a wrapper's key path names.
  private func type(ofKeyPath path: Ref, in wrapper: Name, at place: Ref) -> SwiftType? {
    guard let view = view(ofKeyPath: path), !view.members.isEmpty else { return nil }
    let members = view.members.map { name($0) }
    let known = Words.keyPathRoots[wrapper] ?? []
    let taken = rootsTaken(by: wrapper, at: place)
    guard !known.isEmpty || !taken.isEmpty else { return nil }
    let roots = view.root.map { $0.path.count == 1 ? [name($0.name)] : [] } ?? known + taken
    for root in roots {
      var type = lookUpType(root, from: place).only.map { declaredType($0) } ?? .external(root, [])
      for member in members { type = held(self.type(ofMember: member, of: type)) }
      if type != .unknown { return type }
    }
    switch wrapper {
    case "Environment": return Words.environment[members[0]] ?? .unknown
    case "Dependency": return Words.dependencies[members[0]] ?? .unknown
    default: return .unknown
    }
  }

  /// What a factory of the project's container makes; any other type as it is.
  private func held(_ type: SwiftType) -> SwiftType {
    if case .external(let name, let arguments) = type, Words.factories.contains(name),
      let made = arguments.last
    {
      return made
    }
    return type
  }

  /// The value behind a key of dependencies; the type itself where it is no key.
  private func dependency(_ type: SwiftType) -> SwiftType {
    guard case .declared(let id, _) = type, inherits(id, from: "DependencyKey") else { return type }
    let live = self.type(ofMember: "liveValue", of: .metatype(type))
    return live == .unknown ? type : live
  }

  /// The root of the key paths that the initializer of a wrapper of the sources takes.
  private func rootsTaken(by wrapper: Name, at place: Ref) -> [Name] {
    guard let type = lookUpType(wrapper, from: place).only else { return [] }
    return methods("init", of: type).flatMap { id in
      functions[id].parameters.compactMap { parameter in
        parameter.type.flatMap {
          written(Ref(file: Int(functions[id].ref.file), node: $0))?.rootOfKeyPath
        }
      }
    }
  }
}

extension TypeView {
  /// The first generic argument of `KeyPath<Root, Value>` in a type.
  fileprivate var rootOfKeyPath: Name? {
    var open = [node]
    while let next = open.popLast() {
      if next.kind == .namedType || next.kind == .memberType, let type = TypeView(next),
        let name = type.name?.name, Words.keyPathTypes.contains(name)
      {
        return type.genericArguments.first?.path.first?.name
      }
      open += next.children.reversed()
    }
    return nil
  }
}
