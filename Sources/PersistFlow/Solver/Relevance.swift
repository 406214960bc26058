import PersistIndex
import PersistSyntax

/// The bodies that a context, a realm or one of its objects may come to, by the names that lead there.
///
/// A body matters when it mentions a name that leads to an owner: the framework's own, and those of
/// functions and properties whose bodies matter. All others are solved only when a value comes in.
struct Relevance {
  private(set) var bodies: Set<BodyID> = []
  private let program: Program
  private let table: Bodies
  private var mentions: [Name: [BodyID]] = [:]
  private var propertiesByName: [Name: [PropertyID]] = [:]
  private var makersOfClosures: [BodyID: BodyID] = [:]
  private var names: Set<Name> = []
  private var waiting: [Name] = []

  init(_ program: Program, _ table: Bodies) {
    self.program = program
    self.table = table
    for (index, body) in table.all.enumerated() {
      collectNames(of: body, BodyID(truncatingIfNeeded: index))
    }
    for id in program.properties.indices {
      let property = program.properties[id]
      propertiesByName[property.name, default: []].append(id)
      if !Frameworks.wrappersOfOwners.isDisjoint(with: property.attributes) { add(property.name) }
    }
    for name in Frameworks.namesOfOwners { add(name) }
    while let name = waiting.popLast() {
      for body in mentions[name] ?? [] { take(body) }
    }
  }

  func contains(_ body: BodyID) -> Bool { bodies.contains(body) }

  private mutating func collectNames(of body: Body, _ id: BodyID) {
    var seen: Set<Name> = []
    for step in body.steps {
      switch step.operation {
      case .get, .type, .function, .implicitMember, .call:
        if step.name != .none, seen.insert(step.name).inserted {
          mentions[step.name, default: []].append(id)
        }
      case .closure: makersOfClosures[step.index] = id
      default: break
      }
    }
  }

  private mutating func add(_ name: Name) {
    if names.insert(name).inserted { waiting.append(name) }
  }

  private mutating func take(_ id: BodyID) {
    guard bodies.insert(id).inserted else { return }
    let body = table.all[Int(id)]
    if let maker = makersOfClosures[id] { take(maker) }
    if let function = body.function {
      if body.kind == .initializer, let owner = body.owner { add(program.types[owner].name) }
      add(program.functions[function].name)
    }
    if let property = body.property {
      add(program.properties[property].name)
      if body.kind == .initialValue, let owner = program.properties[property].owner,
        !program.properties[property].isStatic
      {
        add(program.types[owner].name)
      }
    }
    for step in body.steps where step.operation == .set && !step.isWriteBack {
      if mayHoldOwner(step.name) { add(step.name) }
    }
  }

  /// Whether a property of that name may hold more than plain data.
  private func mayHoldOwner(_ name: Name) -> Bool {
    guard let properties = propertiesByName[name] else { return false }
    return properties.contains { id in
      switch program.type(ofProperty: id).unwrapped {
      case .external(let type, _): !Frameworks.plainTypes.contains(type)
      case .array(let inner), .set(let inner): !inner.isPlain
      default: true
      }
    }
  }
}

extension SwiftType {
  fileprivate var isPlain: Bool {
    if case .external(let name, _) = self { return Frameworks.plainTypes.contains(name) }
    return false
  }
}
