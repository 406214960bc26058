import PersistIndex
import PersistSyntax

/// An object that code has looked up by an identifier from elsewhere, and reads without a look.
package struct IdentifierLookup {
  package let call: Ref
  package let model: TypeID
  /// The method of the context that it comes to.
  package let method: Name
  /// The first place that reads or sets what the object holds.
  package let read: Ref
  /// Where its function hands the object to a property, from which others get what they read.
  package let kept: Ref?
}

extension Program {
  /// The objects that are looked up by an identifier which may be older than a deletion, and read
  /// without a look whether they are still there, in source order.
  package var identifierLookups: [IdentifierLookup] {
    let lookups = Lookups(self).all.filter { !$0.value.models.isEmpty }
    guard !lookups.isEmpty else { return [] }
    let trail = Trail(
      words: Set(lookups.keys.map { calledName($0) }),
      makes: { lookups[$0] == nil ? nil : Fate.object }, looks: Frameworks.looksAtModels,
      files: Set(lookups.keys.map { Int($0.file) }), entersMembers: true, goesOut: true)
    let fates = Dictionary(grouping: ValueFates(self, trail).all, by: \.origin)
    return lookups.sorted { $0.key < $1.key }.flatMap { call, found in
      let open = fates[call, default: []].filter { !$0.isAsked }
      return found.models.compactMap { model in
        read(of: model, from: call, by: open).map { read in
          IdentifierLookup(
            call: call, model: model, method: found.method, read: whole(read),
            kept: isOwn(read, of: call) ? nil : kept(from: call, by: open))
        }
      }
    }
  }

  /// The first read of what a look-up finds, in its own function before others; else its return as
  /// an optional.
  private func read(of model: TypeID, from call: Ref, by fates: [Fate]) -> Ref? {
    let reads = fates.filter { touches($0, model, counting: .missingRow) }.map(\.seen)
    let own = reads.filter { isOwn($0, of: call) }
    let given = fates.filter { givesOptional($0) && mayCrash(model) }.map(\.seen)
    return own.min() ?? reads.min() ?? given.min()
  }

  private func isOwn(_ place: Ref, of call: Ref) -> Bool {
    enclosingFunction(place) == enclosingFunction(call)
  }

  private func kept(from call: Ref, by fates: [Fate]) -> Ref? {
    fates.filter { if case .keeps = $0.deed { isOwn($0.seen, of: call) } else { false } }
      .map(\.seen).min()
  }

  /// Whether a look-up is at once what a function gives as an optional, which promises nil for no row.
  private func givesOptional(_ fate: Fate) -> Bool {
    guard fate.deed == .returns, fate.via == nil, kind(fate.place) == .cast,
      node(fate.place).flags.contains(.isOptional), let id = enclosingFunction(fate.origin),
      fate.body == functions[id].ref, case .optional = resultType(id)
    else { return false }
    return true
  }
}

/// The calls of `model(for:)` and `object(with:)`, and of functions of the sources that hand on what
/// these return, whose identifier may be older than a deletion.
private struct Lookups {
  private(set) var all: [Ref: (models: [TypeID], method: Name)] = [:]
  private let program: Program

  init(_ program: Program) {
    self.program = program
    let calls =
      program.calls(named: "model").filter { program.argument($0, "for") != nil }
      + program.calls(named: "object").filter { program.argument($0, "with") != nil }
    for call in calls.sorted() where !program.isExempt(call) {
      guard let place = program.loweredCode.value(of: call), let site = place.site,
        site.arguments.count == 1,
        isContexts(call)
      else { continue }
      let identifier = place.with(site.arguments[0].value)
      if isFromElsewhere(identifier, at: call) { all[call] = (castModels(place), site.name) }
      addCalls(ofWrapperAround: place, identifier)
    }
  }

  private func isContexts(_ call: Ref) -> Bool {
    switch program.callTarget(call) {
    case .externalMethod(let receiver, _): return program.isContext(receiver)
    case .functions:
      // An overload in an extension of the context, which the context's own may be as well.
      return program.isContext(program.receiverType(ofCall: call))
        && !program.functions(calledBy: call).contains { asksFirst($0) }
    case .unknownMethod:
      let name = program.calledNode(call).flatMap { program.nameBefore(member: $0) }
        .map { program.nameText($0).lowercased() }
      return name.map { $0.hasSuffix("context") || $0 == "moc" } ?? false
    default: return false
    }
  }

