import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions

extension Findings {
  /// Another place that explains a finding about a schema.
  struct SchemaRelated {
    let place: SchemaPlace
    let message: String

    init(_ place: SchemaPlace, _ message: String) {
      self.place = place
      self.message = message
    }
  }

  /// Reports a place of a schema, in a Swift file or a data model, as `report` does a node.
  mutating func report(
    _ message: Finding.Message, at place: SchemaPlace, severity: Severity? = nil,
    related: [SchemaRelated] = [], fix: @autoclosure () -> Fix? = nil, cause: CommonCause? = nil,
    in scope: Scope = .shipped
  ) {
    if scope == .shipped, let ref = place.ref, program.isExempt(ref) { return }
    let places = related.map {
      RelatedLocation(location: program.location(of: $0.place), message: $0.message)
    }
    report(
      message, at: program.location(of: place), severity: severity, related: places,
      symbol: place.ref.map(program.symbol) ?? "", fix: fix(), cause: cause)
  }
}

extension Program {
  /// Where a place stands, cut to its first line.
  func location(of place: SchemaPlace) -> Location {
    guard let ref = place.ref else {
      let start = Position(
        offset: place.range.lowerBound, line: place.line, column: place.column)
      let end = Position(
        offset: place.range.upperBound, line: place.line,
        column: place.column + place.range.count)
      return Location(path: place.path, start: start, end: end)
    }
    let file = files[Int(ref.file)]
    var end = place.range.lowerBound
    while end < place.range.upperBound, file.outline.text.start[end] != 0x0A,
      file.outline.text.start[end] != 0x0D
    {
      end += 1
    }
    return Location(
      path: file.path, start: file.position(of: place.range.lowerBound),
      end: file.position(of: end))
  }
}

extension SchemaPlace {
  /// The place of a node.
  init(node: Ref, in program: Program) {
    let file = program.files[Int(node.file)]
    self.init(path: file.path, range: file.outline.byteRange(of: Int(node.node)), ref: node)
  }

  /// The place of the token that names a node.
  init(nameOf node: Ref, in program: Program) {
    let outline = program.outline(node)
    let name = program.node(node).name
    guard name != Node.noToken else {
      self.init(node: node, in: program)
      return
    }
    let token = outline.tokens[Int(name)]
    self.init(
      path: program.files[Int(node.file)].path, range: Int(token.offset)..<token.end, ref: node)
  }
}

extension SchemaProgram {
  /// A plan and its versions from the oldest to the newest, where all of that is known.
  struct Chain {
    let plan: MigrationPlan
    let versions: [SchemaVersion]

    /// The versions that another one follows.
    var older: ArraySlice<SchemaVersion> { versions.dropLast() }

    /// Each version with the one that follows it.
    var pairs: [(old: SchemaVersion, new: SchemaVersion)] {
      zip(versions, versions.dropFirst()).map { (old: $0, new: $1) }
    }

    /// Error where stores are matched by their checksums, else warning.
    var severity: Severity { plan.isStaged == true ? .error : .warning }
  }

  /// The plan whose newest version holds a container's models, and whether it holds all of them.
  func plan(for container: ContainerUse) -> (plan: MigrationPlan, isWhole: Bool)? {
    for plan in plans where !plan.isTest && plan.schemas != nil {
      guard let newest = plan.chain.last.map({ versions[$0] }) else { continue }
      switch container.schema {
      case .version(let version):
        if plan.chain.contains(version) { return (plan, true) }
      case .models(let models):
        let listed = Set(newest.uses.filter(\.isListed).map(\.model.id))
        let held = Set(newest.uses.map(\.model.id))
        guard !models.isEmpty, models.contains(where: held.contains) else { continue }
        return (plan, listed.isSubset(of: models) && held.isSuperset(of: models))
      case .unknown: continue
      }
    }
    return nil
  }

  /// The chains of all plans that an app ships, those left out that have to do with no container.
  var chains: [Chain] {
    plans.indices.filter { !plans[$0].isTest && mayRun(plan: $0) }.map { index in
      Chain(plan: plans[index], versions: plans[index].chain.map { versions[$0] })
    }
  }

  /// Whether a container is opened with a plan, or with models of its versions, as far as the sources
  /// tell.
  private func mayRun(plan index: Int) -> Bool {
    let chain = plans[index].chain
    let models = Set(chain.flatMap { versions[$0].uses.map(\.model.id) })
    let opened = containers.filter { !$0.isInMemory }
    return opened.isEmpty
      || opened.contains { container in
        if container.plan == .plan(index) || container.plan == .unknown { return true }
        return switch container.schema {
        case .version(let version): chain.contains(version)
        case .models(let listed): !models.isDisjoint(with: listed)
        case .unknown: true
        }
      }
  }
}

extension [String] {
  /// `a`, `b` and `c`, each in backquotes; with more than `limit` the rest is counted.
  func listed(limit: Int = 4) -> String {
    let names = map { "`\($0)`" }
    if count > limit {
      return names.prefix(limit).joined(separator: ", ") + " and \(count - limit) more"
    }
    guard let last = names.last, count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension SchemaPlace {
  /// The place of the keyword with which a node begins.
  init(keywordOf node: Ref, in program: Program) {
    let outline = program.outline(node)
    let token = outline.tokens[Int(program.node(node).first)]
    self.init(
      path: program.files[Int(node.file)].path, range: Int(token.offset)..<token.end, ref: node)
  }
}
