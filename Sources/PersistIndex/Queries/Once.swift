extension Program {
  /// What is worked out once about the whole program, for everybody who asks.
  ///
  /// It has to follow from the program alone. While a query is open it is made anew and not kept,
  /// because what the query knows by then may still change; what is too much for that is kept then too.
  package func once<Value: AnyObject>(
    evenInQueries isKept: Bool = false, _ make: (Program) -> Value
  ) -> Value {
    let key = ObjectIdentifier(Value.self)
    if let known = workedOut[key] as? Value { return known }
    let made = make(self)
    if isKept || queries.isSettled { workedOut[key] = made }
    return made
  }

  /// Whether what is worked out now depends on queries that are open, or was cut short by a limit.
  package var isTied: Bool { queries.isTied }

  /// Whether no query is open, so that what is worked out now is final.
  package var isSettled: Bool { queries.isSettled }
}
