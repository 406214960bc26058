import PersistSyntax

/// The types of the beginnings of one chain, each found from the one before it.
struct ChainTypes {
  private let program: Program
  private let parts: [Ref]
  /// How many parts `type` is the type of.
  private var count = 0
  private var type = SwiftType.unknown
  private var isChained = false

  init(_ program: Program, _ parts: [Ref]) {
    self.program = program
    self.parts = parts
  }

  /// The type of so many parts; no fewer than were asked for before, and the next one is no call.
  /// Inside of a chain a `?` before the next part makes no optional yet.
  mutating func type(ofFirst wanted: Int, isInside: Bool = false) -> SwiftType {
    guard wanted > 0, !parts.isEmpty else { return .unknown }
    if count == 0 {
      type = program.type(of: parts[0])
      count = 1
    }
    if count == 1, wanted > 1, let member = program.typeOfModule(parts[0], parts[1]) {
      type = .metatype(program.declaredType(member))
      count = 2
    }
    while count < wanted {
      step(to: parts[count], isCalled: count + 1 < wanted && isCall(count + 1))
      count += 1
    }
    if isChained, !isInside, type != .unknown, type.unwrapped == type { return .optional(type) }
    return type
  }

  private func isCall(_ index: Int) -> Bool { program.kind(parts[index]) == .call }

  private mutating func step(to suffix: Ref, isCalled: Bool) {
    switch program.kind(suffix) {
    case .member:
      if !isCalled { type = program.type(ofMember: program.name(suffix), of: type) }
    case .call: type = program.resultType(ofCall: suffix)
    case .subscriptSuffix: type = program.type(ofSubscript: suffix, of: type)
    case .optionalChain:
      isChained = true
      type = type.unwrapped
    case .force: type = type.unwrapped
    default: type = .unknown
    }
  }
}
