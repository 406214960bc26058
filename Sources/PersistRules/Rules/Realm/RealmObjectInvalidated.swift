import PersistFlow
import PersistIndex

/// A kept object of a realm that other code may delete: using it crashes the app.
struct RealmObjectInvalidated: Rule {
  static let id: RuleID = "realm-object-invalidated"
  static let analysis = Analysis.lifetimes

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesRealm else { return }
    let deletions = RealmDeletions(program)
    let classes = Set(
      program.realmClasses.map(\.type).filter { deletions.place(of: $0) != nil })
    guard !classes.isEmpty else { return }
    let keepers = RealmKeepers(program, classes)
    let reads = keepers.reads(of: classes)
    let watched = WatchedObjects(program, keepers, classes)
    var seen: Set<[Ref]> = []
    var found: [(read: RealmRead, kept: HeldObject, deletion: Ref)] = []
    for read in reads {
      guard let deletion = deletions.place(of: read.type),
        !isViewCode(read.place, program)
      else {
        continue
      }
      let body = program.outermostCode(around: read.place)
      guard let kept = watched.heldObject(of: read), seen.insert([read.root, body]).inserted
      else { continue }
      found.append((read, kept, deletion))
    }
    let open = Dictionary(grouping: found, by: { $0.read.keeper })
    for (read, kept, deletion) in found {
      var others: ArraySlice<RealmRead> = []
      if let all = open[read.keeper]?.map(\.read) {
        let shown = mostSudden(all, program)
        guard shown.contains(where: { $0.place == read.place }) else { continue }
        others = all.filter { read in !shown.contains { $0.place == read.place } }.prefix(6)
      }
      findings.report(
        message(read, kept, deletion, program), at: read.place,
        related: [
          .init(kept.place, kept.words),
          .init(deletion, "\(program.modelName(read.type).withArticle) is deleted here"),
        ] + others.map { .init($0.place, "this doesn't check either") },
        cause: program.typeCause(at: read.place, least: 2))
    }
    let told = Set(found.map(\.read.place))
    reportFetched(program, deletions, told, &findings)
  }

  /// Reports objects from a realm that other code may delete while the code waits, or that it has
  /// deleted itself, whatever carries them there.
  private func reportFetched(
    _ program: Program, _ deletions: RealmDeletions, _ told: Set<Ref>, _ findings: inout Findings
  ) {
    var seen: Set<Told> = []
    for use in program.goneUses where use.framework == .realm {
      let place = program.holder(ofMember: use.node)
      guard let model = use.model, !program.isExempt(place), !isViewCode(place, program),
        !told.contains(place),
        let deletion = use.kind != .deleted
          ? deletions.place(of: model, where: { !program.isOwn($0, of: place) })
          : use.deletion,
        use.kind == .deleted
          ? program.isIndependent(use)
          : use.isFetched
            || !program.once(RealmObjectUses.init).nodes.isDisjoint(with: [use.node, use.inner]),
        seen.insert(Told(holder: program.text(place), wait: use.deletion)).inserted
      else { continue }
      let isAwaited = use.kind == .perhaps && program.isAwait(use.deletion)
      let time = isAwaited ? "during the `await` before this" : "before this runs"
      findings.report(
        .mayBeGone(
          program.modelName(model),
          property: use.property.map { program.nameText(program.properties[$0].ref) }
            ?? program.text(place),
          deleter: program.deleter(at: deletion), use.kind != .deleted ? time : "before this"),
        at: place,
        related: [
          .init(
            program.whole(use.deletion),
            use.kind != .deleted ? "the function waits here" : "deleted here"),
          .init(deletion, "\(program.modelName(model).withArticle) is deleted here"),
        ] + (use.inner == use.node ? [] : [.init(use.inner, "its values are used here")]),
        cause: CommonCause(
          "\(program.typeCause(at: place).id) \(program.modelName(model))",
          least: CommonCause.several))
    }
  }

  /// One object behind one wait.
  private struct Told: Hashable {
    let holder: String
    let wait: Ref
  }

  /// The reads of one property that are worth a finding each: what the system calls comes first.
  private func mostSudden(_ reads: [RealmRead], _ program: Program) -> ArraySlice<RealmRead> {
    let sudden = reads.filter { isSudden($0, program) }
    return (sudden + reads.filter { !isSudden($0, program) }).prefix(Self.readsOfProperty)
  }

  /// How many reads of one property are reported.
  private static let readsOfProperty = 3

  /// Whether code runs at any time: an observer of a property, what a selector names, a callback.
  private func isSudden(_ read: RealmRead, _ program: Program) -> Bool {
    program.isCallback(read.place)
  }

  /// Whether code stands in a SwiftUI view, which is made anew when its objects change.
  private func isViewCode(_ place: Ref, _ program: Program) -> Bool {
    guard let owner = program.enclosingType(place) else { return false }
    return program.inherits(owner, from: "View")
  }

  private func message(
    _ read: RealmRead, _ kept: HeldObject, _ deletion: Ref, _ program: Program
  ) -> Finding.Message {
    .mayBeGone(
      program.modelName(read.type), property: program.nameText(read.property),
      deleter: program.deleter(at: deletion), kept.while)
  }
}

