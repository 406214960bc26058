import PersistSyntax

/// A method of an actor through whose signature models go in or out.
package struct ModelSignature: Sendable {
  /// The first type in the signature that holds a model.
  package let place: Ref
  package let actor: TypeID
  package let function: FunctionID
  /// The model's name; its declaration, unless it is a generic parameter.
  package let model: String
  package let declaration: Ref?
  package let isResult: Bool
  /// Every call stands inside the actor.
  package let isUsedInsideOnly: Bool
}

// MARK: - Actors with a context of their own

extension Program {
  /// The actors of the sources that have a context of their own, tests left out.
  package var contextActors: [TypeID] {
    guard holdsModelsOrContexts else { return [] }
    return types(inFilesUsing: "actor").filter { id in
      types[id].kind == .actorDecl && !isExempt(types[id].ref)
        && (isModelActor(id)
          || types[id].properties.contains { type(ofProperty: $0).isExternal("ModelContext") })
    }
  }

  /// The actors that have a context of their own, or make one in a method.
  private var actorsWithModels: [TypeID] {
    var actors = contextActors
    for call in calls(named: "ModelContext") where !isExempt(call) {
      guard let type = enclosingType(call), types[type].kind == .actorDecl, !actors.contains(type)
      else { continue }
      actors.append(type)
    }
    return actors
  }

  /// The types in the signatures of `@concurrent` functions that hold models which come in, each
  /// with its function, in source order.
  package var modelsTakenConcurrently: [(place: Ref, function: FunctionID)] {
    guard holdsModelsOrContexts else { return [] }
    let found = files(using: "concurrent").flatMap { file in
      descendants(Ref(file: file, node: 0), .attribute).filter { name($0) == "concurrent" }
    }
    return found.compactMap { parent($0) }.compactMap { function(declaredAt: $0) }.flatMap { id in
      let function = functions[id]
      guard function.isAsync, !isExempt(function.ref), !isCompiledAsSwift6(function.ref) else {
        return [(place: Ref, function: FunctionID)]()
      }
      return function.parameters.compactMap { $0.type }.compactMap { node in
        let type = Ref(file: Int(function.ref.file), node: node)
        return modelInSignature(type, of: function).map { _ in (place: type, function: id) }
      }
    }
  }

  /// Whether the compiler refuses what isn't sendable across isolation in the code at a place.
  package func isCompiledAsSwift6(_ place: Ref) -> Bool {
    projects.languageMode(of: files[Int(place.file)].path) == 6
  }

  /// The methods of actors with a context of their own whose signatures hold models.
  package var modelSignatures: [ModelSignature] {
    actorsWithModels.flatMap { actor in
      types[actor].functions.compactMap { modelSignature($0, of: actor) }
    }
  }

  private func modelSignature(_ id: FunctionID, of actor: TypeID) -> ModelSignature? {
    let function = functions[id]
    guard function.kind == .functionDecl, !function.modifiers.contains("private"),
      !function.modifiers.contains("override"), isolation(ofFunction: id) == .actor(actor)
    else { return nil }
    let file = Int(function.ref.file)
    let inputs = function.parameters.compactMap { $0.type }
    for node in inputs + [function.result].compactMap({ $0 }) {
      let type = Ref(file: file, node: node)
      guard let model = modelInSignature(type, of: function) else { continue }
      let isInside = callersStandInside(id, actor: actor)
      if isInside, function.isPrivate { return nil }
      return ModelSignature(
        place: type, actor: actor, function: id, model: model.name,
        declaration: model.declaration, isResult: node == function.result,
        isUsedInsideOnly: isInside)
    }
    return nil
  }

