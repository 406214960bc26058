import PersistIndex
import PersistSyntax

/// How the code around a place is laid out, so that what is added looks alike.
struct Layout {
  /// A line to add: how many steps further in than the code around, and its text.
  struct Line {
    var inset = 0
    let text: String

    init(_ text: String, inset: Int = 0) {
      self.text = text
      self.inset = inset
    }
  }

  let file: SourceFile
  private let step: String

  /// The layout around a node.
  init(around ref: Ref, in program: Program) {
    file = program.files[Int(ref.file)]
    bytes = file.outline.text.bytes
    step = Self.step(around: ref, in: program) ?? Self.step(in: ref, program) ?? "    "
  }

  /// The bytes of the file, which keeps them alive.
  private let bytes: UnsafeBufferPointer<UInt8>

  /// What ends the lines of the file.
  var lineBreak: String {
    guard let end = bytes.firstIndex(of: 0x0A), end > 0, bytes[end - 1] == 0x0D else { return "\n" }
    return "\r\n"
  }

  /// The white space at the beginning of the line of an offset.
  func indentation(at offset: Int) -> String {
    let start = startOfLine(offset)
    var end = start
    while end < bytes.count, Self.isSpace(bytes[end]) { end += 1 }
    return file.outline.text[start..<end]
  }

  func startOfLine(_ offset: Int) -> Int {
    let offset = min(offset, bytes.count)
    return offset - file.lineAndColumn(of: offset).column + 1
  }

  /// The offset of the line's break, or of the end of the file.
  func endOfLine(_ offset: Int) -> Int {
    var end = offset
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    return end
  }

  /// Whether only white space stands before an offset in its line.
  func startsLine(_ offset: Int) -> Bool {
    var start = offset
    while start > 0, Self.isSpace(bytes[start - 1]) { start -= 1 }
    return start == 0 || bytes[start - 1] == 0x0A || bytes[start - 1] == 0x0D
  }

  /// Whether a range holds nothing but spaces and tabs.
  func isBlank(_ range: Range<Int>) -> Bool { range.allSatisfy { Self.isSpace(bytes[$0]) } }

  /// Whether behind an offset there is nothing in its line but a comment that ends there.
  func endsLine(_ offset: Int) -> Bool {
    let range = offset..<endOfLine(offset)
    guard let first = range.first(where: { !Self.isSpace(bytes[$0]) }) else { return true }
    let comment = file.outline.tokens.comments.first { Int($0.offset) == first }
    guard let comment else { return false }
    let end = Int(comment.offset) + Int(comment.length)
    return end <= range.upperBound && isBlank(end..<range.upperBound)
  }

  /// Whether a range lies in one line.
  func isOneLine(_ range: Range<Int>) -> Bool {
    !range.contains { bytes[$0] == 0x0A || bytes[$0] == 0x0D }
  }

  /// Lines behind one another, the first one without its indentation.
  func text(_ lines: [Line], indentation: String) -> String {
    lines.map { String(repeating: step, count: $0.inset) + $0.text }
      .joined(separator: lineBreak + indentation)
  }

  /// An edit of this file.
  func edit(_ range: Range<Int>, _ text: String) -> Fix.Edit {
    Fix.Edit(range: location(range), replacement: text)
  }

  /// Where a range of this file stands.
  func location(_ range: Range<Int>) -> Location {
    Location(
      path: file.path, start: file.position(of: range.lowerBound),
      end: file.position(of: range.upperBound))
  }

  /// An edit that puts a text in.
  func insertion(_ text: String, at offset: Int) -> Fix.Edit { edit(offset..<offset, text) }

