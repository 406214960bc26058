import PersistFlow
import PersistIndex
import PersistSyntax
import PersistVersions

/// Deletes a store's log files beside its main file, in the words of the call that deletes that.
struct SidecarDeletion {
  private let program: Program
  private let statement: Ref
  private let layout: Layout
  private let endings: [String]
  /// What stands before the call: `try? `, with `_ = ` before it where that is there.
  private let mark: String
  private let throwsOn: Bool
  /// The file manager as it is written.
  private let manager: String
  private let path: FilePath

  /// Nothing where the deletion is no statement by itself, or names its file in a way that can't be
  /// written again.
  init?(_ gap: SidecarGap, in program: Program) {
    guard gap.kind == .deletion, gap.misnamed == nil, gap.work.calls.count == 1,
      gap.work.files.count == 1, !gap.missing.contains(""), !gap.missing.isEmpty
    else { return nil }
    self.init(call: gap.work.call, endings: gap.missing, in: program)
  }

  private init?(call: Ref, endings: [String], in program: Program) {
    guard let chain = program.parent(call), let expression = program.parent(chain),
      program.children(chain).last == call, program.statement(around: call) == expression,
      program.kind(expression) == .expression, !program.mayGiveValue(expression),
      program.calledName(call) == "removeItem",
      program.children(call, .argument).count == 1, program.children(call).count == 1,
      let argument = program.child(call, .argument),
      let manager = Self.manager(program.callee(call).dropLast(), in: program),
      let path = FilePath(argument, in: program)
    else { return nil }
    let parts = program.children(expression)
    guard let last = parts.last, last == chain, let mark = program.child(expression, .tryMark),
      !program.node(mark).flags.contains(.isForced),
      parts.filter({ $0 != chain && $0 != mark }).allSatisfy({
        program.isWildcard($0) || program.isAssignmentSign($0)
      })
    else { return nil }
    self.program = program
    statement = expression
    layout = Layout(around: expression, in: program)
    self.endings = endings
    let range = program.byteRange(expression).lowerBound..<program.byteRange(chain).lowerBound
    guard layout.isOneLine(range) else { return nil }
    self.mark = layout.file.outline.text[range]
    throwsOn = !program.node(mark).flags.contains(.isOptional)
    self.manager = manager
    self.path = path
  }

  /// The fix; nothing where there is no room for it.
  func fix(isSafe: Bool) -> Fix? {
    guard let lines, let edits = layout.edits(adding: lines, .behind, statement, in: program)
    else { return nil }
    return Fix(
      title: "Delete the \(endings.joined(separator: " and ")) files too", isSafe: isSafe,
      edits: edits)
  }

  private var lines: [Layout.Line]? {
    guard throwsOn else {
      return endings.map { Layout.Line("\(mark)\(deletion(path.appending(literal: $0)))") }
    }
    // What isn't there can't be deleted, and a store has no log after it was closed in order.
    if endings.count == 1 {
      let file = path.appending(literal: endings[0])
      return [
        Layout.Line("if \(manager).fileExists(atPath: \(file.asPath)) {"),
        Layout.Line("\(mark)\(deletion(file))", inset: 1), Layout.Line("}"),
      ]
    }
    guard let ending = freeName("suffix", "ending"), let name = freeName("file", "sidecar") else {
      return nil
    }
    let file = path.appending(variable: ending)
    let named = file.named(name)
    let list = endings.map { "\"\($0)\"" }.joined(separator: ", ")
    return [
      Layout.Line("for \(ending) in [\(list)] {"),
      Layout.Line("let \(name) = \(file.value)", inset: 1),
      Layout.Line("if \(manager).fileExists(atPath: \(named.asPath)) {", inset: 1),
      Layout.Line("\(mark)\(deletion(named))", inset: 2), Layout.Line("}", inset: 1),
      Layout.Line("}"),
    ]
  }

  /// A name that the code around uses for nothing; the inner scope of a loop is its own.
  private func freeName(_ names: String...) -> String? {
    let body = program.enclosingDeclaration(statement)
    return names.first { !program.uses(Name($0), in: body) }
  }

  private func deletion(_ file: FilePath.Written) -> String {
    "\(manager).removeItem(\(file.asArgument))"
  }

  private static func manager(_ parts: ArraySlice<Ref>, in program: Program) -> String? {
    let parts = Array(parts)
    if let text = program.pathText(parts) { return text }
    guard parts.count == 2, program.kind(parts[0]) == .name, program.kind(parts[1]) == .call,
      program.children(parts[1]).isEmpty, program.name(parts[0]) == "FileManager"
    else { return nil }
    return "FileManager()"
  }
}

/// The file that an argument names, in a form to which an ending can be added.
struct FilePath {
  /// A file as code.
  struct Written {
    /// The label of an argument that takes the value: `at` for a URL, `atPath` for a path.
    let label: String
    let value: String
    /// What makes a path of the value; "" where it is one.
    let pathMember: String

    var asArgument: String { "\(label): \(value)" }
    var asPath: String { value + pathMember }

    /// The same when the value has a name.
    func named(_ name: String) -> Written {
      Written(label: label, value: name, pathMember: pathMember)
    }
  }

