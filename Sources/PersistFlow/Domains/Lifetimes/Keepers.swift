import PersistIndex
import PersistSyntax

/// A stored property that keeps models for longer than a call.
struct Keeper {
  let property: PropertyID
  let model: TypeID
  /// The property of a struct between, through which the model is reached.
  var part: PropertyID?
  /// The case of an enum between, in whose payload the model is.
  var payload: Name?
  /// The view whose property it is; nil where a longer-lived object has it.
  var view: TypeID?
  /// Whether a controller of a screen has it.
  var isOfController = false
  /// Whether it keeps several.
  var isMany = false

  /// Whether a long-lived object keeps one for some screens, such as what is selected.
  var isSelection: Bool { view == nil && !isMany }
}

/// The properties of views and long-lived objects that keep models, in source order.
struct Keepers {
  private(set) var all: [Keeper] = []
  private let program: Program

  init(_ program: Program) {
    self.program = program
    for type in program.allTypes() where !program.isModel(type) {
      let declaration = program.types[type]
      guard [.classDecl, .actorDecl, .structDecl, .enumDecl].contains(declaration.kind),
        !program.isExempt(declaration.ref)
      else { continue }
      for id in declaration.properties {
        if keeps(id, in: type), let found = keeper(id, in: type) { all.append(found) }
      }
    }
    all.sort { program.properties[$0.property].ref < program.properties[$1.property].ref }
  }

  /// Whether a property keeps what it gets: not where something tells it of changes, or where it
  /// lives no longer than a call.
  private func keeps(_ id: PropertyID, in owner: TypeID) -> Bool {
    let property = program.properties[id]
    guard !property.isComputed, !property.isLet, !program.isExempt(property.ref),
      !property.modifiers.contains("weak")
    else { return false }
    let wrappers = property.attributes.filter { !Frameworks.plainAttributes.contains($0) }
    if wrappers.contains(where: { Frameworks.keepingWrappers.contains($0) }) { return true }
    return wrappers.isEmpty
      && (property.isStatic || program.types[owner].attributes.contains("Observable")
        || program.isShared(owner) || program.isController(owner))
  }

  private func keeper(_ id: PropertyID, in owner: TypeID) -> Keeper? {
    let type = program.type(ofProperty: id)
    let isStruct = program.types[owner].kind == .structDecl && !program.properties[id].isStatic
    func keeper(
      of model: TypeID, _ part: PropertyID? = nil, payload: (Name, SwiftType)? = nil
    ) -> Keeper {
      Keeper(
        property: id, model: model, part: part, payload: payload?.0, view: isStruct ? owner : nil,
        isOfController: !program.properties[id].isStatic && !program.isShared(owner)
          && program.isController(owner),
        isMany: type.isManyValues || payload?.1.isManyValues ?? false)
    }
    if case .declared(let held, _) = type.held, program.types[held].kind == .enumDecl {
      return payload(of: held).map { keeper(of: $0.model, payload: ($0.name, $0.type)) }
    }
    // A view that is nothing without its model goes with it.
    if isStruct, case .declared = type { return nil }
    if let model = program.model(in: type) ?? modelPut(into: id, type) {
      return keeper(of: model)
    }
    guard case .declared(let held, _) = type.held, program.types[held].kind == .structDecl else {
      return nil
    }
    for part in program.types[held].properties
    where !program.properties[part].isComputed && !program.properties[part].isStatic {
      if let model = program.model(in: program.type(ofProperty: part)) {
        return keeper(of: model, part)
      }
    }
    return nil
  }

  /// The first case of an enum that brings models along.
  private func payload(of held: TypeID) -> (name: Name, type: SwiftType, model: TypeID)? {
    for element in program.enumElements(held) {
      for type in program.payloadTypes(of: element) {
        if let model = program.model(in: type) { return (program.name(element), type, model) }
      }
    }
    return nil
  }

  /// The class of all objects that code puts into a property which takes anything.
  private func modelPut(into id: PropertyID, _ type: SwiftType) -> TypeID? {
    guard case .external(let name, _) = type.unwrapped, Frameworks.anything.contains(name) else {
      return nil
    }
    let uses = program.uses(of: [program.properties[id].name]).filter {
      program.property(usedBy: $0) == id && !program.isExempt($0)
    }
    let values = uses.compactMap { program.assignment(toWhatEndsWith: $0)?.value }
      .filter { !program.isNil($0) }
    let models = Set(values.map { program.model(in: program.type(of: $0)) })
    return models.count == 1 ? models.first ?? nil : nil
  }
}

extension SwiftType {
  /// Whether a value holds several others, optionals left out.
  fileprivate var isManyValues: Bool {
    switch unwrapped {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// The one type whose values an optional or a collection holds.
  fileprivate var held: SwiftType {
    switch self {
    case .optional(let inner), .array(let inner), .set(let inner), .dictionary(_, let inner):
      inner.held
    default: self
    }
  }
}

extension Program {
  /// Whether a type is a controller of a screen.
  fileprivate func isController(_ type: TypeID) -> Bool {
    Frameworks.controllers.contains { inherits(type, from: $0) }
  }

  /// Whether a type has one object that everybody uses.
  func isShared(_ type: TypeID) -> Bool {
    [.classDecl, .actorDecl].contains(types[type].kind)
      && types[type].properties.contains { id in
        properties[id].isStatic && self.type(ofProperty: id) == .declared(type)
      }
  }
}
