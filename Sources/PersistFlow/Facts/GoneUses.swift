import PersistIndex
import PersistSyntax

/// A use of an object after its deletion.
package struct GoneUse: Sendable {
  /// The member that is read or set, or the object that is handed to what does so.
  package let node: Ref
  /// The member that is read or set, here or in code that is called here, and the property.
  package let inner: Ref
  package let innerProperty: PropertyID?
  /// The property, where one is read or set here.
  package let property: PropertyID?
  package let isWrite: Bool
  package let framework: Owner.Framework
  package let model: TypeID?
  /// The number of the object, the same for all that is done with one.
  package let object: Int32
  /// Whether the object surely comes from a store.
  package let isFetched: Bool
  /// The call that deletes the object, or leads to what does.
  package let deletion: Ref
  /// The call that saves the deletion.
  package let save: Ref
  package let kind: End.Kind
  /// Whether the object is gone on each way that leads here.
  package let isCertain: Bool
  /// The calls in called code that delete the object on some ways only.
  let ways: Set<Ref>
}

extension Facts {
  /// The uses of deleted objects of a program, in source order; none where the solver came to no end.
  package static func goneUses(in program: Program) -> [GoneUse] {
    guard !program.files(usingAny: Frameworks.objectDeletions).isEmpty else { return [] }
    let solver = Solver(program, Bodies(of: program), .lifetimes)
    program.keep(solver)
    solver.solve()
    guard solver.isComplete else { return [] }
    var found: [GoneUse] = []
    for id in solver.reached().map(\.id) {
      for read in solver.instance(id).goneReads {
        for end in read.ends {
          guard let deletion = end.deletion, let save = end.save else { continue }
          guard case .token(let token) = solver.table[origin: end.object] else { continue }
          let property = read.innerProperty ?? read.property
          let owner = property.flatMap { program.properties[$0].owner }
          found.append(
            GoneUse(
              node: read.node, inner: read.inner ?? read.node, innerProperty: property,
              property: read.property, isWrite: read.isWrite, framework: end.framework,
              model: token.model ?? owner.flatMap { program.isModel($0) ? $0 : nil },
              object: end.object,
              isFetched: token.contexts != OriginTable.nothing, deletion: deletion, save: save,
              kind: end.kind, isCertain: read.isCertain, ways: end.ways))
        }
      }
    }
    return found.sorted {
      ($0.node, $0.deletion, $0.save, $0.model ?? -1)
        < ($1.node, $1.deletion, $1.save, $1.model ?? -1)
    }
  }
}

extension Program {
  /// Whether a wait is an `await`, and not a call whose closure runs later.
  package func isAwait(_ wait: Ref) -> Bool { kind(wait) != .call }

  /// Whether a place runs only by another action of the user, while a wait shows an alert.
  package func isShutOut(_ place: Ref, during wait: Ref) -> Bool {
    kind(wait) == .call && Frameworks.alertActions.contains(calledName(wait)) && isAskedFor(place)
  }

  /// What waits, as a whole.
  package func wholeWait(_ wait: Ref) -> Ref {
    isAwait(wait) ? expression(markedBy: wait) : chain(of: wait)
  }

  /// The uses of deleted objects, worked out once.
  package var goneUses: [GoneUse] {
    index.once { GoneUsesOfAll(all: Facts.goneUses(in: self)) }.all
  }
}

/// The uses of deleted objects of a program.
private struct GoneUsesOfAll: Sendable { let all: [GoneUse] }

extension Program {
  /// Whether an object is surely gone where it is used, or what decides on its deletion says nothing of
  /// the use.
  package func isIndependent(_ use: GoneUse) -> Bool {
    if use.isCertain { return true }
    guard let names = namesDeciding(on: use.node), let others = namesDeciding(on: use.deletion)
    else { return false }
    // What called code has found out it may have noted anywhere.
    let inner = use.ways.compactMap { enclosingBody($0) } + (use.ways.isEmpty ? [] : [use.deletion])
    return names.isDisjoint(with: others)
      && Set(names.map { Name($0) }).isDisjoint(with: inner.flatMap { tokens(of: $0) })
  }
}

// MARK: - What Core Data has in place of what is gone

extension Program {
  /// Whether a use of what is gone can end the process: Core Data has an empty value for most
  /// properties.
  package func mayCrash(_ use: GoneUse) -> Bool {
    mayCrash(use.framework, use.innerProperty, isWrite: use.isWrite, at: use.inner)
  }

  func mayCrash(_ read: GoneRead) -> Bool {
    let property = read.innerProperty ?? read.property
    return read.ends.contains {
      mayCrash($0.framework, property, isWrite: read.isWrite, at: read.inner ?? read.node)
    }
  }

  private func mayCrash(
    _ framework: Owner.Framework, _ property: PropertyID?, isWrite: Bool, at node: Ref
  ) -> Bool {
    guard framework == .coreData else { return true }
    return !isWrite && (property.map { mayCrash(readingGone: $0, at: node) } ?? isForced(node))
  }

  /// Whether reading a property of an object of Core Data whose row is gone can end the process: most
  /// properties are empty then.
  package func mayCrash(readingGone property: PropertyID, at node: Ref) -> Bool {
    let type = type(ofProperty: property)
    if case .optional = type { return isForced(node) || endsProcess(whereNil: node) }
    guard case .external(let name, _) = type else { return false }
    return ["Date", "UUID", "URL"].contains(name)
  }
}
