import PersistIndex
import PersistSyntax

/// An object that an asynchronous function returns, which belongs to the thread it was found on.
struct RealmResult {
  /// The value that is returned.
  let place: Ref
  let function: FunctionID
}

// MARK: - Objects that outlast a wait

extension Program {
  /// The objects and collections that code without an actor finds before it waits and uses after.
  var realmObjectsUsedAfterWait: [RealmUse] {
    guard !realmClasses.isEmpty else { return [] }
    return waitingBodies.flatMap { body -> [RealmUse] in
      let marks = descendants(body, .awaitMark).filter { enclosingBody($0) == body }
      guard let last = marks.last else { return [] }
      return descendants(body, .boundName).compactMap { local -> RealmUse? in
        guard local < last, enclosingBody(local) == body, let binding = parent(local),
          [.binding, .optionalBinding].contains(kind(binding)),
          let value = child(binding, .expression), descendants(value, .awaitMark).isEmpty,
          let kind = realmKind(of: type(ofLocal: local)), kind != .realm, isFoundHere(value)
        else { return nil }
        return useAfterWait(of: local, kind, in: body)
      }
    }
  }

  private func useAfterWait(of local: Ref, _ found: RealmValueKind, in body: Ref) -> RealmUse? {
    let waits = descendants(body, .awaitMark).filter { enclosingBody($0) == body && $0 > local }
    guard !waits.isEmpty else { return nil }
    let place = uses(ofLocal: local).first { use in
      guard staysOnTurn(use, of: body), touchesRealmValue(use) else { return false }
      return waits.contains { wait in
        wait < use && statement(around: wait) != statement(around: use)
          && isPassed(wait, before: use)
      }
    }
    return place.map { RealmUse(place: $0, name: nameText(local), kind: found, source: local) }
  }

  /// Whether code that waits goes on to a place, and doesn't leave before.
  func isPassed(_ wait: Ref, before use: Ref) -> Bool {
    for scope in ancestors(wait) {
      if contains(scope, use) { return true }
      switch kind(scope) {
      case .catchClause, .switchCase: return false
      case .block:
        if alwaysLeaves(scope) { return false }
      default: continue
      }
    }
    return false
  }

  /// The functions and tasks that run on whatever thread is free, and wait.
  private var waitingBodies: [Ref] {
    realmFiles.flatMap { file -> [Ref] in
      let outline = files[file].outline
      let marks = outline.nodes.indices.filter { outline.nodes[$0].kind == .awaitMark }
      let bodies = Set(marks.compactMap { enclosingBody(Ref(file: file, node: $0)) })
      return bodies.sorted().filter { !isExempt($0) && runsOnAnyThread($0) }
    }
  }

  /// Whether a body belongs to no actor, so that it goes on anywhere after it has waited.
  func runsOnAnyThread(_ body: Ref) -> Bool {
    switch kind(body) {
    case .functionDecl:
      guard let id = function(declaredAt: body), functions[id].isAsync,
        isolation(ofFunction: id) == .nonisolated || isolation(ofFunction: id) == .concurrent
      else { return false }
      switch queue(ofUnboundAsync: body) {
      case .elsewhere, .apart: return true
      default: return false
      }
    case .closure: return queue(ofClosure: body) == .elsewhere && callTaking(body) != nil
    default: return false
    }
  }

  /// Whether a value comes out of a realm that is opened on the thread of the code around it.
  private func isFoundHere(_ value: Ref) -> Bool {
    RealmManaged(program: self).isManaged(value) && !isOpenedForActor(value)
  }

  /// Whether a value's realm was opened for an actor or a queue.
  private func isOpenedForActor(_ value: Ref) -> Bool {
    let heads = descendants(value, .name).compactMap { name -> Ref? in
      guard case .local(let local)? = declared(name), kind(local) == .boundName,
        let binding = parent(local)
      else { return nil }
      return child(binding, .expression)
    }
    return ([value] + heads).contains { part in
      descendants(part, .call).contains {
        argument($0, "actor") != nil || argument($0, "queue") != nil
      }
    }
  }

