extension String {
  /// A name of the project in backquotes, after the article that its first sound takes: an `Album`,
  /// a `User`, an `NSItem`.
  package var withArticle: String { "\(startsWithVowelSound ? "an" : "a") `\(self)`" }

  /// Whether the name begins with the sound of a vowel when somebody reads it aloud.
  private var startsWithVowelSound: Bool {
    let letters = drop { !$0.isLetter }
    guard let first = letters.first else { return false }
    if letters.isSpelledOut { return "AEFHILMNORSX".contains(first) }
    let word = letters.lowercased()
    if String.vowelStarts.contains(where: word.hasPrefix) { return true }
    if String.consonantStarts.contains(where: word.hasPrefix) { return false }
    return "aeiou".contains(word.prefix(1))
  }

  /// Words that begin with a silent `h`, or with `u` and a letter that keeps its short sound.
  private static let vowelStarts = [
    "heir", "honest", "honor", "honour", "hour", "unid", "unim", "unin",
  ]

  /// Words that begin as `you` and `won` do.
  private static let consonantStarts = [
    "eu", "ewe", "once", "one", "ubiq", "uni", "usa", "use", "usu", "uti", "uto",
  ]
}

extension Substring {
  /// Whether a name begins with an abbreviation or is one letter, as `URLItem`, `NSItem` and `T` do.
  fileprivate var isSpelledOut: Bool {
    let capitals = prefix { $0.isUppercase }.count
    return capitals > 1 || capitals == 1 && count == 1
  }
}