  /// An edit that puts lines behind all that the file holds, after an empty line.
  func insertionAtEnd(_ lines: [Line]) -> Fix.Edit {
    let end = bytes.count
    let endsLine = end > 0 && (bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D)
    let text = text(lines, indentation: "")
    return insertion((endsLine ? "" : lineBreak) + lineBreak + text + lineBreak, at: end)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// How much further in the code of the nearest braces stands than what is around them.
  private static func step(around ref: Ref, in program: Program) -> String? {
    let layout = Layout(bare: program.files[Int(ref.file)])
    for scope in [ref] + program.ancestors(ref) {
      if let step = layout.step(ofScope: scope, in: program) { return step }
    }
    return nil
  }

  /// How much further in than a scope's first line the code of the scope stands.
  private func step(ofScope scope: Ref, in program: Program) -> String? {
    guard [.block, .closure, .members].contains(program.kind(scope)) else { return nil }
    let outer = indentation(at: program.byteRange(scope).lowerBound)
    for child in program.children(scope) {
      let start = program.byteRange(child).lowerBound
      guard startsLine(start) else { continue }
      let inner = indentation(at: start)
      if inner.hasPrefix(outer), inner != outer { return String(inner.dropFirst(outer.count)) }
    }
    return nil
  }

  /// How far in the first code in braces stands that a node, or else its file, holds.
  private static func step(in ref: Ref, _ program: Program) -> String? {
    firstStep(in: ref, program) ?? program.answer(StepOfFile(file: ref.file))
  }

  fileprivate static func firstStep(in root: Ref, _ program: Program) -> String? {
    let layout = Layout(bare: program.files[Int(root.file)])
    return program.first(.layoutNodes, of: program.subtree(root)).lazy.compactMap {
      layout.step(ofScope: Ref(file: Int(root.file), node: Int($0)), in: program)
    }.first
  }

  private init(bare file: SourceFile) {
    self.file = file
    bytes = file.outline.text.bytes
    step = ""
  }
}

/// How far in the first code in braces of a file stands.
private struct StepOfFile: Query {
  let file: Int32

  static var provisional: String? { nil }
  func answer(in program: Program) -> String? {
    Layout.firstStep(in: Ref(file: Int(file), node: 0), program)
  }
}

// MARK: - Statements

extension Layout {
  /// The edits that put lines before or behind a statement; nil where there is no room for them.
  func edits(
    adding lines: [Line], _ side: Side, _ statement: Ref, in program: Program
  ) -> [Fix.Edit]? {
    let range = program.byteRange(statement)
    let startsLine = startsLine(range.lowerBound)
    let indentation = indentation(at: range.lowerBound)
    switch side {
    case .before where startsLine:
      let text = text(lines, indentation: indentation)
      return [insertion(text + lineBreak + indentation, at: range.lowerBound)]
    case .behind where startsLine && endsLine(range.upperBound):
      let text = text(lines, indentation: indentation)
      return [insertion(lineBreak + indentation + text, at: endOfLine(range.upperBound))]
    default: return unfolding(statement, adding: lines, side, in: program)
    }
  }

  /// On which side of a statement lines are added.
  enum Side { case before, behind }

  /// Gives each part of `{ statement }` a line of its own, and the new ones theirs.
  private func unfolding(
    _ statement: Ref, adding lines: [Line], _ side: Side, in program: Program
  ) -> [Fix.Edit]? {
    guard let body = program.parent(statement), [.block, .closure].contains(program.kind(body)),
      program.statements(in: body) == [statement]
    else { return nil }
    let (whole, range) = (program.byteRange(body), program.byteRange(statement))
    let before = program.endOfToken(before: statement)
    let close = whole.upperBound - 1
    // Half-typed code may end without the brace.
    guard before <= range.lowerBound, range.upperBound <= close,
      bytes[close] == UInt8(ascii: "}"), isOneLine(whole), isBlank(before..<range.lowerBound),
      isBlank(range.upperBound..<close)
    else { return nil }
    let outer = indentation(at: range.lowerBound)
    let inner = lineBreak + outer + step
    let text = text(lines, indentation: outer + step)
    return [
      edit(before..<range.lowerBound, side == .before ? inner + text + inner : inner),
      edit(
        range.upperBound..<close, (side == .behind ? inner + text : "") + lineBreak + outer),
    ]
  }
}
