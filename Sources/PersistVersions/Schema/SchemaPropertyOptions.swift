import PersistIndex
import PersistSchema
import PersistSyntax

/// What `@Attribute` and `@Relationship` say of a property.
struct PropertyOptions {
  var isUnique = false
  var isEphemeral = false
  var isExternal = false
  var isPreserved = false
  var isSpotlight = false
  var isEncrypted = false
  var isOrdered = false
  var coding = Attribute.Coding.plain
  var originalName: String?
  var hashModifier: String?
  var deleteRule = "nullify"
  var inverse: String?
  var minimum = 0
  var maximum = 0
  var defaultText: String?
  /// What can't be read; nil when all is.
  var problem: String?

  init(_ attributes: [NodeView]) {
    for attribute in attributes {
      switch attribute.attributeName {
      case "Attribute", "Relationship":
        for argument in attribute.arguments { read(argument) }
      default: break
      }
    }
  }

  private mutating func read(_ argument: ArgumentView) {
    guard let value = argument.value else { return }
    switch argument.label?.text {
    case "originalName":
      originalName = value.stringValue
      if originalName == nil { problem = "has an `originalName` that is not written out" }
    case "hashModifier": hashModifier = value.stringValue ?? value.text
    case "deleteRule": deleteRule = lastName(of: value) ?? deleteRule
    case "inverse":
      guard let chain = value.steps, chain.count == 1, chain[0].kind == .keyPath
      else {
        if !value.isNil { problem = "has an inverse that is not written out" }
        return
      }
      inverse = keyPathNames(chain[0]).last
    case "minimumModelCount": minimum = count(value, "minimumModelCount")
    case "maximumModelCount": maximum = count(value, "maximumModelCount")
    case nil: readOption(value)
    default: break
    }
  }

  private mutating func count(_ value: NodeView, _ label: String) -> Int {
    if let number = Int(value.text) { return number }
    problem = "has a `\(label)` that is not written out"
    return 0
  }

  private func lastName(of value: NodeView) -> String? {
    guard let chain = value.steps else { return nil }
    return chain.last { $0.kind == .implicitMember || $0.kind == .member }?.name?.text
  }

  private mutating func readOption(_ value: NodeView) {
    switch lastName(of: value) {
    case "unique": isUnique = true
    case "ephemeral": isEphemeral = true
    case "externalStorage": isExternal = true
    case "preserveValueOnDeletion": isPreserved = true
    case "spotlight": isSpotlight = true
    case "allowsCloudEncryption": isEncrypted = true
    case "ordered": isOrdered = true
    case "codable": coding = .codable
    case "transformable": coding = .transformer(transformer(in: value))
    default: problem = "has an option that is not known: \(value.text)"
    }
  }

  /// The type or name in `.transformable(by: X.self)`.
  private func transformer(in value: NodeView) -> String {
    let call = value.steps?.last { $0.kind == .call }
    guard let argument = call?.arguments.first?.value else { return "" }
    return argument.metatypeNames?.joined(separator: ".") ?? argument.stringValue ?? argument.text
  }
}
