import PersistFlow
import PersistIndex
import PersistSyntax

/// A kept object of a realm that other code may delete: using it crashes the app.
struct RealmObjectInvalidated: Rule {
  static let id: RuleID = "realm-object-invalidated"
  static let readsFacts = true

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesRealm else { return }
    let deletions = RealmDeletions(program)
    let classes = Set(
      program.realmClasses.map(\.type).filter {
        deletions.anyPlace != nil || deletions.place(of: $0) != nil
      })
    guard !classes.isEmpty else { return }
    let reads = program.realmReads(of: classes)
    let watched = WatchedObjects(program, classes)
    var seen: Set<[Ref]> = []
    var found: [(read: RealmRead, kept: HeldObject, deletion: Ref)] = []
    for read in reads {
      let known = deletions.place(of: read.type)
      guard let deletion = known ?? deletions.anyPlace, !isViewCode(read.place, program) else {
        continue
      }
      let body = program.lifeBody(around: read.place)
      let own = known.flatMap { _ in program.heldObject(of: read) ?? program.handing(of: read) }
      guard let kept = own ?? watched.heldObject(of: read),
        program.enclosingFunction(deletion) != program.enclosingFunction(read.place)
          || kept.isWatched,
        seen.insert([read.root, kept.isWatched ? body : kept.place]).inserted
      else { continue }
      found.append((read, kept, deletion))
    }
    let open = Dictionary(grouping: found.filter(\.kept.isWatched), by: { $0.read.keeper })
    for (read, kept, deletion) in found {
      var others: ArraySlice<RealmRead> = []
      if kept.isWatched, let all = open[read.keeper]?.map(\.read) {
        let shown = mostSudden(all, program)
        guard shown.contains(where: { $0.place == read.place }) else { continue }
        others = all.filter { read in !shown.contains { $0.place == read.place } }.prefix(6)
      }
      findings.report(
        message(read, kept, deletion, program), at: read.place,
        related: [
          .init(kept.place, kept.words),
          .init(deletion, "\(program.modelName(read.type).withArticle) is deleted here"),
        ] + others.map { .init($0.place, "this doesn't check either") })
    }
    let told = Set(found.map { program.whole($0.read.place) })
    reportFetched(program, deletions, told, &findings)
  }

  /// Reports objects from a realm that other code may delete while the code waits, or that it has
  /// deleted itself, whatever carries them there.
  private func reportFetched(
    _ program: Program, _ deletions: RealmDeletions, _ told: Set<Ref>, _ findings: inout Findings
  ) {
    for use in program.goneUses where use.framework == .realm && use.isFetched {
      let place = program.whole(use.node)
      guard let model = use.model, !program.isExempt(place), !isViewCode(place, program),
        !told.contains(place),
        let deletion = use.kind == .perhaps
          ? deletions.place(of: model) ?? deletions.anyPlace : use.deletion,
        use.kind != .perhaps
          || program.enclosingFunction(deletion) != program.enclosingFunction(place)
      else { continue }
      let isAwaited = program.kind(use.deletion) != .call
      let time = isAwaited ? "during the `await` before this" : "before this runs"
      findings.report(
        .mayBeGone(
          program.modelName(model),
          property: use.property.map { program.nameText(program.properties[$0].ref) }
            ?? program.text(place),
          deleter: program.deleter(at: deletion), use.kind == .perhaps ? time : "before this"),
        at: place,
        related: [
          .init(
            program.whole(use.deletion),
            use.kind == .perhaps ? "the function waits here" : "deleted here"),
          .init(deletion, "\(program.modelName(model).withArticle) is deleted here"),
        ])
    }
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
    for scope in program.ancestors(read.place) {
      switch program.kind(scope) {
      case .closure where program.time(of: scope) == .muchLater: return true
      case .accessor: return true
      case .functionDecl:
        return program.function(declaredAt: scope).map {
          program.functions[$0].attributes.contains("objc")
            || program.functions[$0].modifiers.contains("override")
        } ?? false
      default: continue
      }
    }
    return false
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

/// What keeps the objects of several reads: a property, or a case of an enum.
private struct Keeper: Hashable {
  let root: Ref?
  let enumCase: Name
}

extension RealmRead {
  fileprivate var keeper: Keeper {
    Keeper(root: enumCase == .none ? root : nil, enumCase: enumCase)
  }
}

/// What keeps an object.
struct HeldObject {
  let place: Ref
  let words: String
  /// How long, as a clause of a message.
  let `while`: String
  /// Whether the code asks elsewhere whether the object is still there.
  let isWatched: Bool
}

// MARK: - Objects kept over callbacks and waits

extension Program {
  /// What keeps the object of a read since it was bound; nil where that is not for long, or where
  /// the code asks.
  fileprivate func heldObject(of read: RealmRead) -> HeldObject? {
    guard [.parameter, .boundName].contains(kind(read.root)), read.enumCase == .none,
      RealmManaged(program: self, limit: lastScope(read)).isManaged(declaration: read.root)
    else { return nil }
    for scope in ancestors(read.place) {
      if contains(scope, read.root), kind(scope) != .closure { break }
      if asksWhetherGone(read, in: scope) { return nil }
      guard kind(scope) == .closure, !contains(scope, read.root) else { continue }
      if time(of: scope) == .muchLater {
        return HeldObject(
          place: callTaking(scope).flatMap { calledNode($0.call) } ?? scope,
          words: "the object is kept for this callback", while: "before this runs",
          isWatched: false)
      }
      if let wait = wait(before: read, in: scope) { return wait }
    }
    return wait(before: read)
  }

  /// The call that hands the object of a parameter over, where the caller kept it; nil where none does,
  /// or where the function asks.
  fileprivate func handing(of read: RealmRead) -> HeldObject? {
    guard kind(read.root) == .parameter, read.enumCase == .none, let list = parent(read.root),
      let owner = parent(list), let id = function(declaredAt: owner),
      let index = children(list, .parameter).firstIndex(of: read.root),
      !asksWhetherGone(read, in: owner)
    else { return nil }
    for call in callers(of: id) where !isExempt(call) {
      guard let given = argument(of: call, for: index, of: functions[id]),
        let parts = chainParts(given), parts.count == 1,
        case .local(let local)? = declared(parts[0])
      else { continue }
      let holders = realmHolders(from: local)
      guard let root = holders.last else { continue }
      let kept = RealmRead(
        place: parts[0], property: parts[0], type: read.type, root: root, holders: holders,
        enumCase: enumCase(bindingLocal: root))
      guard heldObject(of: kept) != nil else { continue }
      return HeldObject(
        place: calledNode(call) ?? call, words: "a kept object is passed on here",
        while: "before this runs", isWatched: false)
    }
    return nil
  }

  /// The outermost closure between a read and where its object was bound.
  private func lastScope(_ read: RealmRead) -> Ref? {
    ancestors(read.place).last {
      [.closure, .functionDecl].contains(kind($0)) && !contains($0, read.root)
    }
  }

  /// The wait for something outside of the process between the binding of an object and its read.
  private func wait(before read: RealmRead) -> HeldObject? {
    guard let body = enclosingBody(read.place), contains(body, read.root),
      enclosingBody(read.root) == body || kind(read.root) == .parameter
    else { return nil }
    return wait(before: read, in: body)
  }

  private func wait(before read: RealmRead, in body: Ref) -> HeldObject? {
    let all = answer(WaitsOfBody(body: body))
    let (first, end) = (all.partition(before: read.root), all.partition(before: read.place))
    guard first < end else { return nil }
    let wait = all[first..<end].last { mark in
      statement(around: mark) != statement(around: read.place) && leavesProcess(mark)
    }
    guard let wait, !asksWhetherGone(read, in: body) else { return nil }
    return HeldObject(
      place: wait, words: "the function waits here",
      while: "during the `await` before this", isWatched: false)
  }

  /// Whether an `await` is for the network, a timer, or something else that takes long.
  private func leavesProcess(_ mark: Ref) -> Bool {
    guard let expression = parent(mark) else { return false }
    return descendants(expression, .call).contains { isLong($0, depth: 0) }
  }

  private func isLong(_ call: Ref, depth: Int) -> Bool {
    if Words.longWaits.contains(calledName(call)) { return true }
    guard case .functions(let ids) = callTarget(call), ids.count == 1,
      functions[ids[0]].isAsync, let body = body(of: ids[0]), isWithin(depth, .awaitedCalls)
    else { return false }
    return descendants(body, .awaitMark).contains { mark in
      guard let awaited = parent(mark) else {
        return false
      }
      return descendants(awaited, .call).contains { isLong($0, depth: depth + 1) }
    }
  }
}

// MARK: - Objects of which the code asks elsewhere whether they are there

/// The properties and payloads of which some code asks whether the object is still there.
private struct WatchedObjects {
  private let program: Program
  private var properties: [Ref: Ref] = [:]
  private var payloads: [Name: Ref] = [:]
  /// The classes whose own code asks it.
  private var classes: [TypeID: Ref] = [:]

  init(_ program: Program, _ classes: Set<TypeID>) {
    self.program = program
    for use in program.uses(of: ["isInvalidated", "invalidated"]) where !program.isExempt(use) {
      if let type = program.enclosingType(use).map({ program.resolveAlias($0) }),
        classes.contains(type), isOfSelf(use)
      {
        self.classes[type] = self.classes[type] ?? use
        continue
      }
      guard program.kind(use) == .member, let chain = program.parent(use),
        let holder = program.children(chain).last(where: {
          $0 < use && ![.optionalChain, .force].contains(program.kind($0))
        }), case .declared(let type, _) = program.type(ofChain: chain, upTo: use).unwrapped,
        classes.contains(program.resolveAlias(type))
      else { continue }
      if program.kind(holder) == .member {
        if let id = program.property(usedBy: holder) { note(program.properties[id].ref, use) }
        continue
      }
      guard program.kind(holder) == .name else { continue }
      switch program.declared(holder) {
      case .property(let id): note(program.properties[id].ref, use)
      case .local(let local):
        guard let root = program.realmHolders(from: local).last else { continue }
        let name = program.enumCase(bindingLocal: root)
        if name != .none {
          payloads[name] = payloads[name] ?? use
        } else {
          note(root, use)
        }
      default: continue
      }
    }
  }

  private mutating func note(_ root: Ref, _ use: Ref) {
    // A link of an object that realms store is nil once its object is deleted.
    guard let id = program.property(declaredAt: root), !program.properties[id].isComputed,
      !(program.properties[id].owner.map { program.isRealmObject($0) } ?? false)
    else { return }
    properties[root] = properties[root] ?? use
  }

  /// What keeps the object of a read that asks nothing, while other code asks.
  func heldObject(of read: RealmRead) -> HeldObject? {
    let other =
      read.enumCase == .none
      ? properties[read.root] ?? question(behind: read.root) ?? question(ofValueWith: read)
      : payloads[read.enumCase]
    guard let other, let body = body(around: read.place), !program.contains(body, other),
      program.kind(body) != .initDecl, !program.asksWhetherGone(read, in: body),
      !program.holdsFrozen(read.root),
      !isOnlyCalledAfterAsking(body, read)
    else { return nil }
    return HeldObject(
      place: other, words: "this checks whether the object is still there",
      while: "while the object is kept here",
      isWatched: true)
  }

  /// The question that code asks of another property, whose object this one gets without being asked.
  private func question(behind root: Ref) -> Ref? {
    guard let id = program.property(declaredAt: root), !program.properties[id].isComputed,
      !(program.properties[id].owner.map { program.isRealmObject($0) } ?? false)
    else { return nil }
    return program.assignedValues(of: id).lazy.compactMap { value in
      guard !program.isExempt(value), let source = program.realmSource(of: value, type: id),
        let other = properties[source.root], source.root != root,
        let body = body(around: value), !program.contains(body, other),
        !program.asksWhetherGone(source, in: body)
      else { return nil }
      return other
    }.first
  }

  /// Whether a question is one that an object asks itself.
  private func isOfSelf(_ use: Ref) -> Bool {
    guard let chain = program.parent(use), program.kind(chain) == .chain,
      let head = program.children(chain).first
    else { return false }
    return head == use || program.nameText(head) == "self" && program.children(chain)[1] == use
  }

  /// The question that the class of an object asks itself, where a struct takes the object along as
  /// part of an event, a result or the like.
  private func question(ofValueWith read: RealmRead) -> Ref? {
    guard let other = classes[read.type], let id = program.property(declaredAt: read.root),
      !program.properties[id].isComputed, let owner = program.properties[id].owner,
      program.types[owner].kind == .structDecl, program.properties[id].attributes.isEmpty
    else { return nil }
    return other
  }

  private func body(around place: Ref) -> Ref? {
    program.ancestors(place).first {
      [.functionDecl, .initDecl, .accessor, .accessors].contains(program.kind($0))
    }
  }

  /// Whether all callers of a private function ask first.
  private func isOnlyCalledAfterAsking(_ body: Ref, _ read: RealmRead) -> Bool {
    guard let id = program.function(declaredAt: body) else { return false }
    let callers = program.callers(of: id)
    return !callers.isEmpty
      && callers.allSatisfy { call in
        guard let around = self.body(around: call) else { return false }
        return program.descendants(around, .member).contains {
          ["isInvalidated", "invalidated"].contains(program.nameText($0)) && $0 < call
        }
      }
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

/// The `await` marks of a body itself, in source order.
private struct WaitsOfBody: Query {
  let body: Ref

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] {
    program.descendants(body, .awaitMark).filter { program.enclosingBody($0) == body }
  }
}
