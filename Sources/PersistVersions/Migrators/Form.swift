/// What a part of a migration's code says, with what is known of it put in.
package indirect enum Form: Hashable, Sendable {
  /// Words of the source of which nothing more is known.
  case words(String)
  /// A string, with `SQLText.hole` before each part of it that isn't known.
  case text(String)
  /// A parameter or variable of the migration, by its number.
  case local(Int)
  /// Something from outside of the migration that no constant is.
  case outer
  case list([Form])
  case tuple([Form])
  case labelled(String, Form)
  case member(Form, String)
  case call(Form, [Form], closures: [Form])
  case element(Form, [Form])
  case prefixed(String, Form)
  case suffixed(Form, String)
  /// Operands and operators, or the parts of a statement.
  case row([Form])
  /// A variable of the migration and its first value.
  case declaration(Int, Form)
  /// A value that a condition gives a name.
  case binding(Int, Form)
  case leave(Form?)
  case loop([Form], over: Form, [Form])
  case block([Form])
  /// A closure with the number of its parameters.
  case closure(Int, [Form])

  /// Nothing to say.
  static let nothing = Form.words("")

  /// The only part, or all of them in a row.
  init(_ parts: [Form]) { self = parts.count == 1 ? parts[0] : .row(parts) }
}

// MARK: - What follows from a form

extension Form {
  /// The text of a string, `SQLText.hole` before what isn't known of it.
  package var template: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The text of a string that is known whole.
  package var literal: String? { template.flatMap { $0.contains(SQLText.hole) ? nil : $0 } }

  /// The strings in it, in their order.
  package var texts: [String] { all.compactMap(\.template) }

  /// Whether it is a part of the database that the migration is given, or of anything else that is.
  package var isGiven: Bool { self == .outer || startsWithLocal }

  /// Whether the first thing in it is a local.
  var startsWithLocal: Bool { if case .local = first { true } else { false } }

  /// The number of the local that comes first.
  var firstLocal: Int? { if case .local(let number) = first { number } else { nil } }

  /// The part that stands first and has no parts itself.
  private var first: Form {
    switch self {
    case .member(let inner, _), .call(let inner, _, _), .element(let inner, _),
      .suffixed(let inner, _):
      inner.first
    case .row(let parts): parts.first?.first ?? self
    default: self
    }
  }

  /// The form with another part in place of the first one.
  func replacingFirst(with form: Form) -> Form {
    switch self {
    case .member(let inner, let name): .member(inner.replacingFirst(with: form), name)
    case .call(let inner, let arguments, let closures):
      .call(inner.replacingFirst(with: form), arguments, closures: closures)
    case .element(let inner, let index): .element(inner.replacingFirst(with: form), index)
    case .suffixed(let inner, let mark): .suffixed(inner.replacingFirst(with: form), mark)
    case .row(let parts):
      .row(parts.prefix(1).map { $0.replacingFirst(with: form) } + parts.dropFirst())
    default: form
    }
  }

  /// The forms right in it, in the order in which they are written.
  var parts: [Form] {
    switch self {
    case .words, .text, .local, .outer: []
    case .list(let parts), .tuple(let parts), .row(let parts), .block(let parts),
      .closure(_, let parts):
      parts
    case .labelled(_, let part), .member(let part, _), .prefixed(_, let part),
      .suffixed(let part, _), .declaration(_, let part), .binding(_, let part):
      [part]
    case .call(let callee, let arguments, let closures): [callee] + arguments + closures
    case .element(let whole, let index): [whole] + index
    case .leave(let value): value.map { [$0] } ?? []
    case .loop(let variables, let list, let body): variables + [list] + body
    }
  }

  /// The form and all in it; what is called stands behind what it is called on.
  var all: [Form] { [self] + parts.flatMap(\.all) }

  /// The form with each part as a transformation has it.
  func mapped(_ change: (Form) -> Form) -> Form {
    func map(_ forms: [Form]) -> [Form] { forms.map { $0.mapped(change) } }
    let mapped: Form =
      switch self {
      case .words, .text, .local, .outer: self
      case .list(let parts): .list(map(parts))
      case .tuple(let parts): .tuple(map(parts))
      case .row(let parts): .row(map(parts))
      case .block(let parts): .block(map(parts))
      case .closure(let count, let parts): .closure(count, map(parts))
      case .labelled(let label, let part): .labelled(label, part.mapped(change))
      case .member(let part, let name): .member(part.mapped(change), name)
      case .prefixed(let mark, let part): .prefixed(mark, part.mapped(change))
      case .suffixed(let part, let mark): .suffixed(part.mapped(change), mark)
      case .declaration(let local, let part): .declaration(local, part.mapped(change))
      case .binding(let local, let part): .binding(local, part.mapped(change))
      case .call(let callee, let arguments, let closures):
        .call(callee.mapped(change), map(arguments), closures: map(closures))
      case .element(let whole, let index): .element(whole.mapped(change), map(index))
      case .leave(let value): .leave(value?.mapped(change))
      case .loop(let variables, let list, let body):
        .loop(map(variables), over: list.mapped(change), map(body))
      }
    return change(mapped)
  }