/// The uses of objects that come from a realm and aren't frozen.
private final class RealmObjectUses {
  let nodes: Set<Ref>

  init(_ program: Program) {
    let uses = program.facts.uses.filter { use in
      use.kind == .object
        && use.cases.contains { $0.owner.framework == .realm && $0.owner.home != .frozen }
    }
    nodes = Set(uses.flatMap(\.places))
  }
}

/// What keeps an object.
struct HeldObject {
  let place: Ref
  let words: String
  /// How long, as a clause of a message.
  let `while`: String
}

// MARK: - Objects of which the code asks elsewhere whether they are there

/// The properties and payloads of which some code asks whether the object is still there.
private struct WatchedObjects {
  private let program: Program
  private let keepers: RealmKeepers
  /// The first look at what each of them keeps.
  private var asked: [RealmKeeper: Ref] = [:]
  /// The classes whose own code asks it.
  private var classes: [TypeID: Ref] = [:]
  /// The classes of which the sources freeze objects, so that any that is kept may be a frozen one.
  private let frozen: Set<TypeID>

  init(_ program: Program, _ keepers: RealmKeepers, _ classes: Set<TypeID>) {
    self.program = program
    self.keepers = keepers
    frozen = program.frozenClasses
    for use in program.uses(of: Words.realmQuestions) where !program.isExempt(use) {
      guard let type = program.enclosingType(use).map({ program.resolveAlias($0) }),
        classes.contains(type), program.isMemberOfSelf(use)
      else { continue }
      self.classes[type] = self.classes[type] ?? use
    }
    for look in keepers.looks where asked[look.keeper] == nil {
      if case .property(let id) = look.keeper, !mayKeep(id) { continue }
      asked[look.keeper] = look.place
    }
  }

  /// Whether a property keeps an object for others: a link of an object that realms store is nil once
  /// its object is deleted.
  private func mayKeep(_ id: PropertyID) -> Bool {
    !program.properties[id].isComputed
      && !(program.properties[id].owner.map { program.isRealmObject($0) } ?? false)
  }

  /// What keeps the object of a read that asks nothing, while other code asks.
  func heldObject(of read: RealmRead) -> HeldObject? {
    let other = asked[read.keeper] ?? question(behind: read.keeper) ?? question(ofValueWith: read)
    guard let other, let body = program.memberBody(around: read.place),
      !program.contains(body, other), !program.isInitializer(body),
      !keepers.asksWhetherGone(read.keeper, before: read.place, in: body),
      !frozen.contains(read.type) || keepers.holdsLive(read.keeper), !keepers.isFrozen(read),
      !isOnlyCalledAfterAsking(body)
    else { return nil }
    return HeldObject(
      place: other, words: "this checks whether the object is still there",
      while: "while the object is kept here")
  }

  /// The question that code asks of another property, whose object this one gets without being asked.
  private func question(behind keeper: RealmKeeper) -> Ref? {
    guard case .property(let id) = keeper, mayKeep(id) else { return nil }
    return keepers.sources(of: id).lazy.compactMap { value, source -> Ref? in
      guard !program.isExempt(value), let other = asked[source], source != keeper,
        let body = program.memberBody(around: value), !program.contains(body, other),
        !keepers.asksWhetherGone(source, before: value, in: body)
      else { return nil }
      return other
    }.first
  }

  /// The question that the class of an object asks itself, where a struct takes the object along as
  /// part of an event, a result or the like.
  private func question(ofValueWith read: RealmRead) -> Ref? {
    guard let other = classes[read.type], case .property(let id) = read.keeper,
      !program.properties[id].isComputed, let owner = program.properties[id].owner,
      program.types[owner].kind == .structDecl, program.properties[id].attributes.isEmpty
    else { return nil }
    return other
  }

  /// Whether all callers of a private function ask first.
  private func isOnlyCalledAfterAsking(_ body: Ref) -> Bool {
    guard let id = program.function(declaredAt: body) else { return false }
    let callers = program.callers(of: id)
    return !callers.isEmpty
      && callers.allSatisfy { call in
        guard let around = program.memberBody(around: call) else { return false }
        return program.uses(of: Words.realmQuestions).contains {
          program.contains(around, $0) && $0 < call
        }
      }
  }
}

extension Program {
  /// Whether a deletion is a body's own: it stands in there, or in a function that only this body lets
  /// delete what it hands over.
  fileprivate func isOwn(_ deletion: Ref, of place: Ref) -> Bool {
    let function = enclosingFunction(deletion)
    if function == enclosingFunction(place) { return true }
    guard let function, takesParameter(deletion) else { return false }
    let (root, calls) = (outermostCode(around: place), callers(of: function))
    return !calls.isEmpty && calls.allSatisfy { isExempt($0) || contains(root, $0) }
  }
}

extension Finding.Message {
  fileprivate static func mayBeGone(
    _ model: String, property: String, deleter: String, _ time: String
  ) -> Self {
    """
    if \(deleter) the `\(model)` \(time), using `\(property)` crashes the app (Object has been \
    deleted or invalidated); check `isInvalidated` first, or find the object again by its primary \
    key
    """
  }
}
