/// A bound of the analysis, so that no input makes it slow or deep; where one cuts a question
/// short, `--statistics` says so.
package struct Limit: Hashable, Sendable {
  /// The first number that is too much.
  package let count: Int
  /// What is counted, in the plural.
  package let subject: String

  private init(_ count: Int, _ subject: String) {
    self.count = count
    self.subject = subject
  }
}

// MARK: - Queries

extension Limit {
  /// Queries that wait for one another.
  static let openQueries = Limit(200, "questions that wait for one another")
  /// Rounds in which queries that lead back to themselves are asked again.
  static let rounds = Limit(16, "rounds of questions that lead back to themselves")
  /// Rounds in which extensions wait for types that others declare.
  static let joiningRounds = Limit(100, "rounds of extensions of one another's types")
  /// Typealiases of which one names the other.
  static let typealiases = Limit(200, "typealiases that name one another")
}

// MARK: - Names and types

extension Limit {
  /// Functions of one name that a call may mean.
  static let overloads = Limit(200, "functions of one name")
  /// Names, calls and marks in one chain.
  static let chainParts = Limit(400, "parts of a chain")
  /// Types from which one inherits, of which the own supertypes are asked for.
  static let supertypes = Limit(100, "types that one inherits from")
  /// Classes that a model inherits from, one above the other.
  package static let superclasses = Limit(16, "classes above one another")
  /// Parts of a type.
  static let typeParts = Limit(64, "parts of a type")
  /// Elements of an array by which its type is told.
  static let elements = Limit(16, "elements that tell the type of an array")
  /// Operands inside of one another in one expression whose type is asked for.
  static let operands = Limit(200, "operands inside of one another")
  /// Parentheses and `!` inside of one another in a condition of `#if`.
  static let conditionDepth = Limit(64, "conditions inside of one another")
}

// MARK: - Values

extension Limit {
  /// Names and calls that a flag is followed over.
  static let flagNames = Limit(24, "names that a flag is followed over")
  /// Names and calls that a value is followed over.
  static let valueNames = Limit(24, "names that a value is followed over")
  /// Functions that one after the other give what is made anew.
  static let freshValues = Limit(4, "functions that give a fresh value")
  /// Places that make a value of one type, of which all are read.
  package static let makers = Limit(9, "places that make a value of one type")
}

// MARK: - Calls and failures

extension Limit {
  /// Statements before one that are looked at for what they do, the nearest ones first.
  package static let statementsBefore = Limit(200, "statements before one")
  /// Places that lead to one from its entry points.
  static let reachedSites = Limit(20_000, "places on the ways to one")
  /// Places through which the nearest entry point is looked for.
  static let pathSites = Limit(4_000, "places on the ways to the nearest entry point")
  /// Functions of which one hands on to the other what a fetch has found.
  package static let fetchers = Limit(16, "functions that hand on what a fetch has found")
}

// MARK: - Stores and their files

extension Limit {
  /// Places of work on files that one function may have.
  package static let fileWork = Limit(64, "places where one function works on files")
  /// Bodies that are searched for what may happen in them.
  package static let eventBodies = Limit(400, "bodies that are searched for what happens in them")
  /// Calls from a body to work on a store's files.
  package static let fileWorkCalls = Limit(24, "calls between a body and its work on files")
  /// Constants and functions that spell a store's file.
  package static let fileConstants = Limit(8, "values that spell one file")
  /// Bodies that are run for one text.
  package static let textRuns = Limit(200, "runs of bodies for one text")
  /// Parts of what one value is, such as the properties of an instance and what they hold.
  package static let valueParts = Limit(400, "parts of one value")
  /// Runs of bodies for what one call opens: what makes a container may stand in a long initializer.
  package static let openingRuns = Limit(8000, "runs of bodies for one opening")
  /// Values and code that the context of one call comes from.
  package static let openerSteps = Limit(200, "values that one context comes from")
  /// What code does with stores while one question is open.
  package static let storeEffects = Limit(2000, "effects on stores for one question")
  /// Files that one value may name.
  package static let storePaths = Limit(13, "files that one value may name")
  /// Calls between a body and a name that it is asked for.
  static let callsWithin = Limit(4, "calls that may lead to a name")
  /// Values and, counted twice, functions that a condition before a deletion is followed into.
  package static let conditionSteps = Limit(4, "steps into the condition of a deletion")
}

// MARK: - Schemas and migrations

extension Limit {
  /// Structs inside of one another that an attribute stores.
  package static let storedStructs = Limit(12, "stored structs inside of one another")
  /// Functions that one handler of a stage calls.
  package static let handlerCalls = Limit(32, "functions that a migration stage calls")
  /// Elements of a list over which a migration loops.
  package static let loopElements = Limit(64, "elements of a list that a migration loops over")
  /// Functions, one called by the other, of which a migration is put together.
  package static let migrationCalls = Limit(8, "functions that a migration is spread over")
  /// Nodes of a migration that are read.
  package static let migrationNodes = Limit(60_000, "parts of one migration")
  /// Bytes of a manifest in which its first line is looked for.
  static let toolsVersion = Limit(200, "bytes of a manifest's first line")
}

// MARK: - Fixes

extension Limit {
  /// Nodes in which a file's indentation is looked for.
  package static let layoutNodes = Limit(10_001, "nodes that show a file's indentation")
}
