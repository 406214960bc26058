import PersistIndex
import PersistSyntax

/// Follows a value back to a query of a realm.
struct RealmManaged {
  let program: Program
  /// Before it a realm has to take in what it is handed, where that is a parameter.
  var limit: Ref?
  private var open: Set<Ref> = []
  private var visited = Visited()

  /// The places that one question has come to, and in how many steps: a longer way finds no more.
  private final class Visited {
    private var steps: [Ref: Int] = [:]

    func isNearer(_ place: Ref, _ count: Int) -> Bool {
      if let before = steps[place], before <= count { return false }
      steps[place] = count
      return true
    }
  }

  init(program: Program, limit: Ref? = nil) {
    self.program = program
    self.limit = limit
  }

  static let copies: Set<Name> = ["freeze", "frozen", "detached", "copy", "unmanaged"]

  /// Whether what a declaration holds comes out of a realm.
  func isManaged(declaration: Ref) -> Bool {
    guard !open.contains(declaration), program.isWithin(open.count, .realmNames) else {
      return false
    }
    var next = self
    if open.isEmpty { next.visited = Visited() }
    guard next.visited.isNearer(declaration, open.count) else { return false }
    next.open.insert(declaration)
    if let id = program.property(declaredAt: declaration) { return next.isManaged(property: id) }
    return next.isManaged(local: declaration)
  }

  private func isManaged(property id: PropertyID) -> Bool {
    let property = program.properties[id]
    if program.holdsFrozen(property.ref) { return false }
    if property.isComputed, let accessors = property.accessors,
      let getter = program.getter(of: Ref(file: Int(property.ref.file), node: accessors))
    {
      return program.results(of: getter).contains { isManaged($0) }
    }
    if let value = property.initializer,
      isManaged(Ref(file: Int(property.ref.file), node: value))
    {
      return true
    }
    return program.assignedValues(of: id).contains { isManaged($0) }
  }

  private func isManaged(local: Ref) -> Bool {
    switch program.kind(local) {
    case .parameter: return isHandedIn(local) || isManaged(parameter: local)
    case .boundName:
      if isAdded(local, before: limit) { return true }
      for scope in program.ancestors(local) {
        switch program.kind(scope) {
        case .binding, .optionalBinding:
          if let value = program.child(scope, .expression) { return isManaged(value) }
          guard case .local(let outer)? = program.lookUp(program.name(local), from: scope) else {
            if case .property(let id)? = program.lookUp(program.name(local), from: scope) {
              return isManaged(declaration: program.properties[id].ref)
            }
            return false
          }
          return isManaged(declaration: outer)
        case .forStatement:
          return program.children(scope, .expression).contains { isManaged($0) }
        case .block, .closure: return false
        default: continue
        }
      }
      return false
    default: return false
    }
  }

  /// Whether a realm takes a parameter's object in before a place.
  private func isHandedIn(_ parameter: Ref) -> Bool {
    limit.map { isAdded(parameter, before: $0) } ?? false
  }

  /// Whether a realm takes an object in.
  private func isAdded(_ local: Ref, before limit: Ref? = nil) -> Bool {
    guard let first = program.answer(FirstAddition(local: local)) else { return false }
    return limit.map { first < $0 } ?? true
  }

  private func isManaged(parameter: Ref) -> Bool {
    guard let list = program.parent(parameter), let owner = program.parent(list) else {
      return false
    }
    let index = program.children(list, .parameter).firstIndex(of: parameter) ?? 0
    if program.kind(owner) == .closure {
      guard index == 0, let (call, _) = program.callTaking(owner),
        let chain = program.parent(call)
      else { return false }
      return isManaged(chain: chain, before: call)
    }
    guard let id = program.function(declaredAt: owner) else { return false }
    return program.callers(of: id).contains { call in
      guard !program.isExempt(call),
        let value = program.argument(of: call, for: index, of: program.functions[id])
      else { return false }
      return isManaged(value)
    }
  }

