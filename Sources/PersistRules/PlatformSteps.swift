import PersistIndex
import PersistSchema

/// Something that a rule finds in the step from one version to the next.
struct StepFinding<Item> {
  let item: Item
  let step: SchemaProgram.Step
  let place: SchemaPlace
  /// The beginning of a sentence that names the platforms; "" where it holds on all of them.
  var platforms = ""
}

extension Program {
  /// What a rule finds in the steps of all plans, on each platform that the project builds, at the
  /// places that it names; a place counts once.
  func findings<Item>(
    inSteps find: (SchemaProgram.Step) -> [Item],
    at place: (Item, SchemaProgram.Step) -> SchemaPlace
  ) -> [StepFinding<Item>] {
    let sights = platformSchemas
    var found: [StepFinding<Item>] = []
    var platforms: [SchemaPlace: [String]] = [:]
    for sight in sights {
      for step in sight.schema.steps {
        for item in find(step) {
          let finding = StepFinding(item: item, step: step, place: place(item, step))
          if platforms[finding.place] == nil { found.append(finding) }
          if platforms[finding.place]?.last != sight.platform {
            platforms[finding.place, default: []].append(sight.platform)
          }
        }
      }
    }
    for index in found.indices {
      let names = platforms[found[index].place] ?? []
      guard names.count < sights.count else { continue }
      found[index].platforms = "on \(names.joined(separator: " and ")), "
    }
    return found
  }
}
