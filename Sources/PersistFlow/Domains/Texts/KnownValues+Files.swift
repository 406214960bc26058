import PersistIndex
import PersistSyntax

// MARK: - What comes in

extension KnownValues {
  /// What a parameter that is a path or text stands for; nil for others.
  func hole(ofParameter index: Int, of id: FunctionID, _ type: SwiftType) -> Known? {
    guard type.isFile else { return nil }
    let function = program.functions[id]
    let parameter = Ref(file: Int(function.ref.file), node: function.parameters[index].node)
    let name = program.nameText(parameter)
    let says = name.saysStore && (type.isURL || name.saysPlace) && !name.saysFolder
    return .pieces([
      .path(
        StorePath(
          base: .parameter(id, index), text: StorePath.ownName,
          saysStore: says || program.isOpened(parameter), saysOther: name.saysNoStore))
    ])
  }

  /// What the parameters of a closure stand for that something keeps.
  func parameters(of closure: Ref) -> [Known] {
    guard namesFiles, let body = flow.bodies.body(at: closure),
      program.callTaking(closure).map({ program.isKept(closureGivenTo: $0.call) }) ?? true
    else { return [] }
    return (0..<flow.bodies[body].parameterCount).map { index in
      .pieces([
        .path(
          StorePath(
            base: .closureParameter(closure, index), text: StorePath.ownName, saysStore: false,
            saysOther: false))
      ])
    }
  }

  /// What `self` is in an extension of `URL`, or in an enum of texts.
  func ownFile(of body: Body) -> Known {
    guard namesFiles, !body.isStatic, let type = body.owner,
      program.types[type].kind == .extensionDecl
        ? program.types[type].name == "URL" : program.isEnumOfTexts(type),
      let member = body.function.map({ program.functions[$0].ref })
        ?? body.property.map({ program.properties[$0].ref })
    else { return .other }
    return .pieces([
      .path(
        StorePath(
          base: .receiver(member), text: StorePath.ownName, saysStore: false, saysOther: false))
    ])
  }

  /// Whether what a function gives back may tell of files, or what it runs.
  func mayTellFiles(_ id: FunctionID, _ arguments: [Known]) -> Bool {
    let runsCode = arguments.contains { argument in
      switch argument {
      case .closure, .function: true
      default: false
      }
    }
    guard !runsCode, let body = flow.facts.body(of: id) else { return true }
    return flow.facts.resultType(of: body).map { mayCarryText($0) } ?? false
  }
}

// MARK: - What names tell

extension KnownValues {
  /// What a variable or property holds, and what its name says of that.
  func file(_ mark: Known, keptBy declaration: Ref, _ name: Name) -> Known {
    let text = program.nameText(declaration)
    guard text.saysStore || text.saysNoStore, program.kind(declaration) != .parameter else {
      return mark
    }
    // An instance tells itself which files it knows.
    if case .instance = mark { return mark }
    var kept = mark
    if text.saysStore {
      let isURL = program.type(ofKept: declaration).isURL
      let own = StorePath(
        named: text, key: "\(declaration.file):\(declaration.node)", isURL: isURL)
      let found = program.storePaths(of: mark)
      if found.allSatisfy(\.isUnknown), mark != .list([]), mark.knownText?.whole == nil,
        own.base != .unknown
      {
        // A name takes the place of what tells no more than the folder.
        var own = own
        own.folder = found.count == 1 ? found[0].folder : nil
        kept = .pieces([.path(own)])
      } else if isURL, found.contains(where: \.isPlaced) {
        kept = Known(oneOf: found.map { .pieces([.path($0.namedStore)]) })
      }
    }
    return text.saysNoStore ? aside(kept) : kept
  }

  /// A value whose name says that it is no store in use.
  private func aside(_ mark: Known) -> Known {
    switch mark {
    case .list(let elements): return .list(elements.map { aside($0) })
    case .either(let choices): return Known(oneOf: choices.map { aside($0) })
    case .other: return .pieces([.path(.unknown), .aside])
    default:
      guard let text = mark.knownText, !text.pieces.contains(.aside) else { return mark }
      return .pieces(text.pieces + [.aside])
    }
  }

  /// What a name says that is declared nowhere.
  func file(namedBy node: Ref) -> Known {
    let text = program.nameText(node)
    guard text.saysStore || text.saysNoStore else { return .other }
    let isMember = program.kind(node) == .member
    let chain = isMember ? program.parent(node) : nil
    let isURL =
      chain.map { program.type(ofChain: $0, upTo: nil).isURL }
      ?? (program.kind(node) == .implicitMember || program.type(of: node).isURL)
    guard !isMember || isURL else { return .other }
    return file(named: text, key: program.text(chain ?? node), isURL: isURL)
  }

