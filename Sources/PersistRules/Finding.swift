import PersistPages

/// The rules' names come from their pages; here so that a rule needs no import for its own.
package typealias RuleID = PersistPages.RuleID
/// The severities that pages and findings have.
package typealias Severity = PersistPages.Severity

/// A place between two bytes of a file: offset from 0, line and column from 1, all in UTF-8 bytes.
package struct Position: Hashable, Sendable {
  package let offset: Int
  package let line: Int
  package let column: Int

  package init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }
}

/// A range of one file; `path` is relative to the root with `/` between, `end` is exclusive.
package struct Location: Hashable, Sendable {
  package let path: String
  package let start: Position
  package let end: Position

  package init(path: String, start: Position, end: Position) {
    self.path = path
    self.start = start
    self.end = end
  }
}

/// Another place that explains a finding, such as the opener whose failure is judged.
package struct RelatedLocation: Hashable, Sendable {
  package let location: Location
  package let message: String

  package init(location: Location, message: String) {
    self.location = location
    self.message = message
  }
}

/// One mistake at one place, as it will be printed.
package struct Finding: Hashable, Sendable {
  package let rule: RuleID
  package let severity: Severity
  /// The consequence for the app's users, then what to do; one line.
  package let message: String
  package let location: Location
  package let related: [RelatedLocation]
  /// The enclosing declarations from the outside in, such as `Store.open`; "" at top level.
  package let symbol: String
  /// The steps by which a failure came here through functions, from the opening on; mostly empty.
  package let flow: [RelatedLocation]
  /// Nothing where a person has to decide.
  package let fix: Fix?
  /// What it shares with other findings of its rule; nothing where it stands alone.
  package let cause: CommonCause?

  package init(
    rule: RuleID, severity: Severity, message: String, location: Location,
    related: [RelatedLocation] = [], symbol: String = "", flow: [RelatedLocation] = [],
    fix: Fix? = nil, cause: CommonCause? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.location = location
    self.related = related
    self.symbol = symbol
    self.flow = flow
    self.fix = fix
    self.cause = cause
  }
}