  private func modelInSignature(_ type: Ref, of function: FunctionDeclaration)
    -> (name: String, declaration: Ref?)?
  {
    let names = outline(type).tokenNames(of: Int(type.node))
    let words = Int(node(type).first)..<Int(node(type).end)
    if words.contains(where: { outline(type).tokens[$0].keyword == .sending }) { return nil }
    let found = self.type(ofTypeNode: type)
    if let model = modelInside(found, isResult: function.result == Int(type.node)) {
      return (nameText(types[model].ref), types[model].ref)
    }
    let isGeneric = [found.unwrapped, found.element].contains { $0.isExternal("PersistentModel") }
    guard isGeneric else { return nil }
    let isParameter = names.count == 1 && scope(ofGenericParameter: names[0], at: type) != nil
    return (isParameter ? outline(type).firstNameText(of: Int(type.node)) : "PersistentModel", nil)
  }

  /// A model that a value of a type holds, whatever carries it; a closure that is handed out gives one.
  private func modelInside(_ type: SwiftType, isResult: Bool, _ seen: Set<TypeID> = []) -> TypeID? {
    if let model = model(in: type) { return model }
    func first(_ types: [SwiftType], _ seen: Set<TypeID>) -> TypeID? {
      types.lazy.compactMap { self.modelInside($0, isResult: isResult, seen) }.first
    }
    switch type.unwrapped {
    case .tuple(let parts, _): return first(parts, seen)
    case .array(let element), .set(let element), .dictionary(_, let element):
      return first([element], seen)
    case .external(let name, let arguments) where Words.carriers.contains(name):
      return first(Array(arguments.prefix(1)), seen)
    case .function(_, let result) where isResult: return first([result], seen)
    case .declared(let id, let arguments) where !seen.contains(id):
      guard [.structDecl, .enumDecl].contains(types[id].kind) else { return nil }
      return first(arguments + typesHeld(by: id), seen.union([id]))
    default: return nil
    }
  }

  /// The types of what a struct stores, or of what the cases of an enum carry.
  private func typesHeld(by id: TypeID) -> [SwiftType] {
    let stored = types[id].properties.filter {
      !properties[$0].isStatic && !properties[$0].isComputed
    }
    return stored.map { type(ofProperty: $0) } + enumElements(id).flatMap { payloadTypes(of: $0) }
  }

  /// Whether a function is named somewhere outside of tests, and only in its actor.
  private func callersStandInside(_ id: FunctionID, actor: TypeID) -> Bool {
    var isNamed = false
    let name = functions[id].name
    for place in actorCalls.unqualified[name] ?? [] where mayMean(place, id) {
      guard enclosingType(place) == actor else { return false }
      // What an unknown value calls inside of the actor is another one's.
      if kind(place) == .name { isNamed = true }
    }
    let method = ActorCalls.Method(name: name, type: actor)
    for place in actorCalls.byType[method] ?? [] where mayMean(place, id) {
      guard enclosingType(place) == actor else { return false }
      isNamed = true
    }
    return isNamed
  }

  /// Whether what a place calls can be a function, by the arguments.
  private func mayMean(_ place: Ref, _ id: FunctionID) -> Bool {
    if kind(place) == .name {
      guard case .functions(let candidates)? = declared(place), candidates.contains(id) else {
        return false
      }
      let call = parent(place).flatMap { child($0, .call) }
      return call.map { !overloads([id], $0).isEmpty } ?? true
    }
    guard let chain = parent(place), kind(chain) == .chain else { return false }
    // A method of an actor is no value outside of it: without a call it is another member.
    guard let call = children(chain).first(where: { $0 > place }), kind(call) == .call else {
      return false
    }
    return !overloads([id], call).isEmpty
  }

  /// The places outside of tests that name a method of an actor with a context.
  func findActorCalls() -> ActorCalls {
    let names = Set(actorsWithModels.flatMap { types[$0].functions.map { functions[$0].name } })
    var calls = ActorCalls()
    for place in uses(of: names) where !files[Int(place.file)].isTest {
      let name = name(place)
      guard kind(place) == .member, let chain = parent(place), kind(chain) == .chain else {
        calls.unqualified[name, default: []].append(place)
        continue
      }
      switch type(ofChain: chain, upTo: place).unwrapped {
      case .declared(let type, _):
        for actor in lineage(of: type) {
          calls.byType[ActorCalls.Method(name: name, type: actor), default: []].append(place)
        }
      case .unknown: calls.unqualified[name, default: []].append(place)
      default: break
      }
    }
    return calls
  }
}

