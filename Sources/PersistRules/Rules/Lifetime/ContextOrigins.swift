import PersistIndex
import PersistSyntax

/// Which context an object surely belongs to, seen from one function.
enum ContextOrigin: Equatable {
  /// One that the function makes, by the local that holds it.
  case made(Ref)
  /// One from outside of the function.
  case outside

  /// Whether two objects surely belong to different contexts.
  func differs(from other: ContextOrigin) -> Bool { self != other }
}

/// Tells, in one function that makes contexts, which context objects belong to.
struct ContextOrigins {
  let program: Program
  let body: Ref

  /// The context that an expression or receiver names.
  func origin(ofContext parts: [Ref], depth: Int = 0) -> ContextOrigin? {
    let plain = parts.filter { ![.optionalChain, .force].contains(program.kind($0)) }
    guard let first = plain.first, let last = plain.last,
      program.isWithin(depth, .contextNames)
    else { return nil }
    if plain.count == 1, program.kind(first) == .name {
      switch program.declared(first) {
      case .local(let local):
        guard program.contains(body, local), program.kind(local) == .boundName,
          let binder = program.parent(local), let value = program.child(binder, .expression),
          let chain = program.chainParts(value), let end = chain.last
        else { return nil }
        if program.kind(end) == .call, makes(end) { return .made(local) }
        return origin(ofContext: chain, depth: depth + 1)
      case .property(let id):
        return program.isContext(program.type(ofProperty: id)) ? .outside : nil
      default: return nil
      }
    }
    if ["mainContext", "viewContext"].contains(program.nameText(last)) { return .outside }
    if let id = program.property(usedBy: last), !program.properties[id].isComputed,
      program.isContext(program.type(ofProperty: id))
    {
      return .outside
    }
    return nil
  }

  private func makes(_ call: Ref) -> Bool {
    if program.makesContextItself(call) { return true }
    guard case .functions(let candidates) = program.callTarget(call) else { return false }
    return !candidates.isEmpty && candidates.allSatisfy { program.makesContext($0) }
  }

  /// The context that the object or objects of an expression belong to.
  func origin(of expression: Ref, depth: Int = 0) -> ContextOrigin? {
    guard program.isWithin(depth, .contextNames), let parts = program.chainParts(expression) else {
      return nil
    }
    return origin(ofChain: parts, depth: depth)
  }

  func origin(ofChain parts: [Ref], depth: Int = 0) -> ContextOrigin? {
    guard program.isWithin(depth, .contextNames), let first = parts.first else { return nil }
    if let call = parts.last(where: { program.kind($0) == .call }), let found = looked(up: call) {
      return found
    }
    guard program.kind(first) == .name else { return nil }
    switch program.declared(first) {
    case .local(let local): return origin(ofLocal: local, depth: depth + 1)
    case .property(let id): return origin(ofProperty: id)
    case .selfValue:
      guard parts.count > 1, let id = program.property(usedBy: parts[1]) else { return nil }
      return origin(ofProperty: id)
    default: return nil
    }
  }

  /// Objects that were there before the function began can't be of a context that it makes.
  private func origin(ofProperty id: PropertyID) -> ContextOrigin? {
    let property = program.properties[id]
    guard !property.isComputed, property.owner.map({ !program.isModel($0) }) ?? false,
      program.model(in: program.type(ofProperty: id)) != nil
    else { return nil }
    return .outside
  }

  /// The context that a fetch or look-up asks.
  private func looked(up call: Ref) -> ContextOrigin? {
    let lookups: Set<String> = [
      "fetch", "model", "registeredModel", "object", "existingObject", "registeredObject",
    ]
    guard lookups.contains(program.calledText(call)) else { return nil }
    return origin(ofContext: Array(program.callee(call).dropLast()))
  }

  func origin(ofLocal local: Ref, depth: Int = 0) -> ContextOrigin? {
    guard program.isWithin(depth, .contextNames), program.kind(local) == .boundName,
      let binder = program.parent(local)
    else { return nil }
    guard let value = program.child(binder, .expression) else {
      guard program.kind(binder) == .optionalBinding,
        case .property(let id)? = program.lookUp(program.name(local), from: binder)
      else { return nil }
      return origin(ofProperty: id)
    }
    guard let parts = program.chainParts(value) else {
      return program.children(value, .chain).first.flatMap {
        origin(ofChain: program.children($0), depth: depth + 1)
      }
    }
    if let last = parts.last, program.kind(last) == .call,
      case .initializer(let type, _) = program.callTarget(last), program.isModel(type)
    {
      if let context = program.argument(last, "context") ?? program.argument(last, "insertInto") {
        return program.chainParts(context).flatMap { origin(ofContext: $0) }
      }
      return insertion(of: local)
    }
    return origin(ofChain: parts, depth: depth + 1)
  }

  /// The context into which the function inserts the object of a local.
  func insertion(of local: Ref) -> ContextOrigin? {
    for call in program.descendants(body, .call) where program.calledName(call) == "insert" {
      guard let argument = program.arguments(call).first,
        program.named(argument) == .local(local)
      else { continue }
      return origin(ofContext: Array(program.callee(call).dropLast()))
    }
    return nil
  }
}

extension Program {
  /// Whether a call makes a new context.
  func makesContextItself(_ call: Ref) -> Bool {
    let name = calledText(call)
    if name == "newBackgroundContext" {
      if case .functions = callTarget(call) { return false }
      return true
    }
    guard ["ModelContext", "NSManagedObjectContext"].contains(name) else { return false }
    if case .externalInitializer = callTarget(call) { return true }
    return false
  }

  /// Whether a function gives a new context at each call.
  func makesContext(_ id: FunctionID) -> Bool {
    guard isContext(resultType(id)), let body = body(of: id) else { return false }
    let given = results(of: body)
    return !given.isEmpty
      && given.allSatisfy { result in
        guard let parts = chainParts(result), let last = parts.last else { return false }
        if kind(last) == .call { return makesContextItself(last) }
        guard parts.count == 1, kind(last) == .name, case .local(let local)? = declared(last),
          contains(body, local), let binder = parent(local), kind(binder) == .binding,
          let value = child(binder, .expression), let made = chainParts(value)?.last
        else { return false }
        return kind(made) == .call && makesContextItself(made)
      }
  }
}