  /// What the name of a called function says.
  func file(namedByCall call: Ref) -> Known {
    let text = program.calledText(call)
    guard text.saysStore || text.saysNoStore else { return .other }
    return file(named: text, key: "\(text)()", isURL: program.resultType(ofCall: call).isURL)
  }

  private func file(named name: String, key: String, isURL: Bool) -> Known {
    let path = StorePath(named: name, key: key, isURL: isURL)
    return path == .unknown ? .other : .pieces([.path(path)])
  }

  /// What a variable stands for: the entry of a folder where a condition has picked it, or itself
  /// where it takes a container that nobody knows.
  func loaded(
    _ mark: Known, _ step: Instruction, in run: LocalRun<KnownValues>
  ) -> Known {
    if step.operation == .parameter, mark == .other, followsTexts, !namesFiles {
      let types = flow.facts.parameterTypes(of: run.body)
      let index = Int(step.index)
      guard types.indices.contains(index), ownsStore(types[index]) else { return mark }
      return .made(run.body.ref(step), [.other])
    }
    // What closures may change by then isn't known to be nil, or a flag, any more.
    if step.operation == .load, step.index >= 0, followsTexts, !namesFiles,
      mark == .none || mark.flag != nil,
      let declaration = run.body.locals[Int(step.index)].declaration,
      flow.bodies.shared.contains(declaration), program.isVariable(declaration)
    {
      return .other
    }
    guard namesFiles, program.listsFolders(inFile: Int(run.body.place.file)) else { return mark }
    let node = run.body.ref(step)
    guard program.kind(node) == .name, let entry = program.pickedEntry(node) else { return mark }
    return .pieces([.path(entry)])
  }
}

// MARK: - What owns files, lists and texts

extension KnownValues {
  /// The file of a configuration, description, store or realm whose URL is asked for.
  func ownedFile(_ step: Instruction, _ node: Ref, of owner: Known) -> Known? {
    guard namesFiles, program.kind(node) == .member, let chain = program.parent(node) else {
      return nil
    }
    if case .made = owner, Frameworks.ownerMembers.contains(step.name) { return owner }
    if let elements = owner.elements, let first = elements.first, let last = elements.last {
      if step.name == "first" { return first }
      if step.name == "last" { return last }
    }
    var path = StorePath(
      base: .unknown, text: StorePath.ownName, saysStore: true,
      saysOther: program.saysNoStore(chain))
    switch step.name {
    case "url":
      if case .made(let call, let given) = owner {
        path.base = .store("\(call.file):\(call.node)")
        path.givenName = fileName(madeBy: call, given)
      } else {
        guard program.namesStore(program.type(ofChain: chain, upTo: node).unwrapped) else {
          return nil
        }
        path.base = .store(program.key(of: chain, upTo: node))
      }
    case "fileURL":
      guard program.namesRealm(chain, upTo: node) else { return nil }
      path.base = .store(StorePath.realmKey)
      path.givenName = program.keepsDefaultRealm ? "default.realm" : nil
    default: return nil
    }
    return .pieces([.path(path)])
  }

  /// The name of the file that a configuration, description or container keeps, as far as what
  /// makes it is given one.
  func fileName(madeBy call: Ref, _ given: [Known]) -> String? {
    let arguments = Array(zip(program.arguments(call), given))
    func value(_ label: Name) -> Known? {
      arguments.first { program.kind($0.0) == .argument && program.label($0.0) == label }?.1
    }
    if let url = value("url") { return program.storePaths(of: url).first?.literalName }
    guard case .externalInitializer(.external(let type, _)) = flow.facts.target(call) else {
      return nil
    }
    if type == Frameworks.modelConfiguration {
      guard let name = value(.none) else { return "default.store" }
      return name.knownText?.whole.map { $0 + ".store" }
    }
    return value("name")?.knownText?.whole.map { $0 + ".sqlite" }
  }

  /// What a call of a framework says of files.
  func fileCall(
    _ site: CallSite, _ call: Ref, _ receiver: Known, _ arguments: [Known]
  ) -> Known {
    switch site.name {
    case "url" where program.namesStore(program.receiverType(ofCall: call).unwrapped):
      let path = StorePath(
        base: .store(program.text(program.parent(call) ?? call)), text: StorePath.ownName,
        saysStore: true, saysOther: false)
      return .pieces([.path(path)])
    case Frameworks.coordinating:
      let given = arguments.first ?? .other
      for closure in arguments.dropFirst() { _ = apply(closure, [given], from: call) }
      return .other
    case Frameworks.replacing:
      guard arguments.count > 1, let old = arguments[0].knownText?.whole,
        let new = arguments[1].knownText?.whole
      else { return .other }
      return changed(receiver) { $0.replacing(old, with: new) }
    default: return file(namedByCall: call)
    }
  }