  private enum Form {
    /// An expression that is a path.
    case path(String)
    /// A URL made by a last component: what stands before the component's text, and behind.
    case component(before: String, literal: String, after: String)
  }

  private let form: Form
  /// How a URL gives its path in this file.
  private let pathMember: String

  init?(_ argument: Ref, in program: Program) {
    guard let expression = program.children(argument).first,
      program.children(argument).count == 1
    else { return nil }
    let style = program.givesPathsDecoded(inFile: Int(argument.file))
    pathMember = style ? ".path(percentEncoded: false)" : ".path"
    switch program.label(argument) {
    case "atPath":
      guard let path = Self.path(expression, in: program) else { return nil }
      form = .path(path)
    case "at":
      guard let form = Self.url(expression, pathMember, in: program) else { return nil }
      self.form = form
    default: return nil
    }
  }

  func appending(literal ending: String) -> Written {
    switch form {
    case .path(let path):
      return Written(label: "atPath", value: "\(path) + \"\(ending)\"", pathMember: "")
    case .component(let before, let literal, let after):
      let url = "\(before)\(literal.dropLast())\(ending)\"\(after)"
      return Written(label: "at", value: url, pathMember: pathMember)
    }
  }

  func appending(variable name: String) -> Written {
    switch form {
    case .path(let path):
      return Written(label: "atPath", value: "\(path) + \(name)", pathMember: "")
    case .component(let before, let literal, let after):
      return Written(
        label: "at", value: "\(before)\(literal) + \(name)\(after)", pathMember: pathMember)
    }
  }

  /// A path, and not a URL: names, and what asks a URL for its path.
  private static func path(_ expression: Ref, in program: Program) -> String? {
    if let text = program.pathText(expression) { return text }
    guard let chain = program.onlyChain(expression) else { return nil }
    let parts = program.children(chain)
    guard parts.count > 2, let last = parts.last, program.kind(last) == .call,
      program.name(parts[parts.count - 2]) == "path",
      ["()", "(percentEncoded: false)"].contains(program.text(last)),
      let receiver = program.pathText(Array(parts.dropLast(2)))
    else { return nil }
    return "\(receiver).path\(program.text(last))"
  }

  private static func url(_ expression: Ref, _ pathMember: String, in program: Program) -> Form? {
    if let text = program.pathText(expression) { return .path(text + pathMember) }
    guard let chain = program.onlyChain(expression) else { return nil }
    let parts = program.children(chain)
    guard let call = parts.last, program.kind(call) == .call,
      program.children(call).count == program.children(call, .argument).count,
      let argument = program.child(call, .argument), let value = program.children(argument).first
    else { return nil }
    let called = program.calledName(call)
    if called == "URL", parts.count == 2, program.children(call).count == 1 {
      guard ["fileURLWithPath", "filePath"].contains(program.label(argument)) else { return nil }
      return path(value, in: program).map { .path($0) }
    }
    guard ["appendingPathComponent", "appending"].contains(called),
      ["path", "component", "", "conformingTo"].contains(program.labelText(argument)),
      program.children(call).dropFirst().allSatisfy({ program.isLiteral($0) }),
      let receiver = program.pathText(Array(parts.dropLast(2))),
      let string = program.onlyChain(value),
      let literal = program.children(string).first, program.children(string).count == 1,
      program.kind(literal) == .string, program.children(literal).isEmpty
    else { return nil }
    let text = program.text(literal)
    guard text.hasPrefix("\""), !text.hasPrefix("\"\"\"") else { return nil }
    let whole = program.layoutText(call)
    guard let range = whole.firstRange(of: text) else { return nil }
    return .component(
      before:
        "\(receiver).\(program.nameText(parts[parts.count - 2]))\(whole[..<range.lowerBound])",
      literal: text, after: String(whole[range.upperBound...]))
  }
}

extension Program {
  /// The chain that an expression consists of.
  fileprivate func onlyChain(_ expression: Ref) -> Ref? {
    guard kind(expression) == .expression, children(expression).count == 1 else { return nil }
    return child(expression, .chain)
  }

  fileprivate func labelText(_ argument: Ref) -> String {
    let label = node(argument).label
    return label == Node.noToken ? "" : outline(argument).text(ofToken: Int(label))
  }

  /// Whether an argument is one literal or implicit member, such as `isDirectory: false`.
  fileprivate func isLiteral(_ argument: Ref) -> Bool {
    guard let value = children(argument).first, let chain = onlyChain(value),
      children(chain).count == 1, let only = children(chain).first
    else { return false }
    return [.literal, .implicitMember].contains(kind(only))
  }

  /// The text of a call's arguments, in one line.
  fileprivate func layoutText(_ call: Ref) -> String {
    text(call).split(whereSeparator: \.isNewline)
      .map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: " ")
  }

  /// Whether the file writes `path(percentEncoded: false)` for a URL's path.
  fileprivate func givesPathsDecoded(inFile file: Int) -> Bool {
    calls(named: "path").contains { call in
      Int(call.file) == file && argument(call, "percentEncoded") != nil
    }
  }
}

extension String {
  fileprivate func firstRange(of other: String) -> Range<Index>? {
    var at = startIndex
    while at < endIndex {
      if self[at...].hasPrefix(other) { return at..<index(at, offsetBy: other.count) }
      at = index(after: at)
    }
    return nil
  }
}
