import PersistIndex
import PersistSyntax

/// A property that keeps models for longer than a call.
struct ModelHolder {
  let id: PropertyID
  let model: TypeID
  /// The property of a struct between, through which the model is reached.
  var part: PropertyID?
}

/// The properties of views and long-lived objects that keep models, in source order.
struct ModelHolders {
  private(set) var all: [ModelHolder] = []
  private let program: Program

  init(_ program: Program) {
    self.program = program
    for type in program.allTypes() where !program.isModel(type) {
      let declaration = program.types[type]
      guard [.classDecl, .actorDecl, .structDecl, .enumDecl].contains(declaration.kind),
        !program.isExempt(declaration.ref)
      else { continue }
      for id in declaration.properties where isKept(id, by: type) {
        if let holder = holder(id) { all.append(holder) }
      }
    }
    all.sort { program.properties[$0.id].ref < program.properties[$1.id].ref }
  }

  private func isKept(_ id: PropertyID, by owner: TypeID) -> Bool {
    let property = program.properties[id]
    guard !property.isComputed, !property.isLet, !program.isExempt(property.ref),
      !property.modifiers.contains("weak")
    else { return false }
    if property.attributes.contains("State") || property.attributes.contains("Published") {
      return true
    }
    let isWrapped = property.attributes.contains { ![Name("MainActor"), "objc"].contains($0) }
    return !isWrapped
      && (property.isStatic || program.types[owner].attributes.contains("Observable")
        || isShared(owner))
  }

  /// Whether a type has one object that everybody uses.
  private func isShared(_ type: TypeID) -> Bool {
    [.classDecl, .actorDecl].contains(program.types[type].kind)
      && program.types[type].properties.contains { id in
        program.properties[id].isStatic && program.type(ofProperty: id) == .declared(type)
      }
  }

  private func holder(_ id: PropertyID) -> ModelHolder? {
    let type = program.type(ofProperty: id)
    if case .declared = type { return nil }
    if let model = program.model(in: type) { return ModelHolder(id: id, model: model) }
    guard case .declared(let held, _) = held(in: type), program.types[held].kind == .structDecl
    else {
      return nil
    }
    for part in program.types[held].properties
    where !program.properties[part].isComputed && !program.properties[part].isStatic {
      if let model = program.model(in: program.type(ofProperty: part)) {
        return ModelHolder(id: id, model: model, part: part)
      }
    }
    return nil
  }

  /// The one type whose values an optional or a collection holds.
  private func held(in type: SwiftType) -> SwiftType {
    switch type {
    case .optional(let inner), .array(let inner), .set(let inner), .dictionary(_, let inner):
      held(in: inner)
    default: type
    }
  }
}

extension ModelHolder {
  /// Whether what is kept is among what a wipe takes away.
  func isMeant(by wipe: ModelWipe, _ program: Program) -> Bool {
    switch wipe.extent {
    case .model(let type): return program.lineage(of: model).contains(type)
    case .container: return !program.isManagedClass(model)
    case .object(let type):
      return program.lineage(of: model).contains(type)
        && program.type(ofProperty: id).isManyValues && isFetched(program)
        && program.enclosingType(wipe.place).map({ program.resolveAlias($0) })
          != program.properties[id].owner
    case .context(let path):
      return program.isManagedClass(model) && isFetched(from: path, program)
    }
  }

  /// Whether a value that the property gets is fetched by the context of a path.
  private func isFetched(from path: String, _ program: Program) -> Bool {
    program.settings(of: id).contains { expression in
      program.descendants(expression, .call).contains { call in
        program.calledName(call) == "fetch" && program.contextPath(ofMethod: call) == path
      }
    }
  }

  /// Whether a value that the property gets is fetched.
  private func isFetched(_ program: Program) -> Bool {
    program.settings(of: id).contains { expression in
      program.descendants(expression, .call).contains { program.calledName($0) == "fetch" }
        || program.descendants(expression, .name).contains { name in
          guard !program.isAssignmentTarget(name), let value = program.fixedValue(of: name) else {
            return false
          }
          return program.descendants(value, .call).contains { program.calledName($0) == "fetch" }
        }
    }
  }

  /// Whether the owner may be there when all is wiped: everybody's object always is, a view where
  /// it wipes by itself.
  func mayLive(at place: Ref, _ program: Program) -> Bool {
    guard let owner = program.properties[id].owner else { return true }
    let isView = program.properties[id].attributes.contains("State")
    guard isView, program.types[owner].kind == .structDecl else { return true }
    return isReached(from: owner, place, program, depth: 0)
  }

