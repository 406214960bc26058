/// `; did you mean 'format'?` when one of the words is near; empty otherwise.
func suggestion(for word: String, in words: [String], prefix: String = "") -> String {
  guard let near = nearestWord(to: word, in: words) else { return "" }
  return "; did you mean '\(prefix)\(near)'?"
}

/// The word that takes the fewest edits, at most a third of its letters.
func nearestWord(to word: String, in words: [String]) -> String? {
  let ranked = words.map { (word: $0, edits: edits(from: word, to: $0)) }
  guard let best = ranked.min(by: { $0.edits < $1.edits }),
    best.edits <= max(1, min(word.count, best.word.count) / 3)
  else { return nil }
  return best.word
}

/// How many letters have to be put in, taken out or replaced.
private func edits(from word: String, to other: String) -> Int {
  let letters = Array(other.utf8)
  var row = Array(0...letters.count)
  for (index, letter) in word.utf8.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in letters.indices {
      let replaced = diagonal + (letters[column] == letter ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
    }
  }
  return row[letters.count]
}
