import PersistIndex
import PersistSyntax

// MARK: - Subscripts of the sources

extension ProgramFacts {
  /// The subscripts that a value in front of one has, by its written type.
  func subscripts(before node: Ref, _ labels: [Name]) -> [FunctionID] {
    guard let chain = program.parent(node) else { return [] }
    switch program.type(ofChain: chain, upTo: node).unwrapped {
    case .declared(let type, _): return subscripts(of: type, labels)
    case .external(let name, _):
      return program.foreignType(named: name).map { subscripts(of: $0, labels) } ?? []
    default: return []
    }
  }

  /// The subscripts of a type and what it inherits from that take such arguments.
  func subscripts(of type: TypeID, _ labels: [Name]) -> [FunctionID] {
    let all = subscriptsOfTypes[type] ?? findSubscripts(of: type)
    subscriptsOfTypes[type] = all
    return all.filter { id in
      let function = program.functions[id]
      return function.parameters.map { label(of: $0, in: function) } == labels
    }
  }

  private func findSubscripts(of type: TypeID) -> [FunctionID] {
    ([type] + program.lineage(of: type).filter { $0 != type }).flatMap { owner in
      program.types[owner].functions.filter {
        program.functions[$0].kind == .subscriptDecl && !program.functions[$0].isStatic
      }
    }
  }

  /// A parameter of a subscript has a label where two names are written.
  private func label(of parameter: Parameter, in function: FunctionDeclaration) -> Name {
    let node = program.node(Ref(file: Int(function.ref.file), node: parameter.node))
    return node.label == node.name ? .none : parameter.label
  }

  /// The getter and the setter of a subscript.
  func accessors(ofSubscript id: FunctionID) -> [BodyID] {
    program.children(program.functions[id].ref, .accessors).flatMap { list in
      program.children(list, .accessor).compactMap { bodies.body(at: $0) }
    }
  }
}

// MARK: - Wrappers of the sources that keep something

extension ProgramFacts {
  /// The property of a type by its name, or by that of its own wrapper: `_context`.
  func storedProperty(_ name: Name, of type: TypeID) -> PropertyID? {
    if case .property(let id)? = member(name, of: type) { return id }
    return program.types[type].properties.first { id in
      keepsWrapper(id) && Name("_" + program.nameText(program.properties[id].ref)) == name
    }
  }

  /// Whether a property has a wrapper of the sources that keeps what it hands out.
  func keepsWrapper(_ property: PropertyID) -> Bool {
    let declaration = program.properties[property]
    guard !declaration.attributes.isEmpty, !declaration.isComputed else { return false }
    return !keepingWrappers.isDisjoint(with: declaration.attributes)
  }
}
