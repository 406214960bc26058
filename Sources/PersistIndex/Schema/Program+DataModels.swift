import PersistSyntax

extension Program {
  /// Whether a token of the files is a word of Core Data's own ways to map one model to another.
  func findsMappingByHand() -> Bool {
    let words: Set<Name> = [
      "NSEntityMigrationPolicy", "NSMappingModel", "NSEntityMapping", "NSMigrationManager",
      "NSStagedMigrationManager", "NSCustomMigrationStage",
    ]
    return files(usingAny: words).contains { index in
      let file = files[index]
      let tokens = file.outline.tokens
      let start = file.outline.text.start
      return (0..<tokens.count).contains { index in
        let token = tokens[index]
        guard token.kind == .identifier, token.length >= 14, token.length <= 24,
          start[Int(token.offset)] == UInt8(ascii: "N"),
          start[Int(token.offset) + 1] == UInt8(ascii: "S")
        else { return false }
        return words.contains(file.outline.name(ofToken: index))
      }
    }
  }
}
