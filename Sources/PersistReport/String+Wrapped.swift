extension String {
  /// The text in lines of at most so many cells, parted at its spaces; a longer word stands alone.
  ///
  /// `used` cells of the first line are taken already; where not even one word fits behind them, the
  /// first line is empty.
  package func wrapped(to width: Int, behind used: Int = 0, indentation: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    var cells = used
    for word in split(separator: " ") {
      let wide = String(word).terminalWidth
      let isFirst = line.isEmpty
      let begins = isFirst && (cells == used && lines.isEmpty ? used == 0 : true)
      if cells + (isFirst ? 0 : 1) + wide > width, !begins {
        lines.append(line)
        line = String(word)
        cells = indentation + wide
      } else {
        line += isFirst ? String(word) : " \(word)"
        cells += (isFirst ? 0 : 1) + wide
      }
    }
    return lines + [line]
  }
}
