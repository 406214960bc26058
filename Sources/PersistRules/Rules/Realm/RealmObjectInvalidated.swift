import PersistIndex
import PersistSyntax

/// An object of a realm is kept until something else may have deleted it: using it ends the app.
struct RealmObjectInvalidated: Rule {
  static let id: RuleID = "realm-object-invalidated"

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesRealm else { return }
    let deletions = RealmDeletions(program)
    let classes = Set(
      program.realmClasses.map(\.type).filter { deletions.place(of: $0) != nil })
    guard !classes.isEmpty else { return }
    let reads = program.realmReads(of: classes)
    let watched = WatchedObjects(program, classes)
    var seen: Set<[Ref]> = []
    for read in reads {
      guard let deletion = deletions.place(of: read.type), !isViewCode(read.place, program) else {
        continue
      }
      let body = program.lifeBody(around: read.place)
      guard let kept = program.heldObject(of: read) ?? watched.heldObject(of: read),
        program.enclosingFunction(deletion) != program.enclosingFunction(read.place)
          || kept.isWatched,
        seen.insert([read.root, kept.isWatched ? body : kept.place]).inserted
      else { continue }
      findings.report(
        message(read, kept, deletion, program), at: read.place,
        related: [
          .init(kept.place, kept.words),
          .init(deletion, "a `\(program.modelName(read.type))` is deleted here"),
        ])
    }
  }

  /// Whether code stands in a SwiftUI view, which is made anew when its objects change.
  private func isViewCode(_ place: Ref, _ program: Program) -> Bool {
    guard let owner = program.enclosingType(place) else { return false }
    return program.inherits(owner, from: "View")
  }

  private func message(
    _ read: RealmRead, _ kept: HeldObject, _ deletion: Ref, _ program: Program
  ) -> Finding.Message {
    let deleter = program.enclosingFunction(deletion).map {
      "`\(program.functionName($0))` deletes"
    }
    return .mayBeGone(
      program.modelName(read.type), property: program.nameText(read.property),
      deleter: deleter ?? "other code deletes", kept.while)
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
    let wait = descendants(body, .awaitMark).last { mark in
      mark > read.root && mark < read.place && enclosingBody(mark) == body
        && statement(around: mark) != statement(around: read.place) && leavesProcess(mark)
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
    guard depth < 4, case .functions(let ids) = callTarget(call), ids.count == 1,
      functions[ids[0]].isAsync, let body = body(of: ids[0])
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

  init(_ program: Program, _ classes: Set<TypeID>) {
    self.program = program
    for use in program.uses(of: ["isInvalidated"]) where !program.isExempt(use) {
      guard program.kind(use) == .member, let chain = program.parent(use),
        let holder = program.children(chain).last(where: {
          $0 < use && ![.optionalChain, .force].contains(program.kind($0))
        }), case .declared(let type) = program.type(ofChain: chain, upTo: use).unwrapped,
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
    guard let id = program.property(declaredAt: root), !program.properties[id].isComputed else {
      return
    }
    properties[root] = properties[root] ?? use
  }

  /// What keeps the object of a read that asks nothing, while other code asks.
  func heldObject(of read: RealmRead) -> HeldObject? {
    let other = read.enumCase == .none ? properties[read.root] : payloads[read.enumCase]
    guard let other, let body = body(around: read.place), !program.contains(body, other),
      program.kind(body) != .initDecl, !program.asksWhetherGone(read, in: body),
      !isOnlyCalledAfterAsking(body, read)
    else { return nil }
    return HeldObject(
      place: other, words: "this asks whether it is still there", while: "while it is kept here",
      isWatched: true)
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
          program.nameText($0) == "isInvalidated" && $0 < call
        }
      }
  }
}

extension Finding.Message {
  fileprivate static func mayBeGone(
    _ model: String, property: String, deleter: String, _ time: String
  ) -> Self {
    """
    if \(deleter) the `\(model)` \(time), `\(property)` ends the app (Object has been deleted or \
    invalidated); ask `isInvalidated` first, or find it again by its primary key
    """
  }
}