  /// What becomes of the files that a value may name.
  func changed(_ value: Known, _ change: (StorePath) -> StorePath) -> Known {
    let paths = value.choices.filter { $0 != .none }
      .map { change(program.storePath(of: $0.knownText ?? KnownText([.path(.unknown)]))) }
    return Known(oneOf: paths.map { .pieces([.path($0)]) })
  }

  /// Methods that run code for each element of a list, or of what stands for one.
  func collectFiles(
    _ site: CallSite, _ call: Ref, _ receiver: Known, _ arguments: [Known]
  ) -> Known? {
    guard Frameworks.elementMethods.contains(site.name), let code = arguments.last else {
      if ["insert", "append"].contains(site.name), let list = receiver.elements,
        let added = arguments.first
      {
        changed[call] = .list(list + (added.elements ?? [added]))
        return .other
      }
      return nil
    }
    let results = (receiver.elements ?? [receiver]).map { apply(code, [$0], from: call) }
    switch site.name {
    case "first", "last": return anyElement(of: receiver)
    case "map", "compactMap", "flatMap":
      guard receiver.elements != nil else { return results[0] }
      return .list(results.flatMap { $0.elements ?? [$0] }.filter { $0 != .none })
    case "forEach": return .other
    default: return receiver
    }
  }

  /// An element of a list, whichever.
  func anyElement(of list: Known) -> Known {
    switch list {
    case .list(let elements): Known(oneOf: elements)
    case .either(let choices): Known(oneOf: choices.map { anyElement(of: $0) })
    case .pieces, .made: list
    default: .other
    }
  }

  /// A string with what stands in it.
  func file(spelled node: Ref, _ parts: [Known]) -> Known {
    var waiting = parts[...]
    let marked = program.text(ofString: node) { _ in "\u{0}" }
    return marked.split(separator: "\u{0}", omittingEmptySubsequences: false).enumerated()
      .reduce(.text("")) { text, piece in
        let part = piece.offset > 0 ? waiting.popFirst() : nil
        let before = part.map { added(text, $0) } ?? text
        return piece.element.isEmpty ? before : added(before, .text(String(piece.element)))
      }
  }

  /// One text behind another, or the elements of both.
  func added(_ left: Known, _ right: Known) -> Known {
    if case .list(let elements) = left { return .list(elements + (right.elements ?? [right])) }
    if case .list(let elements) = right { return .list([left] + elements) }
    let isNumber = [left, right].allSatisfy { $0.knownText == nil && $0.choices.count == 1 }
    guard !isNumber else { return .other }
    return Known(
      oneOf: left.choices.flatMap { head in
        right.choices.map { tail in Known(spelled(head).appending(spelled(tail))) }
      })
  }

  private func spelled(_ value: Known) -> KnownText {
    if case .literal(let text) = value { return KnownText(text) }
    return value.knownText ?? KnownText([.path(.unknown)])
  }
}

extension Program {
  /// Whether a local is the file that something opens as its store.
  fileprivate func isOpened(_ local: Ref) -> Bool {
    uses(ofLocal: local).contains { use in
      guard let chain = parent(use), children(chain).count == 1, let expression = parent(chain),
        children(expression) == [chain], let argument = parent(expression),
        let call = parent(argument), kind(argument) == .argument, kind(call) == .call,
        case .externalInitializer(.external(let type, _)) = callTarget(call)
      else { return false }
      return Frameworks.storeOwners.contains(type)
        && Frameworks.labelsOfFiles.contains(label(argument))
    }
  }

  /// The type of what a local or property is declared by.
  fileprivate func type(ofKept declaration: Ref) -> SwiftType {
    property(declaredAt: declaration).map { type(ofProperty: $0) } ?? type(ofLocal: declaration)
  }
}

extension SwiftType {
  /// Whether a value is a path or text, or a list of such, or may be.
  fileprivate var isFile: Bool {
    switch unwrapped {
    case .external(let name, _): Frameworks.pathTypes.contains(name) || name == "Substring"
    case .array(let element), .set(let element): element.isFile
    case .unknown: true
    default: false
    }
  }

  var isURL: Bool {
    isExternal("URL") || isExternal("NSURL") || element.isExternal("URL")
  }
}