  func isManaged(_ value: Ref) -> Bool {
    switch program.kind(value) {
    case .argument, .expression:
      return program.children(value).contains { part in
        [.chain, .expression].contains(program.kind(part)) && isManaged(part)
      }
    case .chain: return isManaged(chain: value, before: nil)
    default: return false
    }
  }

  func isManaged(chain: Ref, before limit: Ref?) -> Bool {
    let parts = program.children(chain).prefix { part in limit.map { part < $0 } ?? true }
    guard let head = parts.first else { return false }
    if parts.contains(where: {
      Self.copies.contains(program.name($0)) || program.copies($0)
        || program.kind($0) == .call && program.isFreezing($0)
    }) {
      return false
    }
    for (index, part) in parts.enumerated() where program.kind(part) == .call && index > 0 {
      if program.isRealmFinder(part) { return true }
      for id in program.functions(calledBy: part) {
        guard let body = program.body(of: id) else { continue }
        var next = self
        if open.isEmpty { next.visited = Visited() }
        guard !next.open.contains(body), program.isWithin(next.open.count, .realmNames) else {
          continue
        }
        next.open.insert(body)
        if program.results(of: body).contains(where: { next.isManaged($0) }) { return true }
      }
    }
    guard program.kind(head) == .name else { return false }
    if parts.count == 2, program.name(head) == "Array", program.declared(head) == nil,
      program.kind(parts[1]) == .call, let taken = program.arguments(parts[1]).first
    {
      return isManaged(taken)
    }
    switch program.declared(head) {
    case .local(let local): return isManaged(declaration: local)
    case .property(let id): return isManaged(declaration: program.properties[id].ref)
    case .closureArgument(let closure, 0):
      guard let (call, _) = program.callTaking(closure), let outer = program.parent(call) else {
        return false
      }
      return isManaged(chain: outer, before: call)
    default:
      guard parts.count > 1, program.kind(parts[1]) == .member,
        let id = program.property(usedBy: parts[1])
      else { return false }
      return isManaged(declaration: program.properties[id].ref)
    }
  }
}

extension Program {
  /// The code of a getter among accessors.
  func getter(of accessors: Ref) -> Ref? {
    guard kind(accessors) == .accessors else { return accessors }
    let getter = children(accessors, .accessor).first { ["get", ""].contains(nameText($0)) }
    return getter.flatMap { child($0, .block) }
  }

  /// Whether a node is a call of `map` or the like whose closure makes other values of the
  /// elements.
  func copies(_ call: Ref) -> Bool {
    guard kind(call) == .call, ["map", "compactMap", "flatMap"].contains(calledName(call)),
      let argument = arguments(call).last,
      let closure = kind(argument) == .closure
        ? argument : descendants(argument, .closure).first(where: { callTaking($0)?.call == call })
    else { return false }
    return !results(of: closure).contains { result in
      guard let chain = child(result, .chain) else { return false }
      return descendants(chain, .call).isEmpty
    }
  }
}

/// The first use of a local that adds it to a realm.
private struct FirstAddition: Query {
  let local: Ref

  static var provisional: Ref? { nil }
  func answer(in program: Program) -> Ref? {
    program.uses(ofLocal: local).first { use in
      guard let chain = program.parent(use), program.children(chain) == [use],
        let expression = program.parent(chain), let argument = program.parent(expression),
        program.kind(argument) == .argument, let call = program.parent(argument)
      else { return false }
      return program.kind(call) == .call && program.calledName(call) == "add"
        && program.isRealmCall(call)
    }
  }
}

extension Program {
  /// What the code of the sources assigns to a property.
  func assignedValues(of id: PropertyID) -> [Ref] {
    uses(of: [properties[id].name]).compactMap { use in
      guard property(usedBy: use) == id, let assignment = assignment(toWhatEndsWith: use) else {
        return nil
      }
      return assignment.value ?? parent(assignment.target)
    }
  }
}
