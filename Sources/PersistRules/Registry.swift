import PersistIndex
import PersistPages

/// All rules, and how they are run.
package enum Registry {
  /// The rules in alphabetical order of their ids.
  package static let rules: [any Rule.Type] = [
    BatchChangeNotMerged.self,
    BatchDeleteViolatesInverse.self,
    ChangeInWillSave.self,
    ChildContextNotSaved.self,
    CloudkitIncompatibleModel.self,
    ContainerModifierCannotRecover.self,
    ContainerNotOnNewestSchema.self,
    ContextCapturedInDetachedTask.self,
    ContextNeverMerges.self,
    ContextOutlivesContainer.self,
    CoreDataMigrationDisabled.self,
    CurrentModelVersionGoneBack.self,
    CursorRowKept.self,
    DatabaseAccessInsideAccess.self,
    DefaultSharedByOldRows.self,
    DestructiveMigrationEnabled.self,
    DiskSpaceUnchecked.self,
    DuplicateVersionIdentifier.self,
    FailedFetchTakenForEmpty.self,
    FallbackToAnotherStore.self,
    FatalErrorOnSave.self,
    FatalErrorOnStoreOpen.self,
    FrozenMigrationEdited.self,
    FrozenSchemaEdited.self,
    HistoryNeverTrimmed.self,
    IdenticalSchemaVersions.self,
    IdentifierTakenBeforeSave.self,
    InMemoryFallback.self,
    InvalidSuppression.self,
    InverseOfAnotherModel.self,
    LightweightMigrationImpossible.self,
    MainThreadWaitsForContext.self,
    ManagedObjectOutsideContext.self,
    MergePolicyMissing.self,
    MigrationDropsData.self,
    MigrationErrorSwallowed.self,
    MigrationPlanUnused.self,
    MigrationPositionalInsert.self,
    MigrationStageMissing.self,
    MigrationStageTypeMismatch.self,
    MigrationStageWithoutSave.self,
    MigrationUsesLiveRecord.self,
    ModelActorOnMain.self,
    ModelActorWithoutSave.self,
    ModelCapturedInDetachedTask.self,
    ModelCrossesActor.self,
    ModelKeptAfterWipe.self,
    ModelMissingFromSchema.self,
    ModelUsedAfterDelete.self,
    ModelUsedAfterSuspension.self,
    ModelsWithoutVersionedSchema.self,
    ObjectDeletedInOtherContext.self,
    RealmEmbeddedWithoutMigration.self,
    RealmMigrationSetTooLate.self,
    RealmObjectCrossesThread.self,
    RealmObjectInvalidated.self,
    RealmSchemaVersion.self,
    RealmWriteOutsideTransaction.self,
    RelationshipAcrossContexts.self,
    RelationshipWithoutInverse.self,
    RenamedWithoutOriginalName.self,
    RequiredPropertyWithoutDefault.self,
    ReservedPropertyName.self,
    SchemaVersionNotInPlan.self,
    SchemaVersionUsesLiveModel.self,
    SharedCodableInFrozenSchema.self,
    SharedDatabaseWithoutBusyMode.self,
    SharedStoreWithoutLock.self,
    StagedMigrationIntroduced.self,
    StoreAccessWithoutBackgroundAssertion.self,
    StoreDeletedWithoutBackup.self,
    StoreDescriptionWithoutUrl.self,
    StoreOpenFailureUnlogged.self,
    StoreOpenedRepeatedly.self,
    StoreOpenedWithFewerModels.self,
    StoreSidecarsForgotten.self,
    StoreWithoutHistoryTracking.self,
    SwallowedSaveError.self,
    SyncedRelationshipUnwrapped.self,
    TransformableWithoutSecureTransformer.self,
    UncheckedIdentifierLookup.self,
    UncheckedSendableModel.self,
    UnknownOriginalName.self,
    UnorderedRelationshipReadByPosition.self,
    UnsupportedPredicate.self,
  ]

  /// The ids of all rules.
  package static let ids = Set(rules.map { $0.id })

  /// The rules that need a lock file, or another state of the sources, to find all they can.
  package static let comparing = Set(rules.filter { $0.comparesWithShipped }.map { $0.id })

  /// The rules whose findings may have a fix.
  package static let mending = Set(rules.filter { $0.mends }.map { $0.id })

  /// The rules whose silence means that there is nothing to find: those that are on by default, or
  /// those of `ids`, without the ones that lack what they compare with.
  package static func judging(_ program: Program, ids: Set<RuleID>? = nil) -> Set<RuleID> {
    let judging = ids ?? Set(RulePage.all.filter { $0.severity != nil }.map(\.id))
    return program.schemaInput.base == nil ? judging.subtracting(comparing) : judging
  }

  /// The rules that are on by default, or those of `ids`; those of a group stand together, because
  /// they ask for much the same.
  package static func asked(_ ids: Set<RuleID>? = nil) -> [any Rule.Type] {
    let pages = Dictionary(
      RulePage.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let asked = rules.filter { ids?.contains($0.id) ?? (pages[$0.id]?.severity != nil) }
    func place(_ rule: any Rule.Type) -> (Int, String, String) {
      (rule.analysis.rawValue, pages[rule.id]?.group ?? "", rule.id.text)
    }
    return asked.sorted { place($0) < place($1) }
  }

  /// Runs the rules that are on by default, or those of `ids`; sorted by path, offset, rule.
  /// Without `makesFixes` no finding has one but those that cost nothing.
  package static func check(
    _ program: Program, ids: Set<RuleID>? = nil, makesFixes: Bool = true,
    watch: Watch = .none
  ) -> [Finding] {
    asked(ids).flatMap { check(program, by: $0, makesFixes: makesFixes, watch: watch) }
      .sortedForReport
  }

  /// What one rule finds, in no order.
  package static func check(
    _ program: Program, by rule: any Rule.Type, makesFixes: Bool, watch: Watch
  ) -> [Finding] {
    let severity = RulePage.all.first { $0.id == rule.id }?.severity
    var findings = Findings(
      of: rule.id, severity: severity ?? .warning, in: program, makesFixes: makesFixes,
      watch: watch)
    return watch(.rule(rule.id)) {
      rule.init().check(program, into: &findings)
      return findings.all
    } ?? []
  }
}

extension [Finding] {
  /// Sorted by path, offset and rule, each finding once.
  package var sortedForReport: [Finding] {
    var seen: Set<Finding> = []
    return filter { seen.insert($0).inserted }.sorted {
      ($0.location.path, $0.location.start.offset, $0.rule, $0.message)
        < ($1.location.path, $1.location.start.offset, $1.rule, $1.message)
    }
  }
}
