import PersistIndex
import PersistVersions

/// A property with the name of a member that the framework needs: opening or saving fails.
struct ReservedPropertyName: Rule {
  static let id: RuleID = "reserved-property-name"

  func check(_ program: Program, into findings: inout Findings) {
    var places: [Hidden: [Ref]] = [:]
    for model in program.schema.models where !model.isTest {
      guard let place = model.place.ref, let type = program.type(declaredAt: place),
        !program.isExempt(place)
      else { continue }
      for id in program.types[type].properties {
        let property = program.properties[id]
        let name = program.nameText(property.ref)
        guard Self.names.contains(name), !property.isStatic else { continue }
        let isStored = program.isStored(id)
        // A description that is computed is what `CustomStringConvertible` asks for.
        guard isStored || name != "description" else { continue }
        places[Hidden(model: model.name, name: name, isStored: isStored), default: []]
          .append(property.ref)
      }
    }
    // The same property of several versions is one cause; the last one declared can still change.
    for (hidden, refs) in places {
      guard let last = refs.max() else { continue }
      findings.report(
        .hides(hidden.name, of: hidden.model, isStored: hidden.isStored), at: last,
        severity: hidden.isStored ? nil : .warning,
        related: refs.sorted().dropLast().map { .init($0, "an older version has it too") })
    }
  }

  private struct Hidden: Hashable {
    let model: String
    let name: String
    let isStored: Bool
  }

  private static let names: Set<String> = [
    "isDeleted", "hasChanges", "modelContext", "persistentModelID", "objectID",
    "managedObjectContext", "description",
  ]
}

extension Finding.Message {
  fileprivate static func hides(_ name: String, of model: String, isStored: Bool) -> Self {
    if !isStored {
      return """
        `\(model).\(name)` hides the member with which SwiftData reports the object's state, so \
        checks read the app's value; rename the property
        """
    }
    return name == "description"
      ? """
      the app crashes when it first opens the store, because Core Data, beneath SwiftData, \
      reserves the name `\(name)`; rename `\(model).\(name)`, with `originalName` if the property \
      has shipped
      """
      : """
      saving or deleting `\(model)` fails or crashes, because `\(name)` is the name of a member \
      that SwiftData needs; rename the property, with `originalName` if it has shipped
      """
  }
}
