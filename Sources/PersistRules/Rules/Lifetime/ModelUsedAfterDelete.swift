import PersistIndex
import PersistSyntax

/// An object that is read after its deletion was saved: the values are gone, and the app can crash.
struct ModelUsedAfterDelete: Rule {
  static let id: RuleID = "model-used-after-delete"

  func check(_ program: Program, into findings: inout Findings) {
    let summaries = program.once(LifeSummaries.init)
    for root in program.deletingBodies(summaries) where !program.isExempt(root) {
      let walk = LifeWalk(program, summaries)
      _ = walk.walk(body: root)
      var told: Set<Cause> = []
      for read in walk.reads {
        guard let end = read.end, let save = end.save, !program.isExempt(read.place),
          !isCorrelated(read, end, program),
          told.insert(Cause(deletion: end.deletion, model: read.model)).inserted
        else { continue }
        var related = [Findings.Related(program.chain(of: end.deletion), "deleted here")]
        if save != end.deletion { related.append(.init(program.chain(of: save), "and saved here")) }
        related += walk.reads.filter {
          $0.end?.deletion == end.deletion && $0.model == read.model && $0.place != read.place
        }.map { .init($0.place, "and read here") }
        findings.report(
          .readsGone(
            read,
            isReset: program.calledName(end.deletion) == "reset",
            name: read.property.map { program.nameText(program.properties[$0].ref) },
            model: program.modelName(read.model)),
          at: read.place, severity: severity(of: read, program), related: related)
      }
    }
  }

  private struct Cause: Hashable {
    let deletion: Ref
    let model: TypeID
  }

  /// Core Data hands out nothing for most values of a gone row; what can't be nothing ends the
  /// process.
  private func severity(of read: LifeRead, _ program: Program) -> Severity? {
    guard program.isManagedClass(read.model) else { return nil }
    guard let id = read.property, !read.isWrite else { return .warning }
    let type = program.type(ofProperty: id)
    if case .external(let name, _) = type, ["Date", "UUID", "URL"].contains(name) { return nil }
    return .warning
  }

  /// Whether the deletion stands in a branch whose condition speaks of the same as one that the
  /// read stands under.
  private func isCorrelated(_ read: LifeRead, _ end: LifeEnd, _ program: Program) -> Bool {
    guard let branch = end.branch else { return false }
    let body = program.enclosingFunctionBody(read.place) ?? branch
    let mine = program.words(in: program.conditions(before: read.place, in: body))
    let theirs = program.words(in: program.conditions(before: end.deletion, in: body))
    return !mine.isDisjoint(with: theirs)
  }
}

extension Program {
  /// The names in some conditions.
  fileprivate func words(in conditions: [Ref]) -> Set<String> {
    Set(
      conditions.flatMap { condition in
        descendants(condition, .name).map { nameText($0) }
          + descendants(condition, .boundName).map { nameText($0) }
      })
  }

  /// The bodies on whose paths objects are deleted, by a context or by functions of the sources, in
  /// source order.
  func deletingBodies(_ summaries: LifeSummaries) -> [Ref] {
    var bodies: Set<Ref> = []
    var functions: Set<FunctionID> = []
    var queue: [Ref] = (calls(named: "delete") + resets + deletionsHandedOn).filter {
      !files[Int($0.file)].isTest && !files[Int($0.file)].isDocumentation
    }
    while let call = queue.popLast() {
      bodies.insert(lifeBody(around: call))
      guard let id = enclosingFunction(call), functions.insert(id).inserted,
        !summaries.summary(of: id).isEmpty
      else { continue }
      queue += callers(of: id)
    }
    return bodies.sorted()
  }

  /// The places that hand a context's `delete` to `forEach`.
  var deletionsHandedOn: [Ref] {
    uses(of: ["delete"]).filter { use in
      guard kind(use) == .member, let chain = parent(use), children(chain).last == use,
        let argument = ancestors(chain).prefix(2).first(where: { kind($0) == .argument }),
        let call = parent(argument), calledName(call) == "forEach"
      else { return false }
      return isContext(type(ofChain: chain, upTo: use))
    }
  }

  /// The calls that reset a context of Core Data.
  private var resets: [Ref] {
    calls(named: "reset").filter {
      receiverType(ofCall: $0).isExternal("NSManagedObjectContext")
    }
  }

  /// The outermost function, accessor or initial value around a node.
  func lifeBody(around node: Ref) -> Ref {
    var found = node
    for outer in ancestors(node) {
      switch kind(outer) {
      case .functionDecl, .initDecl, .deinitDecl, .accessor, .subscriptDecl: found = outer
      case .members, .file: return found
      case .binding where property(declaredAt: outer) != nil && found == node: found = outer
      default: break
      }
    }
    return found
  }
}

extension LifeWalk {
  /// Goes along the paths of a function, an accessor or the initial value of a property.
  func walk(body: Ref) -> LifeState? {
    if let block = program.child(body, .block) { return walk(list: block, LifeState()) }
    var state = LifeState()
    for part in program.children(body, .expression) { walk(expression: part, &state) }
    return state
  }
}

extension Finding.Message {
  fileprivate static func readsGone(
    _ read: LifeRead, isReset: Bool, name: String?, model: String
  ) -> Self {
    let what =
      read.isWrite
      ? "setting `\(name ?? read.text)`"
      : name.map { "reading `\($0)`" } ?? "using `\(read.text)`"
    let end = isReset ? "lost its context in `reset()`" : "was deleted and saved before"
    return """
      the app can crash here, because the `\(model)` \(end) and \(what) needs data that is gone; \
      read the values that you need before \(isReset ? "the reset" : "the deletion")
      """
  }
}
