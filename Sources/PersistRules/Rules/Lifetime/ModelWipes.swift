import PersistIndex
import PersistSyntax

/// A place after which all objects of a class are gone, or all of a store.
struct ModelWipe: Hashable {
  enum Extent: Hashable {
    /// All objects of one class.
    case model(TypeID)
    /// All objects that one context handed out, by the path that names it.
    case context(String)
    /// All SwiftData objects, because their container is replaced or emptied.
    case container
    /// One object of a class.
    case object(TypeID)
  }
  let place: Ref
  let extent: Extent
}

/// The places of a program after which all objects of a class are gone.
struct ModelWipes {
  private(set) var all: [ModelWipe] = []
  private let program: Program

  init(_ program: Program) {
    self.program = program
    for call in program.calls(named: "delete") where !program.isExempt(call) { add(delete: call) }
    for call in program.calls(named: "NSBatchDeleteRequest") where !program.isExempt(call) {
      add(batch: call)
    }
    for call in program.calls(named: "reset") where !program.isExempt(call) { add(reset: call) }
    for name: Name in ["deleteAllData", "erase"] {
      for call in program.calls(named: name)
      where !program.isExempt(call)
        && program.receiverType(ofCall: call).isExternal("ModelContainer")
      {
        all.append(ModelWipe(place: call, extent: .container))
      }
    }
    all += program.replacedContainers.map { ModelWipe(place: $0, extent: .container) }
    all = all.filter { program.mayRun($0.place) }.sorted { $0.place < $1.place }
  }

  // MARK: Deletions of a class

  private mutating func add(delete call: Ref) {
    if let argument = program.argument(call, "model") {
      guard program.argument(call, "where") == nil else { return }
      for (place, type) in metatypes(of: argument, at: call) where program.isModel(type) {
        all.append(ModelWipe(place: place, extent: .model(program.resolveAlias(type))))
      }
      return
    }
    guard program.arguments(call).count == 1, let argument = program.arguments(call).first,
      program.label(argument) == .none, let model = program.model(in: program.type(of: argument)),
      program.isContext(program.receiverType(ofCall: call)),
      let parts = program.chainParts(argument)
    else { return }
    let isAll = parts.count == 1 && isElementOfAll(parts[0], at: call)
    all.append(ModelWipe(place: call, extent: isAll ? .model(model) : .object(model)))
  }

  /// The type that `delete(model:)` is given: there, or by the callers of the function around it.
  private func metatypes(of argument: Ref, at call: Ref) -> [(Ref, TypeID)] {
    if case .metatype(.declared(let type, _)) = program.type(of: argument) { return [(call, type)] }
    guard let parts = program.chainParts(argument), parts.count == 1,
      case .local(let local)? = program.declared(parts[0]),
      let function = program.enclosingFunction(call),
      let index = program.functions[function].parameters.firstIndex(where: {
        $0.node == local.node
      })
    else { return [] }
    return program.callers(of: function).filter { !program.isExempt($0) }.compactMap { caller in
      guard
        let given = program.argument(of: caller, for: index, of: program.functions[function]),
        case .metatype(.declared(let type, _)) = program.type(of: given)
      else { return nil }
      return (caller, type)
    }
  }

  /// Whether a name is the element of a loop, or of a `forEach`, over all objects of its class.
  private func isElementOfAll(_ name: Ref, at call: Ref) -> Bool {
    switch program.declared(name) {
    case .local(let local):
      guard let loop = program.parent(local), let body = program.child(loop, .block),
        program.kind(loop) == .forStatement, program.children(loop, .expression).count == 1,
        program.conditions(before: call, in: body).isEmpty
      else { return false }
      return isAll(program.children(loop, .expression)[0], depth: 0)
    case .closureArgument(let closure, 0):
      guard let (taker, _) = program.callTaking(closure), program.calledName(taker) == "forEach",
        program.conditions(before: call, in: closure).isEmpty
      else { return false }
      let callee = program.callee(taker).dropLast()
      guard callee.count == 1, let whole = callee.first else { return false }
      return isAllNamed(whole, depth: 0)
    default: return false
    }
  }

  /// Whether a value is all objects of a class: a fetch without a predicate, or a plain `@Query`.
  private func isAll(_ value: Ref, depth: Int) -> Bool {
    guard program.isWithin(depth, .fetchConstants) else { return false }
    if let fetch = program.descendants(value, .call).first(where: {
      program.calledName($0) == "fetch" && program.isContext(program.receiverType(ofCall: $0))
    }) {
      return program.arguments(fetch).first.map { describesAll($0, depth: 0) } ?? false
    }
    guard let parts = program.chainParts(value), let name = parts.last, parts.count < 3 else {
      return false
    }
    return isAllNamed(name, depth: depth)
  }

