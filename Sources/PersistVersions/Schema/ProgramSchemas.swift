import PersistIndex

/// The schemas of a program, as its platforms see them.
private final class ProgramSchemas {
  let main: SchemaProgram
  private unowned let program: Program
  private(set) lazy var built = program.findPlatformSchemas()
  private(set) lazy var named = program.findClauseSchemas()
  private(set) lazy var areMappedByHand = program.findsMappingByHand()

  init(_ program: Program) {
    self.program = program
    main = program.index.schema(on: program.mainPlatform)
  }
}

extension Program {
  private var schemas: ProgramSchemas { once(evenInQueries: true) { ProgramSchemas($0) } }

  /// The schema versions, plans and models of the files.
  package var schema: SchemaProgram { schemas.main }
  /// The schemas as each platform that the project builds sees them, where `#if` may divide a plan;
  /// the first one is `schema`.
  package var platformSchemas: [PlatformSchema] { schemas.built }
  /// The schemas as the platforms see them that some `#if` names, built or not.
  package var clauseSchemas: [PlatformSchema] { schemas.named }
  /// Whether the sources map Core Data models by hand, so that nothing is inferred.
  package var mapsDataModelsByHand: Bool { schemas.areMappedByHand }
}

/// The schemas that the threads of a run have asked for, by the platforms whose code declares them.
private struct SharedSchemas: Sendable {
  let known = Guarded<[String: SchemaProgram]>([:])
}

extension SourceIndex {
  private var schemas: Guarded<[String: SchemaProgram]> { once { SharedSchemas() }.known }

  /// The schemas as the code of one platform declares them; made once.
  func schema(on platform: String) -> SchemaProgram {
    schemas.whileHeld { schemas in
      if let known = schemas[platform] { return known }
      let made = SchemaProgram(Program(self, platform: platform))
      schemas[platform] = made
      return made
    }
  }

  /// What cut the reading of the schemas short that were asked for.
  package var limitsHit: Set<Limit> {
    schemas.whileHeld { $0.values.reduce(into: []) { $0.formUnion($1.limitsHit) } }
  }
}
