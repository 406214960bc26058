import PersistIndex
import PersistSyntax

/// Which objects a function has made itself, so that no other code knows them.
final class OwnModels {
  private let values: ValueSources
  private var program: Program { values.program }
  private var bodies: Bodies { values.bodies }
  /// Loads and calls that are looked through at the moment, by their bodies and values.
  private var open: Set<Ref> = []

  init(_ values: ValueSources) { self.values = values }

  /// Whether code deletes what it has made, with no wait before: no other code can have got hold of it,
  /// also where it was saved.
  func takesBack(_ object: PlacedValue, at deletion: Ref) -> Bool {
    guard isMade(object) else { return false }
    let outer = values.outermost(object.id)
    return values.facts.withClosures(outer).allSatisfy { id in
      let body = bodies[id]
      return body.steps.allSatisfy { $0.operation != .await || body.ref($0) > deletion }
    }
  }

  /// Whether all objects that a value is or holds are made by the code itself.
  private func isMade(_ source: PlacedValue) -> Bool {
    let step = source.step
    switch step.operation {
    case .none: return true
    case .load, .unwrap, .cast: return areMade(values.directGivers(of: source), at: source)
    case .array, .binary, .next: return source.operands.allSatisfy { isMade($0) }
    case .get:
      return Frameworks.endsOfLists.contains(step.name)
        && source.operands.allSatisfy { isMade($0) }
    case .receiverAfter:
      guard let call = source.operands.first, let site = call.site else {
        return false
      }
      let isGrowing = Frameworks.growingMethods.contains(site.name)
      let added = isGrowing ? site.arguments.prefix(1).map(\.value) : []
      return ([site.receiver] + added).allSatisfy {
        $0 >= 0 && isMade(source.with($0))
      }
    case .parameter: return values.list(behind: source).map { isMade($0) } ?? false
    case .call: return makes(source)
    default: return false
    }
  }

  /// Whether several values are made by the code itself; one that comes from itself adds nothing.
  private func areMade(_ givers: [PlacedValue], at source: PlacedValue) -> Bool {
    let place = Ref(file: Int(source.id), node: Int(source.value))
    guard open.insert(place).inserted else { return true }
    defer { open.remove(place) }
    return !givers.isEmpty && givers.allSatisfy { isMade($0) }
  }

  private func makes(_ source: PlacedValue) -> Bool {
    guard let site = source.site else { return false }
    switch values.facts.target(source.node) {
    case .initializer(let type, _): return program.isModel(type)
    case .externalInitializer: return site.arguments.isEmpty
    case .functions(let ids):
      return !ids.isEmpty
        && ids.allSatisfy { id in
          guard let body = values.facts.body(of: id) else { return false }
          return areMade(values.results(of: body), at: source)
        }
    default:
      return Words.sameElementMethods.contains(site.name) && site.receiver >= 0
        && isMade(source.with(site.receiver))
    }
  }
}