  /// Whether a function of the sources asks whether the row exists.
  private func asksFirst(_ function: FunctionID) -> Bool {
    let facts = program.loweredCode.facts(for: program.functions[function].ref)
    guard let id = facts.body(of: function) else { return true }
    return facts.withClosures(id).contains { id in
      facts.bodies[id].steps.contains { step in
        switch step.operation {
        case .call:
          Frameworks.questionsOfRows.contains(facts.bodies[id].calls[Int(step.index)].name)
        case .get: Frameworks.questionsOfRows.contains(step.name)
        default: false
        }
      }
    }
  }

  // MARK: The model

  /// The model that a call's object is cast to, or that the variable has which gets it; several where
  /// a generic parameter may stand for each.
  private func castModels(_ place: PlacedValue) -> [TypeID] {
    for (index, step) in place.body.steps.enumerated()
    where place.body.operands(of: step).contains(place.value) {
      switch step.operation {
      case .set where !step.isWriteBack && place.body.operands(of: step).last == place.value:
        let property = program.property(usedBy: place.body.ref(step))
        return property.flatMap { program.model(in: program.type(ofProperty: $0)) }.map { [$0] }
          ?? []
      case .cast: return program.child(place.body.ref(step), .type).map { models(named: $0) } ?? []
      case .await, .unwrap: return castModels(place.with(Value(truncatingIfNeeded: index)))
      case .store where step.index >= 0:
        guard let declaration = place.body.locals[Int(step.index)].declaration else { continue }
        return program.model(in: program.type(ofLocal: declaration)).map { [$0] } ?? []
      default: continue
      }
    }
    return []
  }

  /// The models that a type may name; of those that are meant by `NSManagedObject & Syncable` one.
  private func models(named type: Ref) -> [TypeID] {
    if let model = program.model(in: program.type(ofTypeNode: type)) { return [model] }
    guard program.written(type)?.isComposition ?? false,
      program.names("NSManagedObject", in: type)
    else {
      return Set(program.associatedTypes(writtenAt: type).compactMap { program.model(in: $0) })
        .sorted()
    }
    let names = Set(program.outline(type).tokenNames(of: Int(type.node)))
      .subtracting(["NSManagedObject", "any"])
    let all = program.types(inheritingFrom: names).filter {
      program.isModel($0) && program.isManagedClass($0)
        && program.types[$0].kind == .classDecl && !program.isExempt(program.types[$0].ref)
    }
    return all.min().map { [$0] } ?? []
  }

  // MARK: Functions of the sources that hand on an object

  /// Takes in the calls of the function that returns what a look-up by its parameter finds.
  private mutating func addCalls(ofWrapperAround place: PlacedValue, _ identifier: PlacedValue) {
    let givers = place.body.givers(of: identifier.value)
    guard place.body.kind == .function, let id = place.body.function, givers.count == 1,
      case let given = identifier.with(givers[0]).step, given.operation == .parameter,
      !asksFirst(id), program.model(in: program.resultType(id)) == nil
    else { return }
    let results = place.body.results
    guard !results.isEmpty, results.allSatisfy({ place.body.givers(of: $0) == [place.value] })
    else { return }
    for caller in program.callers(of: id) where !program.isExempt(caller) && all[caller] == nil {
      guard program.functions(calledBy: caller) == [id],
        let call = program.loweredCode.value(of: caller),
        let argument = program.argument(
          of: caller, for: Int(given.index), of: program.functions[id]),
        let index = program.arguments(caller).firstIndex(of: argument),
        let arguments = call.site?.arguments, arguments.indices.contains(index),
        isFromElsewhere(call.with(arguments[index].value), at: caller)
      else { continue }
      var models = castModels(call)
      if models.isEmpty, let model = program.model(in: program.resultType(ofCall: caller)) {
        models = [model]
      }
      all[caller] = (models, place.site?.name ?? .none)
    }
  }