  private func isReached(from owner: TypeID, _ place: Ref, _ program: Program, depth: Int) -> Bool {
    if program.enclosingType(place).map({ program.resolveAlias($0) }) == owner { return true }
    guard program.isWithin(depth, .wipingCallers),
      let function = program.enclosingFunction(place)
    else { return false }
    return program.callers(of: function).contains {
      !program.isExempt($0) && isReached(from: owner, $0, program, depth: depth + 1)
    }
  }

  /// The reads of what is kept, in source order.
  func reads(_ program: Program) -> [Ref] {
    program.uses(ofProperty: id).filter { use in
      !program.isExempt(use) && program.parent(use).map { program.kind($0) == .chain } ?? false
    }.compactMap { program.parent($0) }
  }

  /// Whether the property gets another value on every way to a read.
  func isRenewed(before read: Ref, _ program: Program, depth: Int = 0) -> Bool {
    guard program.isWithin(depth, .wipingCallers) else { return false }
    let renews = program.runBefore(read, withDoBlocks: true).contains { statement in
      program.sets(id, in: statement) || setsFurtherOn(in: statement, program, depth: 0)
    }
    if renews { return true }
    guard let function = program.enclosingFunction(read) else { return false }
    let callers = program.callers(of: function).filter { !program.isExempt($0) }
    let declaration = program.functions[function]
    let isLocal = program.ancestors(declaration.ref).contains {
      program.kind($0) == .functionDecl
    }
    return (isLocal || declaration.isPrivate) && !callers.isEmpty
      && callers.allSatisfy { isRenewed(before: $0, program, depth: depth + 1) }
  }

  /// Whether something asks a kept object whether it still exists.
  func isLookedAt(_ program: Program) -> Bool {
    let asks: Set<String> = ["modelContext", "managedObjectContext", "isDeleted", "isFault"]
    return ([id] + (part.map { [$0] } ?? [])).contains { property in
      program.uses(ofProperty: property).contains { use in
        guard let chain = program.parent(use) else { return false }
        return program.children(chain).contains { $0 > use && asks.contains(program.nameText($0)) }
      }
    }
  }

  /// Whether the owner hears of changes that others make.
  func listens(_ program: Program) -> Bool {
    guard let owner = program.properties[id].owner else { return false }
    let words: Set<Name> = [
      "NSManagedObjectContextDidSave", "NSManagedObjectContextObjectsDidChange",
      "NSPersistentStoreRemoteChange", "didSave", "didSaveObjectsNotification",
      "didChangeObjectsNotification", "didMergeChangesObjectIDsNotification",
      "NSFetchedResultsController", "ValueObservation",
    ]
    let places = [program.types[owner].ref] + program.types[owner].extensions
    return places.contains { place in words.contains { program.mentions($0, in: place) } }
  }

  /// Whether the property gets another value where the wipe stands, or where that is called.
  func isCleared(around place: Ref, _ program: Program, depth: Int) -> Bool {
    guard program.isWithin(depth, .wipingCallers) else { return true }
    let body = program.lifeBody(around: place)
    if program.sets(id, in: body) || setsFurtherOn(in: body, program, depth: 0)
      || posts(body, program)
    {
      return true
    }
    guard let function = program.enclosingFunction(place) else { return false }
    let callers = program.callers(of: function).filter { !program.isExempt($0) }
    return callers.contains { isCleared(around: $0, program, depth: depth + 1) }
  }

  /// Whether code tells others, who may let go of what they keep.
  private func posts(_ body: Ref, _ program: Program) -> Bool {
    program.descendants(body, .call).contains {
      program.calledName($0) == "post" || program.calledName($0) == "send"
    }
  }

  private func setsFurtherOn(in body: Ref, _ program: Program, depth: Int) -> Bool {
    guard program.isWithin(depth, .wipingCalls) else { return true }
    return program.descendants(body, .call).contains { call in
      program.functions(calledBy: call).contains { function in
        guard let inner = program.body(of: function) else { return false }
        return program.sets(id, in: inner)
          || program.functions[function].owner == program.properties[id].owner
            && setsFurtherOn(in: inner, program, depth: depth + 1)
      }
    }
  }
}

extension Program {
  /// Whether a place does nothing but choose what a sheet or an alert shows.
  func isPresented(_ place: Ref) -> Bool {
    ancestors(place).contains { argument in
      guard kind(argument) == .argument, ["item", "presenting"].contains(label(argument)),
        let call = parent(argument)
      else { return false }
      return Words.modalPresentations.contains(calledName(call))
    }
  }

  /// The expressions that give a property its values.
  func settings(of id: PropertyID) -> [Ref] {
    uses(of: [properties[id].name]).filter {
      property(usedBy: $0) == id && isAssignmentTarget($0)
    }.compactMap { use in ancestors(use).first { kind($0) == .expression } }
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
}
