import PersistIndex
import PersistSyntax

/// How an instance of a model class is made.
package struct ModelInitializer: Sendable {
  /// One parameter, its type as it is written.
  package struct Parameter: Sendable {
    /// Nil for `_`.
    package let label: String?
    package let name: String
    package let type: String
    package let hasDefault: Bool
  }

  package let parameters: [Parameter]
  package let isThrowing: Bool
}

extension ModelDeclaration {
  /// The initializers that the class body declares and that no other code is kept from, in source
  /// order; `files` are those of the schema program.
  package func initializers(in files: [SourceFile]) -> [ModelInitializer] {
    guard let ref = place.ref, Int(ref.file) < files.count else { return [] }
    let outline = files[Int(ref.file)].outline
    guard
      let members = outline.children(of: Int(ref.node)).first(where: {
        outline.nodes[$0].kind == .members
      })
    else { return [] }
    return outline.children(of: members).compactMap { member in
      guard outline.nodes[member].kind == .initDecl, !outline.isHidden(member),
        !outline.nodes[member].flags.contains(.isOptional)
      else { return nil }
      let list = outline.children(of: member).first { outline.nodes[$0].kind == .parameters }
      let parameters = list.map { list in
        outline.children(of: list).filter { outline.nodes[$0].kind == .parameter }
          .map { outline.initializerParameter($0) }
      }
      return ModelInitializer(
        parameters: parameters ?? [],
        isThrowing: outline.nodes[member].flags.contains(.isThrowing))
    }
  }
}

extension Outline {
  /// Whether a declaration is private, or is the decoder's.
  fileprivate func isHidden(_ node: Int) -> Bool {
    children(of: node).contains { child in
      nodes[child].kind == .modifier
        && ["private", "fileprivate"].contains(text(ofToken: Int(nodes[child].first)))
    }
  }

  fileprivate func initializerParameter(_ node: Int) -> ModelInitializer.Parameter {
    var type = ""
    var hasDefault = false
    for child in children(of: node) {
      if nodes[child].kind == .type { type = text[byteRange(of: child)] }
      if nodes[child].kind == .expression { hasDefault = true }
    }
    func word(_ token: UInt32) -> String? {
      token == Node.noToken ? nil : text(ofToken: Int(token))
    }
    let label = word(nodes[node].label)
    return ModelInitializer.Parameter(
      label: label == "_" ? nil : label, name: word(nodes[node].name) ?? label ?? "", type: type,
      hasDefault: hasDefault)
  }
}
