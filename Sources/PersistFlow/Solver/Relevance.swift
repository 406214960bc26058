import PersistIndex
import PersistSyntax

/// The bodies that a context, a realm or one of its objects may come to, by the names that lead there.
///
/// It begins with the bodies that name an owner or what a framework does with one. While the solver
/// finds owners in results and properties it adds their names, and each body that mentions one.
final class Relevance {
  private(set) var bodies: Set<BodyID> = []
  /// Bodies that have come in since the solver asked last, in the order of their numbers.
  private var fresh: [BodyID] = []
  private let program: Program
  private let heads: [BodyHead]
  /// The initializers that call another one of their type or of a superclass, by that type.
  private var delegators: [TypeID: [BodyID]] = [:]
  private var mentions: [Name: [BodyID]] = [:]
  private var setters: [Name: [BodyID]] = [:]
  private var makersOfClosures: [BodyID: BodyID] = [:]
  /// The properties that begin with the value of a body: several for `let (a, b) = …`.
  private var namesOfInitialValues: [BodyID: [Name]] = [:]
  private var names: Set<Name> = []
  private var settersTaken: Set<Name> = []
  private var writersTaken: Set<Name> = []
  /// Bodies that assign to what holds an owner, and those that call them.
  private(set) var writers: Set<BodyID> = []

  init(_ program: Program, _ table: Bodies, _ heads: [BodyHead]) {
    self.program = program
    self.heads = heads
    for (index, body) in table.all.enumerated() {
      collectNames(of: body, BodyID(truncatingIfNeeded: index))
    }
    for property in program.properties {
      guard let node = property.initializer,
        let body = table.body(at: Ref(file: Int(property.ref.file), node: node))
      else { continue }
      namesOfInitialValues[body, default: []].append(property.name)
    }
    for caller in mentions["init"] ?? [] where heads[Int(caller)].kind == .initializer {
      guard let heir = heads[Int(caller)].owner else { continue }
      for base in Set([heir] + program.lineage(of: heir)) {
        delegators[base, default: []].append(caller)
      }
    }
    for name in Frameworks.namesOfOwners { add(name) }
    for property in program.properties
    where !Frameworks.wrappersOfOwners.isDisjoint(with: property.attributes) {
      add(property.name)
    }
  }

  func contains(_ body: BodyID) -> Bool { bodies.contains(body) }

  /// The bodies that have come in since this was asked last.
  func takeFresh() -> [BodyID] {
    defer { fresh = [] }
    return fresh.sorted()
  }

  var hasFresh: Bool { !fresh.isEmpty }

  private func collectNames(of body: Body, _ id: BodyID) {
    var seen: Set<Name> = []
    var written: Set<Name> = []
    for step in body.steps {
      switch step.operation {
      case .set where !step.isWriteBack:
        if written.insert(step.name).inserted { setters[step.name, default: []].append(id) }
        fallthrough
      case .get, .type, .function, .implicitMember, .call:
        if step.name != .none, seen.insert(step.name).inserted {
          mentions[step.name, default: []].append(id)
        }
      case .closure: makersOfClosures[step.index] = id
      default: break
      }
    }
  }

  /// Takes in all bodies that mention a name.
  func add(_ name: Name) {
    guard names.insert(name).inserted else { return }
    for body in mentions[name] ?? [] { take(body) }
  }

  /// Takes in the bodies that assign to a property of that name.
  func addSetters(of name: Name) {
    guard settersTaken.insert(name).inserted else { return }
    for body in setters[name] ?? [] { take(body) }
  }

  /// Takes in the bodies that assign to a property of that name, and who calls these.
  func addWriters(of name: Name) {
    guard writersTaken.insert(name).inserted else { return }
    for body in setters[name] ?? [] {
      take(body)
      writers.insert(body)
      for caller in callers(of: body) {
        take(caller)
        writers.insert(caller)
      }
    }
  }

  /// Whether a body assigns to what holds an owner, and may be called by one that doesn't matter:
  /// that one hands over nobody knows what.
  func mayWriteUnknown(_ body: BodyID) -> Bool {
    writers.contains(body) && callers(of: body).contains { !bodies.contains($0) }
  }

  /// Takes in whoever may call a body, by its name.
  func addCallers(of id: BodyID) {
    for caller in callers(of: id) { take(caller) }
  }

  /// The bodies that may call one, by its name.
  private func callers(of id: BodyID) -> [BodyID] {
    if let maker = makersOfClosures[id] { return [maker] }
    let body = heads[Int(id)]
    if let function = body.function {
      guard body.kind == .initializer, let owner = body.owner else {
        return mentions[program.functions[function].name] ?? []
      }
      return (mentions[program.types[owner].name] ?? []) + (delegators[owner] ?? [])
    }
    if let names = namesOfInitialValues[id] { return names.flatMap { mentions[$0] ?? [] } }
    return body.property.flatMap { mentions[program.properties[$0].name] } ?? []
  }

  private func take(_ id: BodyID) {
    guard bodies.insert(id).inserted else { return }
    fresh.append(id)
    if let maker = makersOfClosures[id] { take(maker) }
  }
}

/// What is asked of all bodies again and again.
struct BodyHead {
  let kind: Body.Kind
  let function: FunctionID?
  let property: PropertyID?
  let owner: TypeID?
  /// Whether it assigns to a property.
  let writesHeap: Bool
  /// How much comes in that nobody knows where no caller is seen.
  let openness: Int

  init(_ body: Body) {
    openness = body.kind == .closure ? 2 : body.parameterCount > 0 ? 1 : 0
    kind = body.kind
    function = body.function
    property = body.property
    owner = body.owner
    writesHeap = body.steps.contains { $0.operation == .set && !$0.isWriteBack }
  }
}
