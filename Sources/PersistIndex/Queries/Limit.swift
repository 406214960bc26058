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

extension Limit {
  /// Queries that wait for one another.
  static let openQueries = Limit(200, "questions that wait for one another")
  /// Rounds in which queries that lead back to themselves are asked again.
  static let rounds = Limit(16, "rounds of questions that lead back to themselves")
  /// Rounds in which extensions wait for types that others declare.
  static let joiningRounds = Limit(16, "rounds of extensions of one another's types")
  /// Types from which one inherits, of which the own supertypes are asked for.
  static let supertypes = Limit(100, "types that one inherits from")
  /// Parts of a type.
  static let typeParts = Limit(64, "parts of a type")
  /// Calls from a body to work on a store's files.
  static let fileWorkCalls = Limit(24, "calls between a body and its work on files")
  /// Places that lead to one from its entry points.
  static let reachedSites = Limit(20_000, "places on the ways to one")
  /// Places through which the nearest entry point is looked for.
  static let pathSites = Limit(4_000, "places on the ways to the nearest entry point")
  /// Names in a closure of which the values can be taken out.
  static let readNames = Limit(200, "names in a closure")
  /// Names, calls and marks in one chain.
  static let chainParts = Limit(400, "parts of a chain")
  /// Functions of one name that a call may mean.
  static let overloads = Limit(200, "functions of one name")
  /// Values after `??` that are looked at when the one before them is nil.
  static let alternatives = Limit(16, "values after `??`")
  /// Values and, counted twice, functions that a condition before a deletion is followed into.
  static let conditionSteps = Limit(4, "steps into the condition of a deletion")
  /// Places of work on files that one function may have.
  static let fileWork = Limit(64, "places where one function works on files")
  /// Elements of a list over which a migration loops.
  static let loopElements = Limit(64, "elements of a list that a migration loops over")
  /// Bodies that the code inside `perform` of one context may call.
  static let performedBodies = Limit(2_000, "bodies that `perform` may run")
  /// Bodies that lead to what sends to one publisher.
  static let senders = Limit(64, "bodies that lead to what sends to one publisher")
  /// Statements before one that are looked at for what they do, the nearest ones first.
  static let statementsBefore = Limit(200, "statements before one")
  /// Constants that one constant is made of, one inside of the other.
  static let constants = Limit(12, "constants inside of one another")
  /// Places and forms that the failure of one call takes.
  static let failurePlaces = Limit(500, "places that one failure comes to")
  /// Values that are looked at for the origins of one.
  static let origins = Limit(400, "values that one comes from")
  /// Values and functions through which an object is followed to where its function makes it.
  package static let ownObjects = Limit(12, "values between an object and where it is made")
  /// Wholes and owners with which an object ends.
  package static let owners = Limit(16, "owners of an object")
  /// Functions that one handler of a stage calls.
  static let handlerCalls = Limit(32, "functions that a migration stage calls")
  /// Functions and values through which a list is put together.
  static let listSteps = Limit(24, "steps to the elements of a list")
  /// Members through which a stage is named.
  static let stageNames = Limit(12, "names of one migration stage")
  /// Structs inside of one another that an attribute stores.
  static let storedStructs = Limit(12, "stored structs inside of one another")
  /// Types inside of one another that a property has.
  static let typeDepth = Limit(64, "types inside of one another")
  /// Parentheses and `!` inside of one another in a condition of `#if`.
  static let conditionDepth = Limit(64, "conditions inside of one another")
  /// Values from which an object may come that leaves `perform`.
  static let outlets = Limit(128, "values from which an object may come")
}
