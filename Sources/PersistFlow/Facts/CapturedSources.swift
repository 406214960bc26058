import PersistIndex
import PersistSyntax

/// Where the values of one body, with all code in it, come from outside of it; what a
/// variable only names anew is looked through.
final class CapturedSources {
  /// A value from outside.
  struct Source {
    let declaration: Ref
    /// The value as the code around spells it.
    let text: String
    /// Whether the value is an element of what is spelled.
    var isElement = false

    /// An element of the value.
    var element: Source { Source(declaration: declaration, text: text, isElement: true) }
  }

  /// The body, and the closures and local functions in it.
  let scope: [BodyID]
  private let program: Program
  private let bodies: Bodies
  private let root: BodyID
  /// The bodies that make closures, and the steps that do.
  private var makers: [BodyID: (BodyID, Value)] = [:]
  private var consumers: [BodyID: [Value: [Value]]] = [:]
  /// The values that are being looked through, so that a variable that depends on itself ends.
  private var open: Set<Key> = []

  private struct Key: Hashable {
    let body: BodyID
    let value: Value
  }

  init(_ program: Program, _ bodies: Bodies, in root: BodyID) {
    self.program = program
    self.bodies = bodies
    self.root = root
    var scope: [BodyID] = []
    for (id, body) in bodies.loweredBodies(inFile: Int(bodies[root].place.file)) {
      if program.contains(bodies[root].place, body.place) { scope.append(id) }
      for (number, step) in body.steps.enumerated() where step.operation == .closure {
        makers[step.index] = (id, Value(truncatingIfNeeded: number))
      }
    }
    self.scope = scope
  }

  /// The steps that take a value.
  func consumers(of value: Value, in id: BodyID) -> [Value] {
    if consumers[id] == nil {
      var found: [Value: [Value]] = [:]
      let body = bodies[id]
      for (number, step) in body.steps.enumerated() {
        for operand in body.operands(of: step) {
          found[operand, default: []].append(Value(truncatingIfNeeded: number))
        }
      }
      consumers[id] = found
    }
    return consumers[id]?[value] ?? []
  }

  // MARK: Types

  /// The type of a value that a part of a chain spells; nil where none does.
  func type(of value: Value, in id: BodyID) -> SwiftType? {
    let body = bodies[id]
    let step = body.steps[Int(value)]
    let node = body.ref(step)
    if step.operation == .selfValue {
      guard !body.isStatic, let owner = body.owner ?? program.enclosingType(node) else {
        return nil
      }
      return program.types[owner].kind == .extensionDecl
        ? .external(program.types[owner].name, []) : .declared(owner)
    }
    guard let chain = program.parent(node), program.kind(chain) == .chain else { return nil }
    let parts = program.children(chain)
    guard let index = parts.firstIndex(of: node) else { return nil }
    return program.type(ofChain: chain, upTo: index + 1 < parts.count ? parts[index + 1] : nil)
  }

  /// Whether a value is read of a model, or of a collection of them.
  func isPartOfModel(_ value: Value, in id: BodyID) -> Bool {
    guard var receiver = receiver(of: value, in: id) else { return false }
    while [.unwrap, .cast].contains(bodies[id].steps[Int(receiver)].operation),
      let inner = self.receiver(of: receiver, in: id)
    {
      receiver = inner
    }
    return type(of: receiver, in: id).flatMap { program.model(in: $0) } != nil
  }

  private func receiver(of value: Value, in id: BodyID) -> Value? {
    let body = bodies[id]
    return body.operands(of: body.steps[Int(value)]).first
  }

  // MARK: Sources