  private func isAllNamed(_ name: Ref, depth: Int) -> Bool {
    if let id = program.property(usedBy: name) ?? property(namedBy: name) {
      let attributes = program.properties[id].attributes
      guard attributes.contains("Query") || attributes.contains("FetchRequest") else {
        return false
      }
      let attribute =
        program.attribute("Query", of: id) ?? program.attribute("FetchRequest", of: id)
      return attribute.map { attribute in
        ["filter", "predicate"].allSatisfy { label in
          !program.children(attribute, .argument).contains {
            program.label($0) == label && program.lastName(of: $0) != "nil"
          }
        } && !program.names("Predicate", in: attribute)
      } ?? false
    }
    return program.fixedValue(of: name).map { isAll($0, depth: depth + 1) } ?? false
  }

  private func property(namedBy name: Ref) -> PropertyID? {
    if case .property(let id)? = program.declared(name) { return id }
    return nil
  }

  /// Whether a descriptor or request asks for all objects of its class.
  private func describesAll(_ value: Ref, depth: Int) -> Bool {
    guard program.isWithin(depth, .fetchConstants), let parts = program.chainParts(value),
      let first = parts.first
    else { return false }
    if let call = parts.last, program.kind(call) == .call {
      let made = program.calledName(call)
      if made == "fetchRequest" { return program.arguments(call).isEmpty }
      return (made == "FetchDescriptor" || made == "NSFetchRequest")
        && program.argument(call, "predicate") == nil
    }
    guard parts.count == 1, case .local(let local)? = program.declared(first),
      let inner = program.fixedValue(of: first)
    else { return false }
    let isNarrowed = program.uses(ofLocal: local).contains { use in
      guard let chain = program.parent(use) else { return true }
      return program.children(chain).contains {
        ["predicate", "fetchLimit", "fetchOffset"].contains(program.nameText($0))
      }
    }
    return !isNarrowed && describesAll(inner, depth: depth + 1)
  }

  private mutating func add(batch call: Ref) {
    guard let request = program.argument(call, "fetchRequest"), describesAll(request, depth: 0),
      case .external("NSFetchRequest", let arguments) = program.type(of: request),
      let type = arguments.first, let model = program.model(in: type)
    else { return }
    all.append(ModelWipe(place: call, extent: .model(model)))
  }

  // MARK: Contexts and containers

  private mutating func add(reset call: Ref) {
    guard program.arguments(call).isEmpty,
      program.receiverType(ofCall: call).isExternal("NSManagedObjectContext"),
      let path = program.contextPath(ofMethod: call)
    else { return }
    all.append(ModelWipe(place: call, extent: .context(path)))
  }
}

extension Program {
  /// The openings of containers that a method puts into the place of another, in source order.
  var replacedContainers: [Ref] {
    calls(named: "ModelContainer").filter { call in
      guard !isExempt(call), let id = enclosingFunction(call),
        functions[id].kind == .functionDecl, !opensInMemory(call),
        let expression = ancestors(call).first(where: { kind($0) == .expression })
      else { return false }
      guard let last = assignment(expression).flatMap({ lastPart(ofTarget: $0) }),
        let property = property(usedBy: last)
      else { return false }
      return properties[property].initializer != nil || isOpenedElsewhere(property, than: id)
    }
  }

  /// Whether an initializer of its type has given a container property its first value.
  private func isOpenedElsewhere(_ property: PropertyID, than function: FunctionID) -> Bool {
    guard let owner = properties[property].owner else { return false }
    return types[owner].functions.contains { id in
      guard id != function, functions[id].kind == .initDecl, let body = body(of: id) else {
        return false
      }
      return sets(property, in: body)
    }
  }

  /// The path that names the context whose method a call is, `self.` left out: the same for the
  /// same context, as far as names tell.
  func contextPath(ofMethod call: Ref) -> String? {
    let parts = callee(call).dropLast().filter {
      ![.optionalChain, .force, .call].contains(kind($0))
    }
    guard let last = parts.last else { return nil }
    if nameText(last) == "viewContext" || nameText(last) == "mainContext" { return nameText(last) }
    if let id = property(usedBy: last) {
      return "\(properties[id].ref.file):\(properties[id].ref.node)"
    }
    if parts.count == 1, case .local(let local)? = declared(last) {
      return "\(local.file):\(local.node)"
    }
    return nil
  }

  /// Whether code gives a property another value, or empties it.
  func sets(_ id: PropertyID, in body: Ref) -> Bool {
    descendants(body, .expression).contains { expression in
      guard let target = assignment(expression)?.target, kind(target) == .chain else {
        return false
      }
      return children(target).contains { property(usedBy: $0) == id }
    }
      || descendants(body, .call).contains { call in
        calledText(call).hasPrefix("remove")
          && callee(call).contains { property(usedBy: $0) == id }
      }
  }
}
