import PersistIndex
import PersistSyntax

/// A realm that is opened at launch before the code that says how to migrate it.
package struct EarlyRealm: Sendable {
  /// The call that opens the default realm.
  package let opening: Ref
  /// The assignment that comes too late.
  package let setting: Ref
  /// The calls and properties that lead from the launch to the opening, outermost first.
  package let steps: [Ref]
}

extension Program {
  /// The default realms that are opened at launch before their configuration is set.
  package var earlyRealms: [EarlyRealm] {
    guard usesRealm, !files(using: Frameworks.defaultConfiguration).isEmpty else { return [] }
    return EarlyRealms(self).all
  }
}

private final class EarlyRealms {
  private typealias Opening = (call: Ref, steps: [Ref])

  private let order: SureOrder
  private var openings: [BodyID: Opening?] = [:]
  private var settings: [BodyID: Ref?] = [:]
  private var looked: Set<BodyID> = []
  private(set) var all: [EarlyRealm] = []

  private var program: Program { order.program }

  init(_ program: Program) {
    order = SureOrder(program)
    for launch in launches {
      for (index, body) in launch.enumerated() {
        if let setting = setting(in: body),
          let early = launch[..<index].lazy.compactMap({ self.opening(in: $0) }).first
        {
          add(early, setting)
        }
        lookInside(body)
      }
    }
    all.sort { $0.opening < $1.opening }
  }

  private func add(_ opening: Opening, _ setting: Ref) {
    guard lacks(opening.call, setting), !program.isExempt(opening.call),
      !all.contains(where: { $0.opening == opening.call })
    else { return }
    all.append(EarlyRealm(opening: opening.call, setting: setting, steps: opening.steps))
  }

  /// Finds what a body surely opens before it sets the configuration, or before a call that does.
  private func lookInside(_ body: BodyID) {
    guard looked.insert(body).inserted, setting(in: body) != nil else { return }
    let steps = order.steps(of: body)
    let code = order.bodies[body]
    for (index, place) in steps.enumerated() {
      let step = code.steps[Int(place.step)]
      guard let setting = setting(by: step, in: body) else { continue }
      let early = steps[..<index].lazy.filter {
        self.order.isBefore($0.block, place.block, in: body)
      }.compactMap { self.opening(by: code.steps[Int($0.step)], in: body) }.first
      if let early { add(early, setting) }
      for inner in order.bodiesRun(by: step, in: body) { lookInside(inner) }
    }
  }

  // MARK: Launches

  /// The code that the system runs at launch, in its order, for each app.
  private var launches: [[BodyID]] {
    let delegates = program.types.indices.filter { type in
      Frameworks.appDelegates.contains { program.inherits(type, from: $0) }
    }
    let apps = program.types.indices.filter {
      program.types[$0].attributes.contains("main") && program.inherits($0, from: "App")
    }
    let adapted = apps.map { app -> [BodyID] in
      let own = delegates.filter { delegate in
        program.types[app].properties.contains { id in
          !Frameworks.delegateAdaptors.isDisjoint(with: program.properties[id].attributes)
            && program.names(program.types[delegate].name, in: declaration(of: id))
        }
      }
      return making(app) + own.flatMap { making($0) + launching($0) }
    }
    return adapted + delegates.map { making($0) + launching($0) }
  }

  private func declaration(of property: PropertyID) -> Ref {
    let property = program.properties[property]
    return Ref(file: Int(property.ref.file), node: property.declaration)
  }

  private func making(_ type: TypeID) -> [BodyID] {
    let made = program.types[type].functions.filter {
      program.functions[$0].kind == .initDecl && program.functions[$0].parameters.isEmpty
    }
    return order.initialValues(of: type) + made.compactMap { order.facts.body(of: $0) }
  }

  /// The methods of a delegate that the system calls first.
  private func launching(_ type: TypeID) -> [BodyID] {
    Frameworks.launchMethods.flatMap { method in
      program.types[type].functions.filter { id in
        let function = program.functions[id]
        return function.name == method.name
          && (method.label == .none || function.parameters.contains { $0.label == method.label })
      }
    }.compactMap { order.facts.body(of: $0) }
  }

  // MARK: Openings and settings

  /// The opening of the default realm that a body surely comes to.
  private func opening(in body: BodyID) -> Opening? {
    if let known = openings[body] { return known }
    openings[body] = .some(nil)
    let code = order.bodies[body]
    let found = order.steps(of: body).lazy.filter { self.order.isSure($0.block, in: body) }
      .compactMap { self.opening(by: code.steps[Int($0.step)], in: body) }.first
    openings[body] = .some(found)
    return found
  }

  private func opening(by step: Instruction, in body: BodyID) -> Opening? {
    let place = order.bodies[body].ref(step)
    if step.operation == .call, opensDefault(place) { return (place, []) }
    for inner in order.bodiesRun(by: step, in: body) {
      if let found = opening(in: inner) { return (found.call, [place] + found.steps) }
    }
    return nil
  }

  private func opensDefault(_ call: Ref) -> Bool {
    guard case .externalInitializer(let type) = order.facts.target(call),
      type.isExternal(Frameworks.realm)
    else { return false }
    guard let given = program.argument(call, "configuration") else {
      return program.arguments(call).allSatisfy { program.label($0) != .none }
    }
    return program.lastName(of: given) == Frameworks.defaultConfiguration
      || program.lacksMigration(realm: given)
  }

  /// Whether an opening lacks what a place sets: one by a configuration of its own lacks the
  /// migration alone.
  private func lacks(_ opening: Ref, _ setting: Ref) -> Bool {
    guard let given = program.argument(opening, "configuration"),
      program.lastName(of: given) != Frameworks.defaultConfiguration
    else { return true }
    if program.name(setting) == Frameworks.migration { return true }
    let value = program.assignment(toWhatEndsWith: setting)?.value
    return value.map { program.setsMigration(realm: $0) } ?? false
  }

  /// The place in a body, or in code that it surely runs, that says how to migrate.
  private func setting(in body: BodyID) -> Ref? {
    if let known = settings[body] { return known }
    settings[body] = .some(nil)
    let code = order.bodies[body]
    let found = order.steps(of: body).lazy.compactMap {
      self.setting(by: code.steps[Int($0.step)], in: body)
    }.first
    settings[body] = .some(found)
    return found
  }

  private func setting(by step: Instruction, in body: BodyID) -> Ref? {
    let code = order.bodies[body]
    if step.operation == .set {
      return !step.isWriteBack && saysHowToMigrate(step, code) ? code.ref(step) : nil
    }
    return order.bodiesRun(by: step, in: body).lazy.compactMap { self.setting(in: $0) }.first
  }

  private func saysHowToMigrate(_ step: Instruction, _ code: Body) -> Bool {
    if Frameworks.migrationSettings.contains(step.name) {
      guard let receiver = code.operands(of: step).first, receiver >= 0 else { return false }
      let whole = code.steps[Int(receiver)]
      return whole.operation == .get && whole.name == Frameworks.defaultConfiguration
    }
    guard step.name == Frameworks.defaultConfiguration,
      let value = program.assignment(toWhatEndsWith: code.ref(step))?.value
    else { return false }
    return program.saysHowToMigrate(realm: value)
  }
}