  /// Where a value comes from outside of the body; nil for what is made inside. Relationships are
  /// followed where a list of captures takes one.
  func source(of value: Value, in id: BodyID, isTaken: Bool = false) -> Source? {
    let key = Key(body: id, value: value)
    guard value >= 0, open.insert(key).inserted else { return nil }
    defer { open.remove(key) }
    let body = bodies[id]
    let step = body.steps[Int(value)]
    let first = body.operands(of: step).first ?? -1
    switch step.operation {
    case .unwrap, .cast, .await: return source(of: first, in: id, isTaken: isTaken)
    case .next, .getElement: return source(of: first, in: id)?.element
    case .capture: return source(ofCapture: Int(step.index), in: id)
    case .load: return source(ofLocal: step.index, in: id, isTaken)
    case .selfValue:
      guard !body.isStatic, let owner = body.owner ?? program.enclosingType(body.ref(step)) else {
        return nil
      }
      return Source(declaration: program.types[owner].ref, text: "self")
    case .parameter:
      guard id != root else { return outside(body.ref(step)) }
      return elements(ofParameter: Int(step.index), of: id)
    case .part: return source(ofPart: [step.index], of: first, in: id)
    case .get: return source(ofMember: step, first, in: id, isTaken)
    case .call:
      let site = body.calls[Int(step.index)]
      guard
        Words.sameElementMethods.contains(site.name)
          || Words.oneElementMethods.contains(site.name) || site.name == "enumerated"
      else { return nil }
      return source(of: site.receiver, in: id)?.element
    default: return nil
    }
  }

  private func outside(_ declaration: Ref) -> Source {
    Source(declaration: declaration, text: program.nameText(declaration))
  }

  private func source(ofCapture index: Int, in id: BodyID) -> Source? {
    let declaration = bodies[id].captures[index]
    guard id == root else {
      if let (maker, step) = makers[id] {
        return source(of: operand(index + 1, of: step, in: maker), in: maker)
      }
      // A local function uses what stands around it.
      return program.contains(bodies[root].place, declaration) ? nil : outside(declaration)
    }
    guard program.kind(declaration) == .capture, program.contains(bodies[root].place, declaration)
    else { return outside(declaration) }
    guard let (maker, step) = makers[id] else { return nil }
    let value = operand(index + 1, of: step, in: maker)
    if let source = source(of: value, in: maker, isTaken: true) { return source }
    return isMadeThere(value, in: maker) ? nil : outside(declaration)
  }

  private func operand(_ index: Int, of step: Value, in id: BodyID) -> Value {
    let operands = bodies[id].operands(of: bodies[id].steps[Int(step)])
    return index < operands.count ? operands[operands.startIndex + index] : -1
  }

  /// Whether a value is a new instance: `[trip = Trip()]`.
  private func isMadeThere(_ value: Value, in id: BodyID) -> Bool {
    guard value >= 0, bodies[id].steps[Int(value)].operation == .call else { return false }
    if case .initializer = program.callTarget(bodies[id].ref(bodies[id].steps[Int(value)])) {
      return true
    }
    return false
  }

  private func source(ofLocal index: Int32, in id: BodyID, _ isTaken: Bool) -> Source? {
    let body = bodies[id]
    guard index >= 0 else { return nil }
    let declaration = body.locals[Int(index)].declaration
    if !scope.contains(id), let declaration { return outside(declaration) }
    let stored = values(storedIn: index, of: body)
    guard stored.count == 1 else { return nil }
    if id == root, let declaration, body.steps[Int(stored[0])].operation == .parameter,
      body.kind != .closure
    {
      return outside(declaration)
    }
    // A part of a model that is named anew is another model.
    guard isTaken || !isMemberOfModel(stored[0], in: id) else { return nil }
    return source(of: stored[0], in: id, isTaken: isTaken)
  }

  /// What is put into a local, but for `nil` and for the value itself after a change.
  private func values(storedIn index: Int32, of body: Body) -> [Value] {
    body.steps.filter { $0.operation == .store && $0.index == index }
      .compactMap { body.operands(of: $0).first }
      .filter {
        ![.none, .set, .setElement, .receiverAfter].contains(body.steps[Int($0)].operation)
      }
  }

