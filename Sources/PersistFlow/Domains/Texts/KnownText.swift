import PersistIndex
import PersistSyntax

/// A part of a text: known, or a hole in which stands what a declaration holds, or a name that isn't
/// declared in the sources.
package enum TextPiece: Hashable {
  case known(String)
  case hole(Ref)
  case name(String)
  /// A path by what stands for it: what comes in, what owns the file, what its name says.
  case path(StorePath)
  /// Nothing by itself: a name on the way says that the file is no store in use.
  case aside
}

/// Known text with holes: a path, a name, a key. A path begins with the system's folder, as `dir:`,
/// or with the group, as `group:`.
package struct KnownText: Hashable {
  package let pieces: [TextPiece]

  package init(_ text: String) { pieces = [.known(text)] }

  init(_ pieces: [TextPiece]) {
    self.pieces = pieces.reduce(into: []) { all, piece in
      if case .known(let text) = piece, case .known(let before)? = all.last {
        all[all.count - 1] = .known(before + text)
      } else {
        all.append(piece)
      }
    }
  }

  /// Something of which nothing is known but what holds it.
  package init(heldBy declaration: Ref) { pieces = [.hole(declaration)] }

  /// Whether it has no holes, so that another text is something else.
  package var isWhole: Bool { whole != nil }

  /// Whether it is a path in the temporary folder.
  package var isTemporary: Bool { beginning.hasPrefix("dir:temporaryDirectory") }

  /// Whether it is a path in a bundle.
  var isResource: Bool { beginning.hasPrefix("dir:" + Frameworks.resources) }

  /// The text, where it has no holes.
  package var whole: String? {
    if pieces.isEmpty { return "" }
    if case .known(let text) = pieces[0], pieces.count == 1 { return text }
    return nil
  }

  /// Whether both surely are two texts.
  package func differs(from other: KnownText) -> Bool {
    isWhole && other.isWhole && self != other
  }

  /// What it begins with, up to the first hole.
  package var beginning: String {
    if case .known(let text)? = pieces.first { return text }
    return ""
  }

  func appending(_ other: KnownText) -> KnownText { KnownText(pieces + other.pieces) }

  /// A path with a name below it.
  func below(_ name: KnownText) -> KnownText {
    if case .known(let text)? = pieces.last, text.hasSuffix("/") { return appending(name) }
    return appending("/").appending(name)
  }

  func appending(_ text: String) -> KnownText { KnownText(pieces + [.known(text)]) }

  /// The text where its last piece is cut at the last of some characters; nil where that is in a hole.
  private func cut(at mark: Character, _ part: (String, String.Index) -> String) -> KnownText? {
    guard case .known(let text)? = pieces.last, let index = text.lastIndex(of: mark) else {
      return nil
    }
    return KnownText(pieces.dropLast() + [.known(part(text, index))])
  }

  /// The folder around a path.
  var withoutComponent: KnownText? { cut(at: "/") { String($0[..<$1]) } }

  /// A path without its extension; the same where its last name has none.
  var withoutEnding: KnownText? {
    guard case .known(let text)? = pieces.last else { return nil }
    let name = text.lastIndex(of: "/").map { text[text.index(after: $0)...] } ?? text[...]
    if pieces.count > 1, name.count == text.count, !name.contains(".") { return nil }
    return name.dropFirst().contains(".") ? cut(at: ".") { String($0[..<$1]) } : self
  }

  /// The name behind the last slash.
  var lastComponent: KnownText? {
    for index in pieces.indices.reversed() {
      guard case .known(let text) = pieces[index], let slash = text.lastIndex(of: "/") else {
        continue
      }
      let rest = pieces[(index + 1)...]
      return KnownText([.known(String(text[text.index(after: slash)...]))] + rest)
    }
    return isWhole ? self : nil
  }
}

extension Known {
  /// The text that a value is, with its holes; nil where it is none, or one of several.
  package var knownText: KnownText? {
    switch self {
    case .text(let text): return KnownText(text)
    case .pieces(let pieces): return KnownText(pieces)
    case .either(let choices):
      let texts = choices.filter { $0 != .none }
      return texts.count == 1 ? texts[0].knownText : nil
    default: return nil
    }
  }

  init(_ text: KnownText) { self = text.whole.map { .text($0) } ?? .pieces(text.pieces) }

  /// All that a value may be.
  package var choices: [Known] { if case .either(let all) = self { all } else { [self] } }

  /// One of some values; of too many nothing is known.
  init(oneOf values: [Known], most: Int = Limit.storePaths.count - 1) {
    var all: [Known] = []
    for value in values.flatMap(\.choices) where value != .unset && !all.contains(value) {
      all.append(value)
    }
    self =
      all.isEmpty
      ? .unset : all.count == 1 ? all[0] : all.count <= most ? .either(all) : .other
  }
}