  /// A called method or function, where it is one: its name, what it is called on, and the
  /// arguments without those that are closures.
  var called: (name: String, receiver: Form?, arguments: [Form])? {
    guard case .call(let callee, let arguments, _) = self else { return nil }
    switch callee {
    case .member(let receiver, let name): return (name, receiver, arguments)
    case .words(let name): return (name, nil, arguments)
    default: return nil
    }
  }

  /// The value of a labelled argument.
  func labelled(_ label: String) -> Form? {
    if case .labelled(label, let value) = self { value } else { nil }
  }

  /// Whether it is a literal, another local or a member of one.
  var isPlain: Bool {
    switch self {
    case .text: literal != nil
    case .local: true
    case .member(let whole, _): whole.isPlain && whole.startsWithLocal
    case .words(let word):
      ["true", "false", "nil"].contains(word)
        || word.first?.isNumber == true
          && word.allSatisfy { $0.isLetter || $0.isNumber || "._-%".contains($0) }
    default: false
    }
  }

  /// Whether it says the same wherever it stands.
  var isConstant: Bool {
    switch self {
    case .text: return literal != nil
    case .call(.words("Column"), let name, _): return name.count == 1 && name[0].literal != nil
    case .words(let word): return Double(word) != nil || word == "true" || word == "false"
    case .prefixed("-", .words(let word)): return Double(word) != nil
    case .list, .row:
      let text = description
      return text.hasPrefix("[") && text.hasSuffix("]") && !text.contains("%") && !texts.isEmpty
    default: return false
    }
  }
}

// MARK: - The text that sums are made of

extension Form: CustomStringConvertible {
  /// The form as text; the sums of lock files are made of it, so it must stay as it is.
  package var description: String {
    switch self {
    case .words(let words): words
    case .text(let text): "\u{E000}\(text)\u{E001}"
    case .local(let number): "%\(number)"
    case .outer: "^"
    case .list(let parts): "[\(Self.text(parts, ","))]"
    case .tuple(let parts): parts.isEmpty ? "( )" : "( \(Self.text(parts, " , ")) )"
    case .labelled(let label, let value): "\(label):\(value)"
    case .member(let whole, let name): "\(whole).\(name)"
    case .call(let callee, let arguments, let closures):
      "\(callee)(\(Self.text(arguments, ",")))\(Self.text(closures, ""))"
    case .element(let whole, let index): "\(whole)[\(Self.text(index, ","))]"
    case .prefixed(let mark, let part): "\(mark)\(part)"
    case .suffixed(let part, let mark): "\(part)\(mark)"
    case .row(let parts): Self.text(parts, " ")
    case .declaration(let local, let value): "let %\(local) = \(value)"
    case .binding(let local, let value): "let %\(local)=\(value)"
    case .leave(let value): value.map { "return \($0)" } ?? "return"
    case .loop(let variables, let list, let body):
      "for \(Self.text(variables, ",")) in \(list) {\(Self.text(body, ";"))}"
    case .block(let body): "{\(Self.text(body, ";"))}"
    case .closure(let count, let body): "{|\(count)|\(Self.text(body, ";"))}"
    }
  }

  private static func text(_ parts: [Form], _ separator: String) -> String {
    parts.map(\.description).joined(separator: separator)
  }

  /// The form as text, its locals numbered anew by the order in which they come.
  func text(_ numbers: inout [Substring: Int]) -> String {
    text { local in
      let number = numbers[local] ?? numbers.count + 1
      numbers[local] = number
      return "%\(number)"
    }
  }

  /// The form as text, without the numbers of its locals.
  package var signature: String { text { _ in "%" } }

  private func text(_ marking: (Substring) -> String) -> String {
    let text = description
    var result = ""
    var at = text.startIndex
    for range in Self.locals(in: text) {
      result += text[at..<range.lowerBound] + marking(text[range])
      at = range.upperBound
    }
    return result + text[at...]
  }

  /// The locals that it mentions, those in a string's unknown parts too.
  var locals: Set<Substring> {
    let text = description
    return Set(Self.locals(in: text).map { text[$0] })
  }

  /// Where locals stand in a text: `%` and digits.
  private static func locals(in text: String) -> [Range<String.Index>] {
    var found: [Range<String.Index>] = []
    var at = text.startIndex
    while let start = text[at...].firstIndex(of: "%") {
      let end =
        text[text.index(after: start)...].firstIndex { !$0.isASCII || !$0.isNumber }
        ?? text.endIndex
      if end > text.index(after: start) { found.append(start..<end) }
      at = end
    }
    return found
  }
}
