/// `; did you mean 'format'?` when one of the words is near; empty otherwise.
func suggestion(for word: String, in words: [String], prefix: String = "") -> String {
  guard let near = nearestWord(to: word, in: words) else { return "" }
  return "; did you mean '\(prefix)\(near)'?"
}

/// The same with the words that may stand there: `; did you mean 'text'? It takes text, json`.
func choice(for word: String, in words: [String]) -> String {
  let near = suggestion(for: word, in: words)
  return (near.isEmpty ? "; it takes " : near + " It takes ") + words.joined(separator: ", ")
}

/// The word that begins so, or that takes the fewest edits, at most a third of its letters.
func nearestWord(to word: String, in words: [String]) -> String? {
  if word.count > 2, let whole = words.first(where: { $0.hasPrefix(word) }) { return whole }
  let ranked = words.map { (word: $0, edits: edits(from: word, to: $0)) }
  guard let best = ranked.min(by: { $0.edits < $1.edits }),
    best.edits <= max(1, min(word.count, best.word.count) / 3)
  else { return nil }
  return best.word
}

/// How many letters have to be put in, taken out, replaced or swapped with the next.
private func edits(from word: String, to other: String) -> Int {
  let (old, new) = (Array(word.utf8), Array(other.utf8))
  var rows = [Array(0...new.count)]
  for (line, letter) in old.enumerated() {
    var row = [line + 1]
    for column in new.indices {
      let replaced = rows[line][column] + (new[column] == letter ? 0 : 1)
      var least = min(replaced, row[column] + 1, rows[line][column + 1] + 1)
      if line > 0, column > 0, letter == new[column - 1], old[line - 1] == new[column] {
        least = min(least, rows[line - 1][column - 1] + 1)
      }
      row.append(least)
    }
    rows.append(row)
  }
  return rows[old.count][new.count]
}
