import PersistIndex
import PersistSyntax

// MARK: - Types, and the schemas that are made of them

extension KnownValues {
  /// The type that a name stands for.
  func type(at node: Ref, _ run: LocalRun<KnownValues>) -> Known {
    if case .type(let type)? = program.declared(node) {
      if program.nameText(node) == "Self", case .type = own { return own }
      return self.type(type)
    }
    if let given = generic(program.name(node), run) { return given }
    if case .metatype(.declared(let type, _)) = program.type(of: node) { return self.type(type) }
    guard program.declared(node) == nil else { return .other }
    return .foreignType([program.nameText(node)])
  }

  /// A type behind its aliases; nothing where a clause of `#if` that may be built has another one.
  private func type(_ type: TypeID) -> Known {
    program.hasAlternative(type) ? .other : .type(program.resolveAlias(type))
  }

  /// What a generic parameter stands for where a parameter takes the type itself; nil for any other
  /// name.
  private func generic(_ name: Name, _ run: LocalRun<KnownValues>) -> Known? {
    guard let id = run.body.function else { return nil }
    let function = program.functions[id]
    let taking = function.parameters.first { parameter in
      let type = parameter.type.map {
        program.signatureType(ofTypeNode: Ref(file: Int(function.ref.file), node: $0))
      }
      guard case .metatype(.parameter(let found))? = type else { return false }
      return found.name == name
    }
    return taking.map { run.mark(ofLocal: Ref(file: Int(function.ref.file), node: $0.node)) }
  }

  /// The type that a member of another one, or of a module, is.
  func type(_ name: Name, _ node: Ref, in outer: Known) -> Known {
    switch outer {
    case .type(let type):
      program.nestedType(name, in: type, file: Int(node.file)).only.map { self.type($0) } ?? .other
    case .foreignType(let names): name == "self" ? outer : type(node, behind: names)
    default: .other
    }
  }

  private func type(_ node: Ref, behind names: [String]) -> Known {
    let names = names + [program.nameText(node)]
    guard names.last?.first?.isUppercase ?? false else { return .other }
    switch program.lookUpType(names.map { Name($0) }, from: node) {
    case .found(let type): return self.type(type)
    case .absent: return .foreignType(names)
    case .ambiguous: return .other
    }
  }

  /// What a call makes of which schemas are: a schema, a version's number, a stage, a configuration, a
  /// column.
  func part(_ site: CallSite, _ call: Ref, _ arguments: [Known]) -> Known? {
    switch flow.facts.target(call) {
    case .functions, .initializer, .closure: return nil
    case .externalInitializer(.external(let type, _)):
      return Frameworks.schemaParts.contains(type) ? .made(call, arguments) : nil
    default:
      let isStage = site.arguments.first?.label == Frameworks.stageLabel
      return isStage || site.name == Frameworks.schemaVersion ? .made(call, arguments) : nil
    }
  }
}

extension Program {
  /// Whether another clause of an `#if` that the sources don't decide declares the same name.
  package func hasAlternative(_ type: TypeID) -> Bool {
    let declaration = types[type]
    guard ancestors(declaration.ref).contains(where: { kind($0) == .ifConfigClause }) else {
      return false
    }
    let twins =
      declaration.parent.map { ownTypes($0, declaration.name) }
      ?? topLevelTypes(named: declaration.name)
    return twins.contains { twin in
      let ref = types[twin].ref
      return twin != type && isBuilt(ref) && areAlternatives(ref, declaration.ref)
    }
  }
}
