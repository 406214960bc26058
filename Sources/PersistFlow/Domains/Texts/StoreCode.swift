import PersistIndex
import PersistSyntax

/// The code that may change how a store is opened, or open one, itself or in what it calls.
final class StoreCode {
  /// The calls, assignments and uses that do so themselves.
  private var places: Set<Ref> = []
  private var functions: Set<FunctionID> = []
  private var properties: Set<PropertyID> = []
  /// Whether closures do so that other code of the sources may keep, or call.
  private(set) var isInClosures = false
  private let program: Program
  /// Whether what makes objects counts for those that have them made.
  private let followsMakers: Bool

  init(_ program: Program, ownsStore: (SwiftType) -> Bool, opens: Bool) {
    self.program = program
    followsMakers = opens
    let settings = program.uses(of: Frameworks.settingsOfStores)
    places = Set(
      settings.filter { program.isAssignmentTarget($0) && program.property(usedBy: $0) == nil })
    for (offset, property) in program.properties.enumerated()
    where ownsStore(program.type(ofProperty: PropertyID(offset))) {
      places.formUnion(
        program.uses(of: [property.name]).filter { use in
          program.isAssignmentTarget(use) && program.property(usedBy: use) == PropertyID(offset)
        })
    }
    if opens { places.formUnion(openings(ownsStore)) }
    var waiting = Array(places)
    while let next = waiting.popLast() { waiting += uses(ofCodeAround: next) }
  }

  /// The calls that open a store, or make what knows one.
  private func openings(_ ownsStore: (SwiftType) -> Bool) -> Set<Ref> {
    let own = program.types.enumerated().filter { ownsStore(.declared(TypeID($0.offset), [])) }
    let names = Set(own.map(\.element.name)).union(Frameworks.storeOwners)
      .union(Words.openingTypes.keys).union([Frameworks.configuration])
    return names.reduce(into: Set(program.frameworkOpenings().map(\.call))) { found, name in
      found.formUnion(program.calls(named: name))
      found.formUnion(program.initCalls(of: name))
    }
  }

  /// The places that run the function or property around a place, where it is found first.
  private func uses(ofCodeAround place: Ref) -> [Ref] {
    for node in program.ancestors(place) {
      if program.kind(node) == .closure { isInClosures = isInClosures || mayBeKept(node) }
      if let id = program.function(declaredAt: node) {
        guard followsMakers || program.functions[id].kind != .initDecl else { return [] }
        return functions.insert(id).inserted ? program.callers(of: id) : []
      }
      if let id = program.property(declaredAt: node) {
        guard followsMakers || program.properties[id].isComputed else { return [] }
        return properties.insert(id).inserted ? program.uses(ofProperty: id) : []
      }
    }
    return []
  }

  /// Whether a closure is neither called where it stands nor given to a framework alone.
  private func mayBeKept(_ closure: Ref) -> Bool {
    let around = program.ancestors(closure)
    guard let call = around.first(where: { ![.argument, .chain].contains(program.kind($0)) }),
      program.kind(call) == .call
    else { return true }
    switch program.callTarget(call) {
    case .externalFunction, .externalInitializer, .externalMethod: return false
    default: return program.calledNode(call) != closure
    }
  }

  /// Whether a step does so, or runs code that does.
  func contains(_ step: Instruction, in body: Body, target: (Ref) -> [FunctionID]) -> Bool {
    let node = body.ref(step)
    switch step.operation {
    case .call: return places.contains(node) || target(node).contains(where: functions.contains)
    case .set: return places.contains(node)
    case .get:
      let id = step.index >= 0 ? PropertyID(step.index) : program.property(usedBy: node)
      return id.map(properties.contains) ?? false
    default: return false
    }
  }

  func contains(_ function: FunctionID) -> Bool { functions.contains(function) }
}
