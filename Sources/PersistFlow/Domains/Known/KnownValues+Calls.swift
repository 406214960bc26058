import PersistIndex
import PersistSyntax

// MARK: - Calls

extension KnownValues {
  /// What a call gives back; what it registers is noted, and what becomes of its receiver.
  func call(
    _ step: Instruction, _ value: Value, _ call: Ref, _ run: LocalRun<KnownValues>
  ) -> Known {
    let site = run.body.calls[Int(step.index)]
    let arguments = run.marks(of: site)
    let receiver = run.mark(site.receiver)
    changed[call] = receiver
    for (argument, mark) in zip(program.arguments(call), arguments) {
      changed[argument] = mark.isMigrator ? mark : nil
    }
    guard isNeeded(value, in: run.body) || handsOverStoreCode(arguments) else { return .other }
    if registering.contains(call) || registers(site, call, receiver) {
      register(call, receiver, arguments)
      return .other
    }
    if site.callsValue { return apply(receiver, arguments, from: call) }
    noteOpening(call, receiver, arguments)
    if let known = callKnown(site, call, receiver, arguments, run) {
      return namesFiles && known == .other ? file(namedByCall: call) : known
    }
    if let known = collect(site, call, receiver, arguments, run)
      ?? pathCall(site, call, receiver, arguments)
      ?? contextMade(site, call, receiver, arguments)
      ?? part(site, call, arguments)
    {
      return known
    }
    noteCode(arguments, of: call)
    if let path = path(madeBy: call, of: receiver) { return path }
    if namesFiles { return fileCall(site, call, receiver, arguments) }
    // What nobody can read may register more, and run the closures that it is given.
    for case .migrator(let place) in arguments { escaping.insert(.migrator(place)) }
    for case .closure(let place, let own, let captures) in arguments where leads(place) {
      _ = apply(.closure(place, own: own, captures: captures), [], from: call)
    }
    return .other
  }

  /// Whether a call registers a migration; one of a function of that name which the sources add to
  /// migrators does so only where that function goes on to the framework's.
  private func registers(_ site: CallSite, _ call: Ref, _ receiver: Known) -> Bool {
    guard site.name == "registerMigration", receiver.isMigrator else { return false }
    guard case .functions(let ids) = flow.facts.target(call) else { return true }
    return !ids.contains { registrars.contains($0) }
  }

  /// Whether code registers migrations, or calls what does.
  private func leads(_ code: Ref) -> Bool {
    program.descendants(code, .call).contains { call in
      registering.contains(call)
        || program.functions(calledBy: call).contains { registrars.contains($0) }
    }
  }

  /// A call of a function or initializer of the sources, or of what makes a migrator.
  private func callKnown(
    _ site: CallSite, _ call: Ref, _ receiver: Known, _ arguments: [Known],
    _ run: LocalRun<KnownValues>
  ) -> Known? {
    let called = program.calledNode(call).flatMap { program.kind($0) == .member ? $0 : nil }
    let held =
      isStatic(call)
      ? .other
      : called.map { member(at: $0, of: receiver) } ?? member(site.name, "", of: receiver)
    if case .function(let id, let own) = held {
      return apply(id, own, arguments, from: call, run)
    }
    if case .closure = held { return apply(held, arguments, from: call) }
    switch flow.facts.target(call) {
    case .functions(let ids):
      guard let id = only(ids) ?? only(program.functions(calledBy: call)) else { return nil }
      guard !namesFiles || mayTellFiles(id, arguments) else { return nil }
      let isOwn = program.functions[id].owner != nil && site.receiver >= 0
      return apply(id, isOwn ? receiver : .other, arguments, from: call, run)
    case .initializer(let type, let ids):
      guard followsTexts, let id = only(ids) else {
        // A container of the sources that is made as the framework's.
        if followsTexts, ownsStore(.declared(type, [])) { return made(by: call, arguments) }
        return instance(type, call, arguments)
      }
      let made = made(program.resolveAlias(type)) { apply(id, $0, arguments, from: call, run) }
      if run.body.goesOn(with: site) { fill(from: made) }
      return made
    case .externalInitializer(let type) where type.isExternal("DatabaseMigrator"):
      return .migrator(call)
    case .closure(let declared):
      guard case .property(let id) = declared else { return nil }
      return apply(value(of: id, in: receiver), arguments, from: call)
    default:
      if noting != nil, let id = only(program.functions(calledBy: call)) {
        return apply(id, site.receiver >= 0 ? receiver : .other, arguments, from: call, run)
      }
    }
    guard let node = program.calledNode(call),
      [.implicitMember, .member].contains(program.kind(node)),
      case .declared(let type, _) = program.type(of: program.parent(call) ?? call).unwrapped,
      let found = program.enumElements(type).first(where: { program.name($0) == site.name })
    else { return nil }
    return .element(found, arguments)
  }

