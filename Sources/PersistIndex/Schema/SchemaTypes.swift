import PersistSyntax

/// The types of the sources as those see them who read schemas: with the clauses of `#if` that one
/// platform compiles, and with a type that others may stand for told apart from none.
final class SchemaTypes {
  let program: Program
  let conditions: SchemaConditions
  private var sources: [Int: SchemaSource] = [:]
  /// The static members of types by their names, with how many extensions were known then.
  var staticMembers: [TypeID: (extensions: Int, byName: [String: [SchemaMember]])] = [:]

  /// Asks a program that nothing else asks, because what is read here outlives it.
  init(_ program: Program) {
    self.program = program
    conditions = SchemaConditions(platform: program.platform)
  }

  // MARK: Nodes

  /// A file by its index.
  func source(_ file: Int) -> SchemaSource {
    if let known = sources[file] { return known }
    let made = SchemaSource(program.files[file], number: file)
    sources[file] = made
    return made
  }

  /// A node of the program as a part of its file.
  func part(_ ref: Ref) -> Part { Part(source: source(Int(ref.file)), index: Int(ref.node)) }

  /// The declaration of a type.
  func part(ofType type: TypeID) -> Part { part(program.types[type].ref) }

  /// Whether every condition around a node may hold.
  private func isActive(_ ref: Ref) -> Bool { program.isBuilt(ref) }

  // MARK: Types

  /// The simple name of a type, of one from elsewhere too that the sources extend.
  func name(_ type: TypeID) -> String {
    let part = part(ofType: type)
    return part.name ?? part.first(.type)?.text ?? ""
  }

  /// Whether a type has generic parameters.
  func isGeneric(_ type: TypeID) -> Bool { part(ofType: type).first(.genericParameters) != nil }

  /// Whether a declaration is a typealias.
  func isAlias(_ type: TypeID) -> Bool { program.types[type].kind == .typealiasDecl }

  /// The names of the types around and of the type itself, with points between.
  func qualifiedName(_ type: TypeID) -> String {
    let names = [name(type)] + outer(type).map(name)
    return names.reversed().joined(separator: ".")
  }

  /// The types around a type, from the inside out.
  private func outer(_ type: TypeID) -> [TypeID] {
    Array(sequence(first: type) { self.program.types[$0].parent }.dropFirst())
  }

  /// Whether a type is declared inside another one, also by an extension.
  func isInside(_ type: TypeID, _ other: TypeID) -> Bool { outer(type).contains(other) }

  /// Whether a type is declared inside any `VersionedSchema`.
  func isInsideVersion(_ type: TypeID) -> Bool {
    outer(type).contains { outer in
      inheritance(of: outer).contains { $0.simpleName == "VersionedSchema" }
        || program.inherits(outer, from: "VersionedSchema")
    }
  }

  /// What a type inherits from and conforms to, also by its extensions, as it is written.
  func inheritance(of type: TypeID) -> [TypeName] {
    declarations(of: type).flatMap { part in
      part.first(.inheritance)?.all(.type).map { TypeName($0) } ?? []
    }
  }

  /// The nodes in which members of a type stand: its own and those of its extensions.
  func memberLists(of type: TypeID) -> [Part] {
    declarations(of: type).compactMap { $0.first(.members) }
  }

  /// The declaration of a type and its extensions.
  private func declarations(of type: TypeID) -> [Part] {
    let declaration = program.types[type]
    let isStandIn = declaration.kind == .extensionDecl
    return ((isStandIn ? [] : [declaration.ref]) + declaration.extensions.filter(isActive))
      .map(part)
  }

  // MARK: What schemas are made of

  /// The classes with `@Model` and those that inherit from them, in the order of paths and places.
  func modelClasses() -> [TypeID] {
    let marked = types(inFilesUsing: "Model").filter {
      program.types[$0].kind == .classDecl && program.types[$0].attributes.contains("Model")
    }
    let heirs = program.types(inheritingFrom: Set(marked.map { program.types[$0].name }))
    return ordered(marked + heirs.filter { !isLocal($0) && isActive(program.types[$0].ref) })
  }