/// The places that name methods of actors, by what they are called on.
struct ActorCalls {
  struct Method: Hashable {
    let name: Name
    let type: TypeID
  }

  fileprivate var byType: [Method: [Ref]] = [:]
  /// Those where nothing stands before the name, or something of an unknown type.
  fileprivate var unqualified: [Name: [Ref]] = [:]
}

extension Outline {
  /// The text of the first name among the tokens of a node.
  func firstNameText(of node: Int) -> String {
    (Int(nodes[node].first)..<Int(nodes[node].end)).first { tokens[$0].kind == .identifier }
      .map { text(ofToken: $0) } ?? ""
  }
}

// MARK: - Model actors made on the main actor

extension Program {
  /// The calls on the main actor that make a model actor.
  package var modelActorsMadeOnMain: [(call: Ref, actor: TypeID)] {
    contextActors.filter { isModelActor($0) && !borrowsExecutor($0) }.flatMap { actor in
      calls(named: types[actor].name).compactMap { call in
        guard case .initializer(actor, _) = callTarget(call), !isExempt(call),
          answer(SureMain(place: call))
        else { return nil }
        return (call, actor)
      }
    }
  }

  /// Whether an actor works on an executor that is made elsewhere, wherever the actor is made.
  private func borrowsExecutor(_ actor: TypeID) -> Bool {
    guard case .property(let id)? = member("modelExecutor", of: actor) else { return false }
    // A protocol that asks for one leaves it to the macro.
    let holder = ancestors(properties[id].ref).first { kind($0).declaresType }
    return properties[id].isComputed && holder.map { kind($0) != .protocolDecl } ?? true
  }

  /// Whether code runs on the main actor: by its own isolation, or because all that calls the
  /// synchronous function around it, makes the object around its property, or first asks for the
  /// static property, does.
  fileprivate func surelyRunsOnMain(_ place: Ref) -> Bool {
    if let id = staticProperty(around: place) {
      let uses = uses(ofProperty: id).filter { !isExempt($0) && !contains(properties[id].ref, $0) }
      return !uses.isEmpty && uses.allSatisfy { answer(SureMain(place: $0)) }
    }
    switch isolation(at: place) {
    case .mainActor: return true
    case .nonisolated where enclosingFunction(place) == nil:
      guard enclosingBody(place) == nil,
        let id = ancestors(place).lazy.compactMap({ self.property(declaredAt: $0) }).first,
        !properties[id].modifiers.contains("lazy"), let owner = properties[id].owner
      else { return false }
      let makers = makers(of: owner).filter { !isExempt($0) }
      return !makers.isEmpty && makers.allSatisfy { answer(SureMain(place: $0)) }
    case .nonisolated:
      guard let function = enclosingFunction(place),
        !functions[function].isAsync || staysWithCaller(function),
        enclosingBody(place) == functions[function].ref
      else { return false }
      let calls = shippingCallers(of: function)
      return !calls.isEmpty && calls.allSatisfy { answer(SureMain(place: $0)) }
    default: return false
    }
  }

  /// Whether an asynchronous function without isolation runs on its caller's actor, as its target
  /// says.
  private func staysWithCaller(_ function: FunctionID) -> Bool {
    !functions[function].attributes.contains("concurrent")
      && projects.staysWithCaller(files[Int(functions[function].ref.file)].path) == true
  }

  /// The static or global property whose initial value a node stands in.
  private func staticProperty(around place: Ref) -> PropertyID? {
    guard enclosingFunction(place) == nil else { return nil }
    return ancestors(place).lazy.compactMap { self.property(declaredAt: $0) }.first {
      (properties[$0].isStatic || properties[$0].owner == nil) && !properties[$0].isComputed
    }
  }
}

/// Whether code surely runs on the main actor.
private struct SureMain: Query {
  let place: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.surelyRunsOnMain(place) }
}
