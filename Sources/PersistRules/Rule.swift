import PersistFlow
import PersistIndex
import PersistSyntax

/// A judge: a pure function from the program to findings.
package protocol Rule: Sendable {
  /// The id under which the rule is known, also the name of its page.
  static var id: RuleID { get }

  /// Whether it finds nothing, or less, where nothing tells what has shipped.
  static var comparesWithShipped: Bool { get }

  /// What it asks of the code beyond declarations; rules that ask for the same stand together.
  static var analysis: Analysis { get }

  /// Whether some of its findings have a fix.
  static var mends: Bool { get }

  init()

  /// Reports every place that the rule's page calls incorrect.
  func check(_ program: Program, into findings: inout Findings)
}

extension Rule {
  /// Most rules judge the sources alone.
  package static var comparesWithShipped: Bool { false }
  /// Many rules judge declarations, or one place.
  package static var analysis: Analysis { .sources }
  /// Most mistakes need a person to decide.
  package static var mends: Bool { false }
}

/// What a rule asks for, in the order in which one thread works it out; a second thread begins at the
/// other end.
package enum Analysis: Int, Sendable {
  /// Whose things are used where.
  case owners
  /// What the sources say at one place.
  case sources
  /// What is in lists.
  case lists
  /// What becomes of single objects.
  case lifetimes
}

/// Collects what one rule reports.
package struct Findings {
  package private(set) var all: [Finding] = []
  let program: Program
  private let rule: RuleID
  private let severity: Severity
  private let makesFixes: Bool
  private let watch: Watch
  private var said: Set<Said> = []

  private struct Said: Hashable {
    let location: Location
    let message: String
  }

  init(
    of rule: RuleID, severity: Severity, in program: Program, makesFixes: Bool = true,
    watch: Watch = .none
  ) {
    self.watch = watch
    self.makesFixes = makesFixes
    self.rule = rule
    self.severity = severity
    self.program = program
  }

  /// A place that explains a finding, with what is to be seen there.
  package struct Related {
    let place: Ref
    let message: String

    package init(_ place: Ref, _ message: String) {
      self.place = place
      self.message = message
    }
  }

  /// Which places a rule speaks of.
  package enum Scope {
    /// Code that ships: no tests, previews, sample data, or `#if DEBUG`.
    case shipped
    /// All code.
    case everywhere
  }

  /// Reports a node; the first line of it is the place. Without a severity the page's counts.
  ///
  /// Exempt code is left out unless `scope` says otherwise, and so are what the rule has said of the
  /// place already and what stands under a flag that is never so. Code that nothing runs is a note.
  /// The fix is made only where somebody wants it.
  package mutating func report(
    _ message: Finding.Message, at place: Ref, severity: Severity? = nil, related: [Related] = [],
    flow: [Related] = [], fix: @autoclosure () -> Fix? = nil, cause: CommonCause? = nil,
    in scope: Scope = .shipped
  ) {
    guard scope == .everywhere || !program.isExempt(place) && !program.isUnreachable(place) else {
      return
    }
    let runs = !program.isUnused(place) && !program.isLeftOut(place.file)
    let severity = runs ? severity : .note
    report(
      message, at: program.location(of: place), severity: severity, related: related.map(located),
      symbol: program.symbol(place), flow: flow.map(located), fix: fix(), cause: cause)
  }

  /// Reports a place that is no node, such as a comment or a line of a data model; once.
  mutating func report(
    _ message: Finding.Message, at location: Location, severity: Severity? = nil,
    related: [RelatedLocation] = [], symbol: String = "", flow: [RelatedLocation] = [],
    fix: @autoclosure () -> Fix? = nil, cause: CommonCause? = nil
  ) {
    guard said.insert(Said(location: location, message: message.text)).inserted else { return }
    var told: Set = [RelatedLocation(location: location, message: Finding.alsoHere)]
    let related = related.filter { told.insert($0).inserted }
    all.append(
      Finding(
        rule: rule, severity: severity ?? self.severity, message: message.text,
        location: location, related: related, symbol: symbol, flow: flow,
        fix: makesFixes ? watch(.fix(rule, location), fix) : nil, cause: cause))
  }

  private func located(_ related: Related) -> RelatedLocation {
    RelatedLocation(location: program.location(of: related.place), message: related.message)
  }
}

extension Finding {
  /// What a finding says; each rule makes its own at the foot of its file.
  package struct Message: ExpressibleByStringInterpolation, Sendable {
    package let text: String
    package init(stringLiteral value: String) { text = value }
  }
}

extension Program {
  /// Where a node stands: from its first token to its last, or to the end of its first line; a
  /// member or function stands where its name does.
  func location(of ref: Ref) -> Location {
    let file = files[Int(ref.file)]
    var range = file.outline.byteRange(of: Int(ref.node))
    if [.member, .implicitMember, .functionDecl].contains(kind(ref)), node(ref).name != Node.noToken
    {
      let name = file.outline.tokens[Int(node(ref).name)]
      range = Int(name.offset)..<name.end
    }
    var end = range.lowerBound
    while end < range.upperBound, file.outline.text.start[end] != 0x0A,
      file.outline.text.start[end] != 0x0D
    {
      end += 1
    }
    return Location(
      path: file.path, start: file.position(of: range.lowerBound), end: file.position(of: end))
  }
}

extension SourceFile {
  func position(of offset: Int) -> Position {
    let (line, column) = lineAndColumn(of: offset)
    return Position(offset: offset, line: line, column: column)
  }
}
