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
  private let mentions: Mentions
  /// The properties that begin with the value of a body: several for `let (a, b) = …`.
  private var propertiesOfInitialValues: [BodyID: [PropertyID]] = [:]
  private var callersOfBodies: [BodyID: [BodyID]] = [:]
  private var names: Set<Name> = []
  private var properties: Set<PropertyID> = []
  private var settersTaken: Set<PropertyID> = []
  private var writersTaken: Set<PropertyID> = []
  /// Bodies that assign to what holds an owner, and those that call them.
  private(set) var writers: Set<BodyID> = []

  init(_ program: Program, _ table: Bodies, _ heads: [BodyHead]) {
    self.program = program
    self.heads = heads
    mentions = Mentions(program, table)
    for (id, property) in program.properties.enumerated() {
      guard let node = property.initializer,
        let body = table.body(at: Ref(file: Int(property.ref.file), node: node))
      else { continue }
      propertiesOfInitialValues[body, default: []].append(id)
    }
    for caller in mentions.bodies(naming: "init") where heads[Int(caller)].kind == .initializer {
      guard let heir = heads[Int(caller)].owner else { continue }
      for base in Set([heir] + program.lineage(of: heir)) {
        delegators[base, default: []].append(caller)
      }
    }
    for name in Frameworks.namesOfOwners { add(name) }
    for (id, property) in program.properties.enumerated()
    where !Frameworks.wrappersOfOwners.isDisjoint(with: property.attributes) {
      add(property: id)
    }
  }

  func contains(_ body: BodyID) -> Bool { bodies.contains(body) }

  /// The bodies that have come in since this was asked last.
  func takeFresh() -> [BodyID] {
    defer { fresh = [] }
    return fresh.sorted()
  }

  var hasFresh: Bool { !fresh.isEmpty }

  /// Takes in all bodies that mention a name.
  private func add(_ name: Name) {
    guard names.insert(name).inserted else { return }
    for body in mentions.bodies(naming: name) { take(body) }
  }

  /// Takes in all bodies that mention a property.
  func add(property: PropertyID) {
    guard properties.insert(property).inserted else { return }
    for body in mentions.bodies(ofProperty: property) { take(body) }
  }

  /// Takes in the bodies that assign to a property.
  func addSetters(of property: PropertyID) {
    guard settersTaken.insert(property).inserted else { return }
    for body in mentions.bodies(ofProperty: property, writing: true) { take(body) }
  }

  /// Takes in the bodies that assign to a property, and who calls these.
  func addWriters(of property: PropertyID) {
    guard writersTaken.insert(property).inserted else { return }
    for body in mentions.bodies(ofProperty: property, writing: true) {
      addWriter(body)
      for caller in callers(of: body) { addWriter(caller) }
    }
  }

  /// Takes in a body that assigns; an initializer hands on what its callers hand over.
  private func addWriter(_ body: BodyID) {
    take(body)
    guard writers.insert(body).inserted, heads[Int(body)].kind == .initializer else { return }
    for caller in callers(of: body) { addWriter(caller) }
  }

  /// Whether a body assigns to what holds an owner, and may be called by one that doesn't matter:
  /// that one hands over nobody knows what.
  func mayWriteUnknown(_ body: BodyID) -> Bool {
    writers.contains(body) && callers(of: body).contains { !bodies.contains($0) }
  }

  /// Takes in whoever may call a body.
  func addCallers(of id: BodyID) {
    for caller in callers(of: id) { take(caller) }
  }

  /// The bodies that may call one.
  private func callers(of id: BodyID) -> [BodyID] {
    if let known = callersOfBodies[id] { return known }
    let found = findCallers(of: id)
    callersOfBodies[id] = found
    return found
  }

  private func findCallers(of id: BodyID) -> [BodyID] {
    if let maker = mentions.makersOfClosures[id] { return [maker] }
    let body = heads[Int(id)]
    if let function = body.function {
      guard body.kind == .initializer, let owner = body.owner else {
        return mentions.bodies(ofFunction: function)
      }
      return mentions.bodies(naming: program.types[owner].name) + (delegators[owner] ?? [])
    }
    if let properties = propertiesOfInitialValues[id] {
      return properties.flatMap { mentions.bodies(ofProperty: $0) }
    }
    return body.property.map { mentions.bodies(ofProperty: $0) } ?? []
  }

  private func take(_ id: BodyID) {
    guard bodies.insert(id).inserted else { return }
    fresh.append(id)
    if let maker = mentions.makersOfClosures[id] { take(maker) }
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
