import PersistReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// When colours are used.
enum ColourChoice: String, CaseIterable, Sendable { case auto, always, never }

/// The terminal that a stream goes to.
struct Terminal {
  /// In cells.
  let width: Int
  let height: Int

  /// Nothing where the stream goes elsewhere.
  init?(_ descriptor: Int32) {
    guard System.isTerminal(descriptor) else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let columns = System.environment("COLUMNS").flatMap { Int($0) }
    width = max(40, columns ?? (isKnown ? Int(size.ws_col) : 80))
    height = isKnown ? Int(size.ws_row) : 24
  }

  /// Whether a stream is to be coloured.
  static func isColoured(_ descriptor: Int32, _ choice: ColourChoice) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      System.isTerminal(descriptor) && System.environment("NO_COLOR") == nil
        && System.environment("TERM") != "dumb"
    }
  }
}

/// A text in lines of the terminal's width where the stream goes to one.
func fitted(_ text: String, to descriptor: Int32) -> String {
  guard let terminal = Terminal(descriptor) else { return text }
  return text.wrapped(to: terminal.width, indentation: 2).joined(separator: "\n  ")
}
