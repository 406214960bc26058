import PersistIndex
import PersistSchema
import PersistVersions

/// Something that a rule finds in the step from one version to the next.
struct StepFinding<Item> {
  let item: Item
  let step: SchemaProgram.Step
  let place: SchemaPlace
  /// The beginning of a sentence that names the platforms; "" where it holds on all of them.
  var platforms = ""
}

/// The steps of all plans on each platform, which many rules look at.
private final class PlatformSteps {
  let all: [(sight: PlatformSchema, steps: [SchemaProgram.Step], before: [Int?])]

  init(_ program: Program) {
    all = program.platformSchemas.map { sight in
      let steps = sight.schema.steps.filter { program.mayPass($0.plan, on: sight) }
      let ways = Dictionary(
        steps.indices.map { (Way(plan: steps[$0].plan.name, version: steps[$0].new.id), $0) },
        uniquingKeysWith: { first, _ in first })
      return (sight, steps, steps.map { ways[Way(plan: $0.plan.name, version: $0.old.id)] })
    }
  }

  /// How a plan comes to a version.
  private struct Way: Hashable {
    let plan: String
    let version: Int
  }
}

/// What makes two findings of different platforms the same.
private struct StepCause: Hashable {
  let place: SchemaPlace
  let words: String
}

extension Program {
  /// What a rule finds in the steps of all plans, each with the step of its plan before it, on each
  /// platform that the project builds, at the places that it names; at a place, what is said in the
  /// same words counts once.
  func findings<Item>(
    inSteps find: (SchemaProgram.Step, _ before: SchemaProgram.Step?) -> [Item],
    at place: (Item, SchemaProgram.Step) -> SchemaPlace,
    saying words: (Item) -> String = { _ in "" }
  ) -> [StepFinding<Item>] {
    let sights = platformSchemas
    var found: [StepFinding<Item>] = []
    var platforms: [StepCause: [String]] = [:]
    for (sight, steps, before) in once(PlatformSteps.init).all {
      // A stage that can't be read may do what is missing.
      for (step, before) in zip(steps, before) where step.plan.stages != nil {
        for item in find(step, before.map { steps[$0] }) {
          let finding = StepFinding(item: item, step: step, place: place(item, step))
          let cause = StepCause(place: finding.place, words: words(item))
          if platforms[cause] == nil { found.append(finding) }
          if platforms[cause]?.last != sight.platform {
            platforms[cause, default: []].append(sight.platform)
          }
        }
      }
    }
    for index in found.indices {
      let cause = StepCause(place: found[index].place, words: words(found[index].item))
      let names = platforms[cause] ?? []
      guard names.count < sights.count else { continue }
      found[index].platforms = "on \(names.joined(separator: " and ")), "
    }
    return found
  }
}

/// A finding in one schema, before the platforms are known on which it holds.
struct SchemaFinding {
  var message: Finding.Message
  let place: SchemaPlace
  var severity: Severity?
  var related: [Findings.SchemaRelated] = []
}

extension Findings {
  /// Reports what a rule finds in the schema of each platform that the project builds, once; what
  /// doesn't hold on all of them begins with their names.
  mutating func report(onEachPlatform find: (PlatformSchema) -> [SchemaFinding]) {
    let sights = program.platformSchemas
    var found: [SchemaFinding] = []
    var platforms: [StepCause: [String]] = [:]
    for sight in sights {
      for finding in find(sight) {
        let cause = StepCause(place: finding.place, words: finding.message.text)
        if platforms[cause] == nil { found.append(finding) }
        if platforms[cause]?.last != sight.platform {
          platforms[cause, default: []].append(sight.platform)
        }
      }
    }
    for finding in found {
      let names = platforms[.init(place: finding.place, words: finding.message.text)] ?? []
      let prefix = names.count < sights.count ? "on \(names.joined(separator: " and ")), " : ""
      report(
        "\(prefix)\(finding.message.text)", at: finding.place, severity: finding.severity,
        related: finding.related)
    }
  }
}