  // MARK: Where the identifier comes from

  /// Whether an identifier may be older than a deletion: not taken, here and now, from an object.
  private func isFromElsewhere(_ identifier: PlacedValue, at call: Ref) -> Bool {
    identifier.body.givers(of: identifier.value).contains { giver in
      let place = identifier.with(giver)
      let first = place.body.operands(of: place.step).first ?? -1
      switch place.step.operation {
      case .parameter: return !isElementOfFetched(place)
      case .capture:
        guard let outer = captured(place) else { return true }
        return isFromElsewhere(outer, at: call)
      case .part, .payload: return isFromElsewhere(place.with(first), at: call)
      case .next, .getElement: return !isFetched(place.with(first), at: call)
      case .get:
        let owner = program.property(usedBy: place.node).flatMap { program.properties[$0].owner }
        guard Frameworks.identifiers.contains(place.step.name),
          owner.map({ program.isModel($0) }) ?? true
        else { return true }
        return first >= 0 && !isHere(place.with(first), at: call)
      // What is decoded was written before, and during a wait a row may go; what a closure returns
      // that a context runs meanwhile, it has taken then.
      case .call:
        guard let site = place.site else { return false }
        return site.isAwaited && !Words.performMethods.contains(site.name)
          || Frameworks.decoders.contains(site.name)
      default: return false
      }
    }
  }

  /// What a closure that runs at once has captured, where it is made.
  private func captured(_ place: PlacedValue) -> PlacedValue? {
    program.time(of: place.body.place) == .atOnce ? place.captured : nil
  }

  /// Whether a closure gets the elements of what the same expression fetches.
  private func isElementOfFetched(_ parameter: PlacedValue) -> Bool {
    guard parameter.body.kind == .closure,
      let call = program.callTaking(parameter.body.place)?.call,
      let place = program.loweredCode.value(of: call),
      let site = place.site, site.receiver >= 0
    else { return false }
    return isFetched(place.with(site.receiver), at: call)
  }

  /// Whether a list comes from a fetch; what a closure that runs at once has captured of one, from
  /// one with nothing waited for since.
  private func isFetched(_ list: PlacedValue, at call: Ref) -> Bool {
    list.body.values(behind: list.value).contains { value in
      let place = list.with(value)
      switch place.step.operation {
      case .call: return place.site.map { Frameworks.fetches.contains($0.name) } ?? false
      case .capture:
        guard !waits(place, before: call), let outer = captured(place),
          isFetched(outer, at: list.body.place)
        else { return false }
        let fetch = outer.body.steps(behind: outer.value).first { $0.operation == .call }
        return !waits(outer, after: fetch.map { outer.body.ref($0) }, before: list.body.place)
      default: return false
      }
    }
  }

  /// Whether an object is at hand in the code around a call, with nothing waited for since.
  private func isHere(_ object: PlacedValue, at call: Ref) -> Bool {
    object.body.givers(of: object.value, throughVariables: false).allSatisfy { giver in
      let place = object.with(giver)
      if place.step.operation == .capture {
        return !waits(place, before: call)
          && captured(place).map { isHere($0, at: call) } ?? false
      }
      // What a property holds when an answer comes was put there before.
      if place.step.operation == .get, let id = program.property(usedBy: place.node),
        !program.properties[id].isComputed, runsLater(place.body), !program.isViewCode(call)
      {
        return false
      }
      guard place.step.operation == .load,
        let declared = place.body.locals[Int(place.step.index)].declaration
      else { return true }
      return !waits(place, after: declared, before: call)
    }
  }

  private func runsLater(_ body: Body) -> Bool {
    guard body.kind == .closure else { return false }
    return switch program.time(of: body.place) {
    case .later, .muchLater: true
    default: false
    }
  }

  /// Whether a body waits for something between two places.
  private func waits(_ place: PlacedValue, after first: Ref? = nil, before last: Ref) -> Bool {
    place.body.steps.contains { step in
      let node = place.body.ref(step)
      guard node < last, first.map({ $0 < node }) ?? true else { return false }
      return step.operation == .await
        || step.operation == .call && place.body.calls[Int(step.index)].isAwaited
    }
  }
}
