import PersistIndex
import PersistSyntax

/// Opens a SwiftData container in three tiers: on disk; on disk again, after the store that can't be
/// opened was moved aside; in memory.
struct ContainerFactory {
  private let program: Program
  /// `ModelContainer(…)` with the chain around it.
  private let chain: Ref
  private let call: OpeningCall
  private let layout: Layout
  private let isDeclared: Bool
  private let name: String

  /// Nothing where the opening is no plain `try ModelContainer(…)`, or can't be written again.
  init?(for opening: StoreOpening, in program: Program) {
    guard let chain = program.parent(opening.root), program.kind(chain) == .chain,
      let expression = program.parent(chain), program.kind(expression) == .expression,
      let mark = program.child(expression, .tryMark),
      !program.node(mark).flags.contains(.isForced), program.children(expression).last == chain,
      program.takesTrailingClosures(expression), !Self.isMade(chain, in: program),
      let call = OpeningCall(opening.root, in: program)
    else { return nil }
    self.program = program
    self.chain = chain
    self.call = call
    layout = Layout(around: expression, in: program)
    guard let (name, isDeclared) = Self.name(for: opening.root, in: program) else { return nil }
    self.name = name
    self.isDeclared = isDeclared
  }

  /// The fix; nothing where the file has no place for it.
  var fix: Fix? {
    var edits = [layout.edit(program.byteRange(chain), replacement)]
    if !isDeclared {
      guard let declaration = StoreFactoryText(name: name, near: chain, layout, in: program)
      else { return nil }
      edits += declaration.edits
    }
    let file = program.files[0]
    let start = Position(offset: 0, line: 1, column: 1)
    return Fix(
      title: "Move a store that can't be opened aside, and open a new one", isSafe: false,
      edits: edits,
      scope: isDeclared ? nil : Location(path: file.path, start: start, end: start))
  }

  private var replacement: String {
    let indentation = layout.indentation(at: program.byteRange(chain).lowerBound)
    let onDisk = layout.moved(chain, behind: "try ", to: indentation, in: program)
    var lines = [
      Layout.Line("\(name)(at: \(call.storeURL)) {"), Layout.Line("try \(onDisk)", depth: 1),
      Layout.Line("} inMemory: {"),
    ]
    let memory =
      "configurations: ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .none)"
    let models = call.models.joined(separator: ", ")
    if indentation.count + models.count + memory.count < 70 {
      lines.append(Layout.Line("try ModelContainer(\(models), \(memory))", depth: 1))
    } else {
      lines += [
        Layout.Line("try ModelContainer(", depth: 1), Layout.Line("\(models),", depth: 2),
        Layout.Line("\(memory))", depth: 2),
      ]
    }
    return layout.text(lines + [Layout.Line("}")], indentation: indentation)
  }

  private static let names = ["openStore", "openRecoveringStore"]

  /// Whether an opening is one of those that the function is given.
  private static func isMade(_ chain: Ref, in program: Program) -> Bool {
    let closure = program.ancestors(chain).first { program.kind($0) == .closure }
    guard let closure, let (call, _) = program.callTaking(closure) else { return false }
    return names.contains { program.calledName(call) == Name($0) }
  }

  /// A name for the function: that of the one which is there already, or one that is free.
  private static func name(for call: Ref, in program: Program) -> (String, isDeclared: Bool)? {
    let module = program.files[Int(call.file)].module
    for name in names {
      let known = program.functions(named: Name(name)).map { program.functions[$0] }
        .filter { $0.owner != nil || program.files[Int($0.ref.file)].module == module }
      if known.isEmpty { return (name, false) }
      let isOwn = known.allSatisfy {
        $0.owner == nil && !$0.isPrivate
          && $0.parameters.map(\.label) == ["at", "onDisk", "inMemory"]
      }
      if isOwn { return (name, true) }
    }
    return nil
  }
}

/// What a call of `ModelContainer`'s initializer says.
private struct OpeningCall {
  /// The arguments that name the models or the schema, with their label.
  private(set) var models: [String] = []
  /// An expression for the URL of the store's main file.
  private(set) var storeURL = "ModelConfiguration().url"

  init?(_ call: Ref, in program: Program) {
    guard let chain = program.parent(call), program.children(chain).count == 2,
      program.children(call).count == program.children(call, .argument).count,
      program.reachesNoUnfinishedSelf(call)
    else { return nil }
    var isConfigured = false
    var isInModels = false
    for argument in program.children(call, .argument) {
      switch program.label(argument) {
      case "for":
        models.append(program.text(argument))
        isInModels = true
      case .none where isInModels: models.append(program.text(argument))
      case "migrationPlan": isInModels = false
      case "configurations":
        guard !isConfigured, let url = Self.url(of: argument, in: program) else { return nil }
        storeURL = url
        (isInModels, isConfigured) = (false, true)
      default: return nil
      }
    }
    guard !models.isEmpty, models.allSatisfy({ !$0.contains("\n") && !$0.contains("\r") }) else {
      return nil
    }
  }

  private static func url(of argument: Ref, in program: Program) -> String? {
    guard var value = program.children(argument).first else { return nil }
    if let chain = program.child(value, .chain), program.children(value).count == 1,
      program.children(chain).count == 1, let array = program.child(chain, .array)
    {
      let elements = program.children(array, .argument)
      guard elements.count == 1, let only = program.children(elements[0]).first else { return nil }
      value = only
    }
    guard program.type(of: value) == .external("ModelConfiguration", []) else { return nil }
    if let path = program.pathText(value) { return "\(path).url" }
    if let given = program.child(value, .chain).flatMap({ program.children($0).last }),
      let url = program.argument(given, "url"), let path = program.pathText(url)
    {
      return path
    }
    let text = program.text(value)
    guard text.hasPrefix("ModelConfiguration("), text.hasSuffix(")"), !text.contains("\n"),
      text.count < 60
    else { return nil }
    return "\(text).url"
  }
}

extension Program {
  /// Whether a call with trailing closures may stand where an expression does: not in the head of a
  /// statement.
  fileprivate func takesTrailingClosures(_ expression: Ref) -> Bool {
    guard let parent = parent(expression) else { return false }
    switch kind(parent) {
    case .block, .closure, .switchCase, .returnStatement, .binding, .ifConfigClause: return true
    default: return false
    }
  }

  /// Whether a closure around a node needs no property of a `self` that is still being made.
  fileprivate func reachesNoUnfinishedSelf(_ call: Ref) -> Bool {
    guard ancestors(call).contains(where: { kind($0) == .initDecl }) else { return true }
    return !descendants(call, .name).contains { name in
      switch declared(name) {
      case .selfValue: true
      case .property(let id): properties[id].owner != nil && !properties[id].isStatic
      case .functions(let all):
        all.contains { functions[$0].owner != nil && !functions[$0].isStatic }
      default: false
      }
    }
  }
}
