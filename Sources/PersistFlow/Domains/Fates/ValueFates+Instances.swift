import PersistIndex
import PersistSyntax

// MARK: - Instances that keep values

extension ValueFates {
  /// What an implicit initializer makes of values that it is given; nil where it is something else.
  func instance(madeBy site: CallSite, _ call: Ref, _ arguments: [CarriedMark]) -> CarriedMark? {
    guard arguments.contains(where: { !$0.all.isEmpty }),
      case .initializer(let type, let candidates) = flow.facts.target(call), candidates.isEmpty
    else { return nil }
    var fields: [PropertyID: CarriedMark] = [:]
    for (argument, mark) in zip(site.arguments, arguments) where !mark.all.isEmpty {
      guard case .property(let id)? = flow.facts.member(argument.label, of: type), mayKeep(id)
      else { continue }
      fields[id] = mark
    }
    return fields.isEmpty ? nil : .instances([type: fields])
  }

  /// What a function gives back: for an initializer the instance with what that keeps in it.
  func making(_ function: FunctionDeclaration, _ part: () -> CarriedMark) -> CarriedMark {
    guard function.kind == .initDecl, let type = function.owner else { return part() }
    madeFields.append([:])
    let result = part()
    let fields = madeFields.removeLast()
    return fields.isEmpty ? result : .instances([type: fields])
  }

  /// Notes what an initializer that is called with values puts into the instance; false elsewhere.
  func keepInMade(_ mark: CarriedMark, by step: Instruction, in body: Body) -> Bool {
    guard !madeFields.isEmpty, body.kind == .initializer, frames.last?.body == body.place,
      body.isOfSelf(step)
    else { return false }
    if !mark.all.isEmpty, let id = property(setBy: step, in: body), mayKeep(id) {
      madeFields[madeFields.count - 1][id] =
        madeFields[madeFields.count - 1][id].map { joined($0, mark) } ?? mark
    }
    return true
  }

  /// Whether a property keeps values for the code: what a model holds is the store's.
  func mayKeep(_ property: PropertyID) -> Bool {
    !program.properties[property].isComputed
      && program.properties[property].owner.map { !program.isModel($0) } ?? true
  }

  /// The property that a step sets, also by the name of its wrapper.
  func property(setBy step: Instruction, in body: Body) -> PropertyID? {
    if let id = program.property(readBy: step, in: body) { return id }
    guard body.isOfSelf(step), let owner = body.owner else { return nil }
    return program.types[owner].properties.first {
      Name("_" + program.nameText(program.properties[$0].ref)) == step.name
    }
  }

  /// What a member of instances is: what they keep in it, or what they work out.
  func get(
    _ step: Instruction, of held: [TypeID: [PropertyID: CarriedMark]], _ run: LocalRun<ValueFates>
  ) -> CarriedMark {
    if let own = run.own(step), own != .other { return own }
    return held.sorted { $0.key < $1.key }.reduce(.other) { known, instance in
      guard case .property(let id)? = flow.facts.member(step.name, of: instance.key) else {
        return known
      }
      if let mark = instance.value[id] { return joined(known, mark) }
      guard program.properties[id].isComputed, let getter = flow.facts.getter(of: id) else {
        return joined(known, self.held(step, in: run.body) ?? .other)
      }
      let receiver = CarriedMark.instances([instance.key: instance.value])
      let made = within(flow.bodies[getter].place, [(receiver, run.body.ref(step))]) {
        flow.run(getter, of: receiver, isKept: false)
      }
      return joined(known, made)
    }
  }

  /// Draws the views that are made with values, and loads the controllers of screens.
  func show(_ mark: CarriedMark, at place: Ref) {
    guard case .instances(let held) = mark else { return }
    for (type, fields) in held.sorted(by: { $0.key < $1.key }) {
      let receiver = CarriedMark.instances([type: fields])
      for body in codeOfScreen(type) {
        _ = within(flow.bodies[body].place, [(receiver, place)]) {
          flow.run(body, of: receiver, isKept: false)
        }
      }
    }
  }

  /// What the framework runs of a view or of a controller of a screen.
  private func codeOfScreen(_ type: TypeID) -> [BodyID] {
    if program.inherits(type, from: Frameworks.view) {
      guard case .property(let body)? = flow.facts.member(Frameworks.bodyOfViews, of: type) else {
        return []
      }
      return flow.facts.getter(of: body).map { [$0] } ?? []
    }
    guard Frameworks.controllers.contains(where: { program.inherits(type, from: $0) }) else {
      return []
    }
    let methods = Frameworks.appearing.union([Frameworks.loading])
    return program.types[type].functions.filter { methods.contains(program.functions[$0].name) }
      .compactMap { flow.facts.body(of: $0) }
  }
}