  /// What a method that nobody can read makes of a path: one that begins alike.
  private func path(madeBy call: Ref, of receiver: Known) -> Known? {
    guard followsTexts, !namesFiles, let text = receiver.knownText,
      ["group:", "dir:"].contains(where: { text.beginning.hasPrefix($0) })
    else { return nil }
    let type = program.resultType(ofCall: call)
    guard type.isURL || type == .unknown || type.unwrapped.isExternal("String") else { return nil }
    return Known(text.appending(KnownText(heldBy: call)))
  }

  /// Whether a call calls a static function of a type that isn't a protocol: a property of that name
  /// is something else.
  private func isStatic(_ call: Ref) -> Bool {
    guard case .functions(let ids) = flow.facts.target(call), let id = only(ids),
      program.functions[id].isStatic, let owner = program.functions[id].owner
    else { return false }
    return program.types[owner].kind != .protocolDecl
  }

  private func instance(_ type: TypeID, _ call: Ref, _ arguments: [Known]) -> Known {
    var fields: [PropertyID: Known] = [:]
    for (argument, mark) in zip(program.arguments(call), arguments) {
      for id in program.properties(setBy: argument, of: call) { fields[id] = mark }
      if program.kind(argument) == .closure,
        let id = program.property(of: type, keeping: argument, in: call)
      {
        fields[id] = mark
      }
    }
    return .instance(program.resolveAlias(type), fields)
  }

  // MARK: Running code

  /// Calls a closure or function that a value is.
  func apply(_ value: Known, _ arguments: [Known], from call: Ref) -> Known {
    switch value {
    case .closure(let place, let own, let captures):
      guard let body = flow.bodies.body(at: place) else { return .other }
      let result = run(body, arguments, captures: captures, own: own, isKept: false)
      note(value, arguments, at: call) {
        _ = run(body, arguments, captures: captures, own: own, isKept: false)
      }
      return result
    case .function(let id, let own):
      guard arguments.count == program.functions[id].parameters.count else { return .other }
      return enter(id, own, arguments, [], from: call)
    default: return .other
    }
  }

  private func apply(
    _ id: FunctionID, _ own: Known, _ arguments: [Known], from call: Ref,
    _ run: LocalRun<KnownValues>
  ) -> Known {
    func given(_ place: Int) -> Known { place < arguments.count ? arguments[place] : .other }
    let function = program.functions[id]
    let matched = program.matching(function, call)
    let marks = function.parameters.indices.map { index -> Known in
      if function.parameters[index].isVariadic {
        return matched.map { all in
          .list(all.indices.filter { all[$0] == index }.map(given))
        } ?? .other
      }
      if let place = matched?.firstIndex(of: index) { return given(place) }
      return valueByDefault(index, of: id)
    }
    let captures = flow.facts.body(of: id).map { body in
      flow.bodies[body].captures.map { run.mark(ofLocal: $0) }
    }
    return enter(id, own, marks, captures ?? [], from: call)
  }

  /// What a parameter is where a call gives it nothing.
  func valueByDefault(_ parameter: Int, of id: FunctionID) -> Known {
    flow.facts.defaults(of: id).first { $0.0 == parameter }.map { run($0.1, own: .other) } ?? .other
  }

  private func enter(
    _ id: FunctionID, _ own: Known, _ arguments: [Known], _ captures: [Known], from call: Ref
  ) -> Known {
    guard let body = flow.facts.body(of: id), !running.contains(id),
      program.isWithin(running.count, .migrationCalls)
    else {
      bind()
      return .other
    }
    path.append(call)
    running.append(id)
    defer {
      path.removeLast()
      running.removeLast()
    }
    let result = run(
      body, arguments, captures: captures, own: own, isKept: !registrars.contains(id))
    note(.function(id, own: own), arguments, at: call) {
      _ = run(body, arguments, captures: captures, own: own, isKept: false)
    }
    return result
  }

  // MARK: Registrations

  private func register(_ call: Ref, _ receiver: Known, _ arguments: [Known]) {
    let merged = zip(program.arguments(call), arguments).first {
      program.kind($0.0) == .argument && program.label($0.0) == "merging"
    }
    let isRepeated = program.ancestors(call).contains { loop in
      [.forStatement, .whileStatement, .repeatStatement].contains(program.kind(loop))
        && !unrolled.contains(loop)
    }
    found.append(
      Registration(
        call: call, migrator: receiver == .other ? own : receiver, id: arguments.first ?? .other,
        merged: merged?.1 ?? .other, body: arguments.last ?? .other, path: path,
        isRepeated: isRepeated))
  }
}