  /// The types that conform to a protocol of SwiftData, and not to one of the project's own, in the
  /// order of paths and places.
  func types(conformingTo word: String) -> [TypeID] {
    return ordered(
      types(inFilesUsing: Name(word)).filter { type in
        let part = part(ofType: type)
        return ![.typealiasDecl, .protocolDecl, .extensionDecl].contains(part.kind)
          && maySpeakOfSwiftData(program.files[Int(program.types[type].ref.file)])
          && inheritance(of: type).contains { $0.text == word || $0.text == "SwiftData.\(word)" }
          && lookUp([word], from: part) == .absent
      })
  }

  /// The files that may make containers, tests left out, in the order of their paths.
  func sourcesWithContainers() -> [SchemaSource] {
    program.files(usingAny: ["ModelContainer", "modelContainer", "ModelConfiguration"] as [Name])
      .filter { maySpeakOfSwiftData(program.files[$0]) }.map(source).filter { !$0.isTest }
      .sorted { $0.path < $1.path }
  }

  /// Whether `@Model` and `VersionedSchema` can be SwiftData's in a file.
  func maySpeakOfSwiftData(_ file: SourceFile) -> Bool {
    program.exportsSwiftData || file.imports("SwiftData")
  }

  /// The types that the files which hold a word declare or extend, those inside of functions left
  /// out.
  private func types(inFilesUsing word: Name) -> [TypeID] {
    program.files(using: word).filter { maySpeakOfSwiftData(program.files[$0]) }.flatMap { file in
      var found: [TypeID] = []
      collect(in: part(Ref(file: file, node: 0)), into: &found)
      return found
    }
  }

  private func collect(in list: Part, into found: inout [TypeID]) {
    list.forEachActive(conditions) { part, _ in
      guard let type = program.type(declaredAt: part.ref) else { return }
      found.append(type)
      if let members = part.first(.members) { collect(in: members, into: &found) }
    }
  }

  /// Whether a type is declared inside of a function.
  private func isLocal(_ type: TypeID) -> Bool {
    program.ancestors(program.types[type].ref).contains {
      [.block, .closure].contains(program.kind($0))
    }
  }

  /// Types in the order of their paths and places, each once.
  private func ordered(_ types: [TypeID]) -> [TypeID] {
    Set(types).sorted { left, right in
      let (one, other) = (program.types[left].ref, program.types[right].ref)
      let paths = (program.files[Int(one.file)].path, program.files[Int(other.file)].path)
      return paths.0 == paths.1 ? one < other : paths.0 < paths.1
    }
  }

  // MARK: Look-up

  /// Looks up `A.B.C` from a place; a typealias at the end isn't followed.
  func lookUp(_ names: [String], from place: Part) -> NameChoice<TypeID> {
    let found = program.lookUpType(names.map { Name($0) }, from: place.ref)
    guard let type = found.only, hasAlternative(type) else { return found }
    return .ambiguous
  }

  /// Whether another clause of an `#if` that the sources don't decide declares the same name.
  private func hasAlternative(_ type: TypeID) -> Bool {
    let declaration = program.types[type]
    guard
      program.ancestors(declaration.ref).contains(where: { program.kind($0) == .ifConfigClause })
    else { return false }
    let twins =
      declaration.parent.map { program.ownMembers($0, declaration.name)?.types ?? [] }
      ?? program.topLevelTypes(named: declaration.name)
    return twins.contains { twin in
      let ref = program.types[twin].ref
      return twin != type && isActive(ref) && program.areAlternatives(ref, declaration.ref)
    }
  }

  /// Looks up a type and follows typealiases to the declaration behind them.
  func resolve(_ names: [String], from place: Part) -> TypeID? {
    guard let type = lookUp(names, from: place).only else { return nil }
    let nominal = program.resolveAlias(type)
    return isAlias(nominal) ? nil : nominal
  }
}
