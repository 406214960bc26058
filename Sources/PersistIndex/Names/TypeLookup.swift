import PersistSyntax

/// The type that the first names of a path mean, and the names that are left.
struct PathHead: Equatable {
  let type: TypeID
  let rest: ArraySlice<Name>
}

// MARK: - Looking types up as Swift does

extension Program {
  /// What a path of names means at a place; a typealias at its end isn't followed.
  package func lookUpType(_ path: [Name], from place: Ref) -> NameChoice<TypeID> {
    guard let first = path.first, scope(ofGenericParameter: first, at: place) == nil else {
      return .absent
    }
    switch lookUpHead(of: path, from: place) {
    case .found(let head): return lookUp(head.rest, in: head.type, file: Int(place.file))
    case .ambiguous: return .ambiguous([])
    case .absent: return .absent
    }
  }

  /// The type with which a path begins, behind the name of a module where that comes first.
  func lookUpHead(of path: [Name], from place: Ref) -> NameChoice<PathHead> {
    guard let first = path.first else { return .absent }
    if first == "Self", let own = enclosingType(place) {
      return .found(PathHead(type: own, rest: path.dropFirst()))
    }
    switch lookUpType(first, from: place) {
    case .found(let type): return .found(PathHead(type: type, rest: path.dropFirst()))
    case .ambiguous: return .ambiguous([])
    case .absent: break
    }
    guard path.count > 1 else { return .absent }
    switch topLevelType(path[1], inModule: first, file: Int(place.file)) {
    case .found(let type): return .found(PathHead(type: type, rest: path.dropFirst(2)))
    case .ambiguous: return .ambiguous([])
    case .absent: return .absent
    }
  }

  /// The type that a path of names means inside of another one.
  func lookUp(_ path: ArraySlice<Name>, in outer: TypeID, file: Int) -> NameChoice<TypeID> {
    var type = outer
    for name in path {
      switch nestedType(name, in: type, file: file) {
      case .found(let next): type = next
      case let other: return other
      }
    }
    return .found(type)
  }

  /// The type that a name means at a place: one of the enclosing types or their members, from the
  /// inside out, or one at top level.
  func lookUpType(_ name: Name, from place: Ref) -> NameChoice<TypeID> {
    let file = Int(place.file)
    var inner = place
    while let current = parent(inner) {
      if let enclosing = type(declaredAt: current) {
        let isExtension = kind(current) == .extensionDecl
        if types[enclosing].name == name, !isExtension { return .found(enclosing) }
        // What a type inherits from can't be one of its members.
        if kind(inner) != .inheritance || isExtension {
          let nested = nestedType(name, in: enclosing, file: file)
          if nested != .absent { return nested }
        }
      } else if [.block, .closure, .switchCase].contains(kind(current)),
        let local = localType(name, in: current)
      {
        return .found(local)
      }
      inner = current
    }
    return topLevelType(name, file: file)
  }

  /// The nested type that a name of a file means in a type or its supertypes.
  package func nestedType(_ name: Name, in type: TypeID, file: Int) -> NameChoice<TypeID> {
    for owner in lineage(of: type) {
      guard let candidates = ownMembers(owner, name)?.types, !candidates.isEmpty else { continue }
      let choice = choice(among: candidates, file: file)
      if choice != .absent { return choice }
    }
    return .absent
  }

  /// The top-level type that a name means in a file.
  func topLevelType(_ name: Name, file: Int) -> NameChoice<TypeID> {
    choice(among: topLevelTypes(named: name), file: file)
  }

  /// The top-level type that a name means in a file behind the name of a module and a period.
  func topLevelType(_ name: Name, inModule module: Name, file: Int) -> NameChoice<TypeID> {
    let from = files[file]
    let candidates = topLevelTypes(named: name).filter {
      from.isModule(module, of: files[Int(types[$0].ref.file)])
    }
    return choice(among: candidates, file: file)
  }

  /// The types of the sources of which one is meant where a file names one that isn't told: targets
  /// may each have their own.
  func namesakes(of type: SwiftType, file: Int) -> [TypeID] {
    guard case .external(let name, _) = type.unwrapped,
      case .ambiguous(let all) = topLevelType(name, file: file)
    else { return [] }
    return all
  }

  private func choice(among all: [TypeID], file: Int) -> NameChoice<TypeID> {
    declarations.conditions.choice(
      among: builtTogether(all.filter { !isHidden($0, from: file) }, with: file), of: types,
      file: file)
  }

  /// Those of several types that targets of a project build together with a file; all where there
  /// are none.
  private func builtTogether(_ all: [TypeID], with file: Int) -> [TypeID] {
    guard all.count > 1, case let own = Set(targetsOfFiles[file]), !own.isEmpty
    else { return all }
    let together = all.filter { type in
      !own.isDisjoint(with: targetsOfFiles[Int(types[type].ref.file)])
    }
    return together.isEmpty ? all : together
  }

  /// Whether a type of the name of a framework's is none that a file of a target can mean, because
  /// its own file is built with nothing: an example beside the app that stands in for the framework.
  private func isHidden(_ type: TypeID, from file: Int) -> Bool {
    let holder = Int(types[type].ref.file)
    guard holder != file, Words.frameworkTypes.contains(types[type].name) else { return false }
    return isBuiltWithNothing(holder) && !targetsOfFiles[file].isEmpty
  }
}
