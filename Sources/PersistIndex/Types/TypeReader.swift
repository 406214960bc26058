import PersistSyntax

/// Reads the tokens of a type into a `SwiftType`.
struct TypeReader {
  private let program: Program
  private let file: Int
  private let outline: Outline
  /// The node from which names are looked up.
  private let place: Ref
  private var at: Int
  private let end: Int
  private var split = 0
  private var depth = 0

  init(_ program: Program, node: Ref) {
    self.program = program
    file = Int(node.file)
    outline = program.outline(node)
    place = node
    at = Int(program.node(node).first)
    end = Int(program.node(node).end)
  }

  private init(_ other: TypeReader, from: Int, to: Int) {
    program = other.program
    file = other.file
    outline = other.outline
    place = other.place
    at = from
    end = to
    depth = other.depth
  }

  /// Reads the type that a name with generic arguments in an expression spells, such as `[Trip]`.
  init(_ program: Program, tokens: Range<Int>, at place: Ref) {
    self.program = program
    file = Int(place.file)
    outline = program.outline(place)
    self.place = place
    at = tokens.lowerBound
    end = tokens.upperBound
  }

  private var byte: UInt8 {
    at < end ? outline.text.start[Int(outline.tokens[at].offset) + split] : 0
  }

  private mutating func advance() {
    at += 1
    split = 0
  }

  private mutating func advanceByte() {
    split += 1
    if split >= outline.tokens[at].length { advance() }
  }

  mutating func read() -> SwiftType {
    guard program.isWithin(depth, .typeDepth) else { return .unknown }
    depth += 1
    defer { depth -= 1 }
    skipSpecifiers()
    var type = readPrimary()
    readSuffixes(&type)
    while byte == UInt8(ascii: "&") {
      advanceByte()
      skipSpecifiers()
      type = program.composition(type, readPrimary())
    }
    var scan = at
    while scan < end, [.async, .throws, .rethrows].contains(outline.tokens[scan].keyword) {
      scan += 1
      if scan < end, outline.tokens[scan].kind == .leftParen {
        scan = (outline.tokens[scan].partner ?? scan) + 1
      }
    }
    if scan < end, outline.tokens[scan].kind == .arrow {
      at = scan + 1
      split = 0
      return .function(read())
    }
    return type
  }

  /// Reads the generic arguments behind the name at which the tokens begin.
  mutating func readArguments() -> [SwiftType] {
    advance()
    return readGenericArguments()
  }

  private mutating func skipSpecifiers() {
    while at < end {
      let token = outline.tokens[at]
      if token.kind == .at {
        advance()
        if at < end { advance() }
        if at < end, outline.tokens[at].kind == .leftParen,
          !outline.tokens[at].flags.contains(.afterSpace)
        {
          at = (outline.tokens[at].partner ?? at) + 1
        }
        continue
      }
      switch token.keyword {
      case .inout, .some, .any, .each, .borrowing, .consuming, .isolated, .sending, .repeat,
        .nonisolated:
        advance()
      default: return
      }
    }
  }

  private mutating func readPrimary() -> SwiftType {
    guard at < end, split == 0 else { return .unknown }
    let token = outline.tokens[at]
    switch token.kind {
    case .leftSquare:
      guard let partner = token.partner, partner < end else { return .unknown }
      var inner = TypeReader(self, from: at + 1, to: partner)
      at = partner + 1
      let first = inner.read()
      if inner.byte == UInt8(ascii: ":") {
        inner.advance()
        return SwiftType.dictionary(first, inner.read()).bounded(in: program)
      }
      return .array(first)
    case .leftParen: return readTuple(token)
    case .identifier, .keyword: return readNamed()
    default: return .unknown
    }
  }

  private mutating func readTuple(_ token: Token) -> SwiftType {
    guard let partner = token.partner, partner < end else { return .unknown }
    var inner = TypeReader(self, from: at + 1, to: partner)
    at = partner + 1
    var parts: [SwiftType] = []
    var labels: [Name] = []
    while inner.at < partner {
      let before = inner.at
      let isLabeled = outline.tokens[inner.at + 1].kind == .colon
      labels.append(isLabeled ? outline.name(ofToken: inner.at) : .none)
      if isLabeled { inner.at += 2 }
      parts.append(inner.read())
      while inner.at < partner, outline.tokens[inner.at].kind != .comma { inner.advance() }
      inner.advance()
      if inner.at == before { break }
    }
    return parts.count == 1 ? parts[0] : SwiftType.tuple(parts, labels).bounded(in: program)
  }

  private mutating func readNamed() -> SwiftType {
    var path: [Name] = [outline.name(ofToken: at)]
    let isSelf = outline.tokens[at].keyword == .selfType
    advance()
    var arguments = readGenericArguments()
    while at + 1 < end, split == 0, outline.tokens[at].kind == .period {
      let keyword = outline.tokens[at + 1].keyword
      if keyword == .metatype || keyword == .protocolMetatype { break }
      advance()
      path.append(outline.name(ofToken: at))
      advance()
      arguments = readGenericArguments()
    }
    if isSelf, path.count == 1 {
      return program.enclosingType(place).map { .declared($0) } ?? .unknown
    }
    let type = program.resolve(path, arguments: arguments, from: place)
    return arguments.isEmpty ? type : type.bounded(in: program)
  }

