import PersistIndex

/// What gives the properties that keep models their objects.
struct KeeperFills {
  private let values: ValueSources
  private var bodies: Bodies { values.bodies }
  private var program: Program { values.program }

  init(_ values: ValueSources) { self.values = values }

  /// Whether a property gets objects of the store: those of a fetch; or, where an object of the whole
  /// app keeps them, those of a screen's query, or one after the other.
  func isFilled(_ keeper: Keeper) -> Bool {
    !fetches(into: keeper).isEmpty
      || keeper.view == nil
        && sets(of: keeper.property).contains { step, value in
          step.isWriteBack ? isGrown(value) : value.step.operation == .binary || isQueried(value)
        }
  }

  /// The fetches whose objects a property gets.
  func fetches(into keeper: Keeper) -> [(CallSite, BodyID)] {
    sets(of: keeper.property).flatMap { fetches(behind: $1) }
  }

  /// Whether some code puts objects into a relationship, at one end or the other.
  func mayHoldObjects(_ relationship: PropertyID, of model: TypeID) -> Bool {
    // Where nothing makes objects, others may, and fill relationships too.
    guard !program.isManagedClass(model), let other = program.destination(of: relationship),
      !program.makers(of: other).isEmpty
    else { return true }
    let opposite = program.modelProperties(of: other).filter { id in
      program.destination(of: id).map { program.lineage(of: model).contains($0) } ?? false
    }
    return ([relationship] + opposite).contains { id in
      sets(of: id).contains { step, value in step.isWriteBack || !isSurelyEmpty(value) }
    }
  }

  /// Whether a value is nothing wherever it comes from: no caller gives it, say.
  private func isSurelyEmpty(_ value: PlacedValue) -> Bool {
    values.sources(of: value).allSatisfy { source in
      switch source.step.operation {
      case .none: return true
      case .array: return source.step.operandCount == 0
      case .parameter:
        guard source.body.kind == .initializer, let id = source.body.function else { return false }
        let calls = program.callers(of: id)
        return !calls.isEmpty
          && calls.allSatisfy {
            program.argument(of: $0, for: Int(source.step.index), of: program.functions[id]) == nil
          }
      default: return false
      }
    }
  }

  /// The steps that set a property, with the values that it gets.
  private func sets(of property: PropertyID) -> [(Instruction, PlacedValue)] {
    values.mentions.bodies(ofProperty: property).flatMap { id in
      bodies[id].steps.compactMap { step -> (Instruction, PlacedValue)? in
        guard step.operation == .set, values.property(of: step, in: id) == property,
          let value = bodies[id].operands(of: step).last, value >= 0
        else { return nil }
        return (step, values.value(value, in: id))
      }
    }
  }

  /// Whether a value is what an element has been added to.
  private func isGrown(_ value: PlacedValue) -> Bool {
    value.step.operation == .receiverAfter
      && value.operands.contains { call in
        call.site.map { Frameworks.growingMethods.contains($0.name) } ?? false
      }
  }

  private func isQueried(_ value: PlacedValue) -> Bool {
    values.sources(of: value).contains { source in
      guard source.step.operation == .get,
        let id = program.property(usedBy: source.node)
      else { return false }
      return program.properties[id].attributes.contains {
        Frameworks.fetchWrappers[$0] != nil
      }
    }
  }

  /// The fetches from which a value comes, by way of functions and lists made of lists.
  private func fetches(behind source: PlacedValue) -> [(CallSite, BodyID)] {
    Reach(from: source) { [values] found in
      let givers = values.directGivers(of: found)
      guard givers.isEmpty, let site = found.site else {
        return givers.isEmpty ? found.operands : givers
      }
      if site.name == Frameworks.fetch { return [] }
      if let results = values.results(ofCall: found) { return results }
      let isOfValue =
        site.receiver >= 0 && found.with(site.receiver).step.operation != .type
      // A case, a copy or the like is made of what goes in.
      let next = isOfValue ? [site.receiver] : site.arguments.map(\.value).filter { $0 >= 0 }
      return next.map { found.with($0) }
    }.compactMap { found in
      found.site.flatMap { $0.name == Frameworks.fetch ? ($0, found.id) : nil }
    }
  }
}