  // MARK: Objects that are returned

  /// The objects that asynchronous functions without an actor return, in source order.
  var realmResultsOfAsyncFunctions: [RealmResult] {
    guard !realmClasses.isEmpty else { return [] }
    return realmFiles.flatMap { file -> [RealmResult] in
      let outline = files[file].outline
      return outline.nodes.indices.filter { outline.nodes[$0].kind == .functionDecl }
        .compactMap { returned(by: Ref(file: file, node: $0)) }
    }
  }

  private func returned(by declaration: Ref) -> RealmResult? {
    guard let id = function(declaredAt: declaration), functions[id].isAsync,
      functions[id].result != nil, let body = body(of: id), !isExempt(declaration),
      runsOnAnyThread(declaration)
    else { return nil }
    let holder = RealmHolder(program: self, result: resultType(id))
    let place = results(of: body).first { value in
      enclosingBody(value) == declaration && holder.holds(value, depth: 0)
        && !isOpenedForActor(value)
    }
    return place.map { RealmResult(place: $0, function: id) }
  }
}

/// Whether a value is an object of a realm that is not frozen, or has one in it.
private struct RealmHolder {
  let program: Program
  /// What the function around it returns, which `.init(…)` and `.loaded(…)` stand for.
  let result: SwiftType

  func holds(_ value: Ref, depth: Int) -> Bool {
    guard program.isWithin(depth, .returnedValues) else { return false }
    if program.realmKind(of: program.type(of: value)) != nil {
      return RealmManaged(program: program).isManaged(value)
    }
    switch program.kind(value) {
    case .argument, .expression:
      let parts = program.children(value).filter {
        ![.tryMark, .awaitMark].contains(program.kind($0))
      }
      guard parts.count == 1, program.child(value, .awaitMark) == nil else { return false }
      return holds(parts[0], depth: depth)
    case .chain: return holds(chain: value, depth: depth)
    case .array: return program.children(value).contains { holds($0, depth: depth + 1) }
    default: return false
    }
  }

  private func holds(chain: Ref, depth: Int) -> Bool {
    let parts = program.children(chain)
    guard let head = parts.first, let last = parts.last else { return false }
    if parts.count == 1 {
      if program.kind(head) == .array { return holds(head, depth: depth) }
      guard program.kind(head) == .name, case .local(let local)? = program.declared(head),
        program.kind(local) == .boundName, let binding = program.parent(local),
        let value = program.child(binding, .expression)
      else { return false }
      return holds(value, depth: depth + 1)
    }
    guard program.kind(last) == .call else { return false }
    switch program.callTarget(last) {
    case .functions(let ids):
      guard ids.count == 1, let body = program.body(of: ids[0]), !program.functions[ids[0]].isAsync
      else { return false }
      let inner = RealmHolder(program: program, result: program.resultType(ids[0]))
      return program.results(of: body).contains { inner.holds($0, depth: depth + 1) }
    case .initializer(let type, _): return keeps(type, last, depth)
    default:
      guard parts.count == 2, program.kind(head) == .implicitMember,
        case .declared(let type, _) = plain(result)
      else { return false }
      return keeps(type, last, depth)
    }
  }

  private func plain(_ type: SwiftType) -> SwiftType {
    if case .optional(let inner) = type { return plain(inner) }
    return type
  }

  /// Whether a call makes a value of a type that keeps an object that it is handed.
  private func keeps(_ type: TypeID, _ call: Ref, _ depth: Int) -> Bool {
    let type = program.resolveAlias(type)
    let isEnum = program.types[type].kind == .enumDecl
    let keptNames = program.types[type].properties.filter { id in
      program.realmKind(of: program.type(ofProperty: id)).map { $0 != .realm } ?? false
    }.map { program.properties[$0].name }
    guard isEnum || !keptNames.isEmpty else { return false }
    return program.arguments(call).contains { argument in
      guard program.kind(argument) == .argument,
        isEnum || keptNames.contains(program.label(argument))
      else { return false }
      return holds(argument, depth: depth + 1)
    }
  }
}
