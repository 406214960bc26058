import PersistFlow
import PersistIndex
import PersistSyntax

/// The types of the sources as those see them who read schemas: with the clauses of `#if` that one
/// platform compiles, and with a type that others may stand for told apart from none.
final class SchemaTypes {
  let program: Program
  let conditions: SchemaConditions
  /// The static members of types by their names.
  var staticMembers: [TypeID: [String: [SchemaMember]]] = [:]

  /// Asks a program that nothing else asks, because what is read here outlives it.
  init(_ program: Program) {
    self.program = program
    conditions = SchemaConditions(platform: program.platform)
  }

  // MARK: Nodes

  /// The declaration of a type.
  func declaration(_ type: TypeID) -> NodeView { program.nodeView(program.types[type].ref) }

  /// The place of a node.
  func place(_ node: NodeView) -> SchemaPlace {
    SchemaPlace(
      path: file(node.ref).path, range: node.outline.byteRange(of: node.index), ref: node.ref)
  }

  /// The place of the token that names a node, or of the whole node.
  func namePlace(_ node: NodeView) -> SchemaPlace {
    var place = place(node)
    if let token = node.name?.token { place.range = Int(token.offset)..<token.end }
    return place
  }

  /// Whether a node stands in test code or documentation, which no app ships.
  func isTest(_ ref: Ref) -> Bool { file(ref).isTest || file(ref).isDocumentation }

  private func file(_ ref: Ref) -> SourceFile { program.files[Int(ref.file)] }

  /// Whether every condition around a node may hold.
  private func isActive(_ ref: Ref) -> Bool { program.isBuilt(ref) }

  // MARK: Types

  /// The simple name of a type, of one from elsewhere too that the sources extend.
  func name(_ type: TypeID) -> String {
    let declaration = declaration(type)
    return declaration.name?.text ?? declaration.child(.type)?.text ?? ""
  }

  /// Whether a type has generic parameters.
  func isGeneric(_ type: TypeID) -> Bool { declaration(type).child(.genericParameters) != nil }

  /// Whether a declaration is a typealias.
  func isAlias(_ type: TypeID) -> Bool { program.types[type].kind == .typealiasDecl }

  /// The names of the types around and of the type itself, with points between.
  func qualifiedName(_ type: TypeID) -> String {
    let names = [name(type)] + outer(type).map(name)
    return names.reversed().joined(separator: ".")
  }

  /// The name of a type that a value is; nil where it is anything else.
  func name(of value: Known) -> String? {
    switch value {
    case .type(let type): qualifiedName(type)
    case .foreignType(let names): names.joined(separator: ".")
    default: nil
    }
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
    declarations(of: type).flatMap { declaration in
      declaration.child(.inheritance)?.children(.type).map { TypeName($0) } ?? []
    }
  }

  /// The nodes in which members of a type stand: its own and those of its extensions.
  func memberLists(of type: TypeID) -> [NodeView] {
    declarations(of: type).compactMap { $0.child(.members) }
  }

  /// The declaration of a type and its extensions.
  private func declarations(of type: TypeID) -> [NodeView] {
    let declaration = program.types[type]
    let isStandIn = declaration.kind == .extensionDecl
    return ((isStandIn ? [] : [declaration.ref]) + declaration.extensions.filter(isActive))
      .map(program.nodeView)
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

  /// The types that conform to a protocol of SwiftData, and not to one of the project's own that has
  /// its name, in the order of paths and places.
  func types(conformingTo word: String) -> [TypeID] {
    let direct = types(inFilesUsing: Name(word)).filter { type in
      let declaration = program.types[type]
      return maySpeakOfSwiftData(declaration.ref)
        && inheritance(of: type).contains { $0.text == word || $0.text == "SwiftData.\(word)" }
        && lookUp([word], from: declaration.ref) == .absent
    }
    let refined = Set(direct.filter { program.types[$0].kind == .protocolDecl })
    let heirs = program.types(inheritingFrom: Set(refined.map { program.types[$0].name }))
      .filter { type in
        !isLocal(type) && isActive(program.types[type].ref)
          && program.lineage(of: type).contains(where: refined.contains)
      }
    return ordered(
      (direct + heirs).filter {
        ![.typealiasDecl, .protocolDecl, .extensionDecl].contains(program.types[$0].kind)
      })
  }

  /// The files that may make containers, tests left out, in the order of their paths.
  func filesWithContainers() -> [NodeView] {
    program.files(usingAny: ["ModelContainer", "modelContainer", "ModelConfiguration"] as [Name])
      .map { Ref(file: $0, node: 0) }.filter { maySpeakOfSwiftData($0) && !isTest($0) }
      .sorted { file($0).path < file($1).path }.map(program.nodeView)
  }

  /// Whether `@Model` and `VersionedSchema` can be SwiftData's in the file of a node.
  func maySpeakOfSwiftData(_ ref: Ref) -> Bool {
    program.exportsSwiftData || file(ref).imports("SwiftData")
  }

  /// The types that the files which hold a word declare or extend, those inside of functions left
  /// out.
  private func types(inFilesUsing word: Name) -> [TypeID] {
    var found: [TypeID] = []
    for file in program.files(using: word).map({ Ref(file: $0, node: 0) })
    where maySpeakOfSwiftData(file) {
      collect(in: program.nodeView(file), into: &found)
    }
    return found
  }

  private func collect(in list: NodeView, into found: inout [TypeID]) {
    list.forEachActive(conditions) { declaration, _ in
      guard let type = program.type(declaredAt: declaration.ref) else { return }
      found.append(type)
      if let members = declaration.child(.members) { collect(in: members, into: &found) }
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
  func lookUp(_ names: [String], from place: Ref) -> NameChoice<TypeID> {
    let found = program.lookUpType(names.map { Name($0) }, from: place)
    guard let type = found.only, program.hasAlternative(type) else { return found }
    return .ambiguous([])
  }

  /// Looks up a type and follows typealiases to the declaration behind them.
  func resolve(_ names: [String], from place: Ref) -> TypeID? {
    guard let type = lookUp(names, from: place).only else { return nil }
    let nominal = program.resolveAlias(type)
    return isAlias(nominal) ? nil : nominal
  }
}
