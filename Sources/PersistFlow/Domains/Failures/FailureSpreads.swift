import PersistIndex

/// How failures spread through a program, by what fails; each is worked out when it is asked for.
private final class FailureSpreads {
  private unowned let program: Program
  lazy var stores = FailureSpread(openingStoresOf: program)
  lazy var saves = FailureSpread(program, throwing: program.contextSaves)
  lazy var writes = FailureSpread(
    program,
    program.databaseWrites.map { call in
      (call, program.calledName(call) == "asyncWrite" ? .result(1) : .thrown, false)
    } + program.realmWrites.map { ($0, .thrown, false) })
  lazy var preparations = FailureSpread(
    program,
    program.storePreparations.map { ($0, .thrown, false) }
      + program.compatibilityQuestions.map { ($0, .denied, false) })
  lazy var transfers = FailureSpread(program, throwing: program.storeTransfers)

  init(_ program: Program) { self.program = program }
}

extension Program {
  private var failures: FailureSpreads { once(evenInQueries: true) { FailureSpreads($0) } }

  /// How the failures of opening a store spread through the program.
  package var storeFlow: FailureSpread { failures.stores }
  /// How the failures of saving a context spread through the program.
  package var saveFlow: FailureSpread { failures.saves }
  /// How the failures of writing to databases spread through the program.
  package var writeFlow: FailureSpread { failures.writes }
  /// How the failures of what is done to stores before they are opened spread.
  package var preparationFlow: FailureSpread { failures.preparations }
  /// How the failures of bringing stores to another place spread through the program.
  package var transferFlow: FailureSpread { failures.transfers }
}