  private mutating func readGenericArguments() -> [SwiftType] {
    guard byte == UInt8(ascii: "<") else { return [] }
    advanceByte()
    var arguments: [SwiftType] = []
    while at < end, byte != UInt8(ascii: ">") {
      let before = (at, split)
      arguments.append(read())
      if byte == UInt8(ascii: ",") { advance() }
      if (at, split) == before { return arguments }
    }
    if at < end { advanceByte() }
    return arguments
  }

  private mutating func readSuffixes(_ type: inout SwiftType) {
    while at < end {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "!"):
        type = .optional(type)
        advanceByte()
      case UInt8(ascii: "."):
        let next = at + 1 < end ? outline.tokens[at + 1].keyword : .none
        guard next == .metatype || next == .protocolMetatype else { return }
        at += 2
        split = 0
        type = .metatype(type)
      default: return
      }
    }
  }
}

/// The type that a type node spells.
struct TypeOfNode: Query {
  let node: Ref

  func _rawHashValue(seed: Int) -> Int { node._rawHashValue(seed: seed) }
  static var provisional: SwiftType { .unknown }
  static func memo(in program: Program) -> Memo<Self> { program.typesOfNodes }
  func answer(in program: Program) -> SwiftType { program.readType(node) }
}

extension Program {
  /// The type that a node spells, as it is written there.
  package func written(_ ref: Ref) -> TypeView? {
    TypeView(NodeView(view(ref), Int(ref.node)))
  }

  /// The last name of the type that a node spells: `Error` of `any Swift.Error`; `.none` for an
  /// array, a dictionary, a tuple or a function.
  package func writtenName(_ ref: Ref) -> Name {
    written(ref)?.lastName.map { view(ref).name(ofToken: UInt32($0.index)) } ?? .none
  }

  /// Whether the type that a node spells is an optional.
  package func isOptional(_ ref: Ref) -> Bool {
    if case .optional = type(ofTypeNode: ref) { return true }
    return written(ref)?.isOptional ?? false
  }

  /// Whether the type that a node spells is `Void`.
  func isVoid(_ ref: Ref) -> Bool {
    switch type(ofTypeNode: ref) {
    case .tuple(let parts, _): parts.isEmpty
    case .external(let name, _): name == "Void"
    default: false
    }
  }

  /// The type that a type node spells; `.unknown` where it can't be told.
  package func type(ofTypeNode ref: Ref) -> SwiftType { answer(TypeOfNode(node: ref)) }

  fileprivate func readType(_ node: Ref) -> SwiftType {
    var reader = TypeReader(self, node: node)
    return reader.read()
  }

  /// The type that a path of names means at a place.
  package func resolve(_ path: [Name], arguments: [SwiftType], from place: Ref) -> SwiftType {
    guard let first = path.first, let last = path.last else { return .unknown }
    if path.count == 1, let standard = standardType(first, arguments) { return standard }
    if let scope = scope(ofGenericParameter: first, at: place) {
      return path.count == 1 ? constraint(of: first, at: scope) : .unknown
    }
    let file = Int(place.file)
    switch lookUpHead(of: path, from: place) {
    case .found(let head):
      guard let type = lookUp(head.rest, in: head.type, file: file).only else { return .unknown }
      return resolved(type, arguments: arguments)
    case .ambiguous: return path.count > 1 ? .unknown : .external(last, arguments)
    case .absent: return .external(last, arguments)
    }
  }

  /// The type itself, or what a typealias stands for.
  private func resolved(_ type: TypeID, arguments: [SwiftType]) -> SwiftType {
    guard types[type].kind == .typealiasDecl else { return .declared(type) }
    let target = aliasTarget(type)
    if case .external(let name, let own) = target, own.isEmpty {
      return .external(name, arguments)
    }
    return target
  }

  private func standardType(_ name: Name, _ arguments: [SwiftType]) -> SwiftType? {
    guard let form = Self.standardForms[name] else { return nil }
    switch (form, arguments.count) {
    case (.optional, 1): return .optional(arguments[0])
    case (.array, 1): return .array(arguments[0])
    case (.set, 1): return .set(arguments[0])
    case (.dictionary, 2): return .dictionary(arguments[0], arguments[1])
    case (.wrapper, 1): return arguments[0]
    default: return nil
    }
  }

  private enum StandardForm { case optional, array, set, dictionary, wrapper }

  private static let standardForms: [Name: StandardForm] = {
    let names: [(StandardForm, [Name])] = [
      (.optional, ["Optional"]),
      (
        .array,
        [
          "Array", "FetchedResults", "Results", "List", "ContiguousArray", "ArraySlice",
          "Collection", "Sequence", "RandomAccessCollection", "BidirectionalCollection",
          "MutableCollection",
        ]
      ),
      (.set, ["Set", "OrderedSet"]), (.dictionary, ["Dictionary"]),
      (.wrapper, ["Binding", "Bindable", "Published"]),
    ]
    return Dictionary(
      names.flatMap { form, names in names.map { ($0, form) } }, uniquingKeysWith: { $1 })
  }()
}
