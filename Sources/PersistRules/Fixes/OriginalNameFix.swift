import PersistIndex
import PersistSchema
import PersistSyntax

extension Program {
  /// Says in the declaration of a renamed property what it was called; nil where it can't be said.
  ///
  /// Safe where the old name is known to have shipped and the two names are alike.
  func originalNameFix(_ rename: LikelyRename, at place: SchemaPlace, hasShipped: Bool) -> Fix? {
    guard let ref = place.ref, rename.come.takesValues(of: rename.gone),
      let declaration = ([ref] + ancestors(ref)).first(where: { kind($0) == .variableDecl }),
      children(declaration, .binding).count == 1, child(declaration, .ifConfig) == nil
    else { return nil }
    let words = "originalName: \"\(rename.gone.name)\""
    let attributes = children(declaration, .attribute)
    let macro = rename.come.relationship == nil ? "Attribute" : "Relationship"
    let layout = Layout(around: declaration, in: self)
    let edit: Fix.Edit
    if let attribute = attributes.first(where: { nameText($0) == macro }) {
      edit = merge(words, into: attribute, layout)
    } else {
      let start =
        attributes.last.map { startOfToken(behind: $0) } ?? byteRange(declaration).lowerBound
      let space =
        putsAttributesOnLines(macro, in: declaration, layout)
        ? layout.lineBreak + layout.indentation(at: start) : " "
      edit = layout.insertion("@\(macro)(\(words))\(space)", at: start)
    }
    return Fix(
      title: "Declare that `\(rename.come.name)` was called `\(rename.gone.name)`",
      isSafe: hasShipped && rename.namesAreAlike, edits: [edit])
  }

  /// Puts the argument in where the macro's declaration has it: before `inverse` and `hashModifier`.
  private func merge(_ words: String, into attribute: Ref, _ layout: Layout) -> Fix.Edit {
    let range = byteRange(attribute)
    let arguments = children(attribute, .argument)
    if let next = arguments.first(where: { ["inverse", "hashModifier"].contains(label($0)) }) {
      let start = startOfArgument(next)
      let space =
        layout.startsLine(start) ? layout.lineBreak + layout.indentation(at: start) : " "
      return layout.insertion("\(words),\(space)", at: start)
    }
    guard let last = arguments.last else {
      return text(attribute).hasSuffix(")")
        ? layout.insertion(words, at: range.upperBound - 1)
        : layout.insertion("(\(words))", at: range.upperBound)
    }
    let start = startOfArgument(last)
    let space = layout.startsLine(start) ? layout.lineBreak + layout.indentation(at: start) : " "
    return layout.insertion(",\(space)\(words)", at: byteRange(last).upperBound)
  }

  private func startOfArgument(_ argument: Ref) -> Int { byteRange(argument).lowerBound }

  /// Whether the model writes its attributes above the properties rather than before them.
  private func putsAttributesOnLines(_ macro: String, in declaration: Ref, _ layout: Layout) -> Bool
  {
    guard let members = parent(declaration) else { return false }
    let places = children(members, .variableDecl).compactMap { sibling in
      children(sibling, .attribute).last { ["Attribute", "Relationship"].contains(nameText($0)) }
    }
    let above = places.count { layout.startsLine(startOfToken(behind: $0)) }
    return above * 2 > places.count
  }
}

extension Property {
  /// Whether a migration can hand the old property's values on: none of them may be missing.
  fileprivate func takesValues(of old: Property) -> Bool {
    isOptional || !old.isOptional || valueForOldRows != nil
  }
}
