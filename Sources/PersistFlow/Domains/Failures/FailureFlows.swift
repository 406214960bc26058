import PersistIndex

/// How failures spread through a program, by what fails; each is worked out when it is asked for.
private final class FailureFlows {
  private unowned let program: Program
  lazy var stores = FailureFlow(openingStoresOf: program)
  lazy var saves = FailureFlow(program, throwing: program.contextSaves)
  lazy var writes = FailureFlow(
    program,
    program.databaseWrites.map { call in
      (call, program.calledName(call) == "asyncWrite" ? .result(1) : .thrown, false)
    } + program.realmWrites.map { ($0, .thrown, false) })
  lazy var preparations = FailureFlow(program, throwing: program.storePreparations)
  lazy var transfers = FailureFlow(program, throwing: program.storeTransfers)

  init(_ program: Program) { self.program = program }
}

extension Program {
  private var failures: FailureFlows { once(evenInQueries: true) { FailureFlows($0) } }

  /// How the failures of opening a store spread through the program.
  package var storeFlow: FailureFlow { failures.stores }
  /// How the failures of saving a context spread through the program.
  package var saveFlow: FailureFlow { failures.saves }
  /// How the failures of writing to databases spread through the program.
  package var writeFlow: FailureFlow { failures.writes }
  /// How the failures of what is done to stores before they are opened spread.
  package var preparationFlow: FailureFlow { failures.preparations }
  /// How the failures of bringing stores to another place spread through the program.
  package var transferFlow: FailureFlow { failures.transfers }
}