  private func isMemberOfModel(_ value: Value, in id: BodyID) -> Bool {
    let step = bodies[id].steps[Int(value)]
    switch step.operation {
    case .unwrap, .cast, .await:
      return bodies[id].operands(of: step).first.map { isMemberOfModel($0, in: id) } ?? false
    case .get:
      guard isPartOfModel(value, in: id), let receiver = receiver(of: value, in: id) else {
        return false
      }
      return !(type(of: receiver, in: id)?.unwrapped.isCollection ?? false)
    default: return false
    }
  }

  private func source(ofMember step: Instruction, _ receiver: Value, in id: BodyID, _ isTaken: Bool)
    -> Source?
  {
    let body = bodies[id]
    let node = body.ref(step)
    guard receiver >= 0 else {
      return program.property(usedBy: node).map {
        Source(declaration: program.properties[$0].ref, text: program.nameText(node))
      }
    }
    guard let whole = source(of: receiver, in: id, isTaken: isTaken) else { return nil }
    let type = type(of: receiver, in: id)
    if let type, type.unwrapped.isCollection { return whole.element }
    if let type, type.isTuple || type == .unknown, whole.isElement { return whole }
    guard isTaken || type.flatMap({ program.model(in: $0) }) == nil else { return nil }
    let declaration = program.property(usedBy: node).map { program.properties[$0].ref }
    let name = program.nameText(node)
    return Source(
      declaration: declaration ?? whole.declaration,
      text: whole.text == "self" ? name : "\(whole.text).\(name)", isElement: whole.isElement)
  }

  // MARK: Elements

  /// The collection whose elements a closure is called with: `items.forEach { $0 … }`,
  /// `zip(items, others).map { item, other in … }`, `Dictionary(grouping: items) { $0 … }`.
  private func elements(ofParameter index: Int, of id: BodyID) -> Source? {
    guard let (maker, closure) = makers[id] else { return nil }
    let taking = consumers(of: closure, in: maker).lazy.compactMap { step -> CallSite? in
      let step = self.bodies[maker].steps[Int(step)]
      return step.operation == .call ? self.bodies[maker].calls[Int(step.index)] : nil
    }.first
    guard let taking else { return nil }
    if taking.name == "Dictionary" {
      guard let all = taking.arguments.first, all.label == "grouping" else { return nil }
      return source(of: all.value, in: maker)?.element
    }
    guard Words.elementMethods.contains(taking.name) || taking.name == "reduce" else { return nil }
    let path = Int32(truncatingIfNeeded: index)
    return source(ofPart: [path], ofElementOf: taking.receiver, in: maker)
  }

  /// Where a part of a tuple comes from.
  private func source(ofPart path: [Int32], of whole: Value, in id: BodyID) -> Source? {
    let body = bodies[id]
    let step = body.steps[Int(whole)]
    let first = body.operands(of: step).first ?? -1
    switch step.operation {
    case .part: return source(ofPart: [step.index] + path, of: first, in: id)
    case .next: return source(ofPart: path, ofElementOf: first, in: id)
    case .tuple:
      let parts = Array(body.operands(of: step))
      guard path.count == 1, parts.indices.contains(Int(path[0])) else { return nil }
      return source(of: parts[Int(path[0])], in: id)
    default: return nil
    }
  }

  /// Where a part of each element of a collection comes from.
  private func source(ofPart path: [Int32], ofElementOf collection: Value, in id: BodyID)
    -> Source?
  {
    guard collection >= 0 else { return nil }
    let step = bodies[id].steps[Int(collection)]
    if step.operation == .call, let part = path.first {
      let site = bodies[id].calls[Int(step.index)]
      if site.name == "enumerated", part == 1 {
        return source(ofPart: Array(path.dropFirst()), ofElementOf: site.receiver, in: id)
      }
      if site.name == "zip", site.arguments.indices.contains(Int(part)) {
        return source(of: site.arguments[Int(part)].value, in: id)?.element
      }
    }
    return source(of: collection, in: id)?.element
  }
}

extension SwiftType {
  /// Whether the value is several values in parentheses.
  fileprivate var isTuple: Bool {
    if case .tuple = self { return true }
    return false
  }
}
