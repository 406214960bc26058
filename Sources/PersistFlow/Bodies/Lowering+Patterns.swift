import PersistIndex
import PersistSyntax

// MARK: - Patterns

extension Lowering {
  /// One part of a tuple; parentheses around a single value are none.
  func take(_ part: Ref, _ index: Int, of count: Int, from value: Value) -> Value {
    guard count > 1 else { return value }
    let number = Int32(truncatingIfNeeded: index)
    return emit(.part, part, [value], name: program.label(part), index: number)
  }

  /// Binds the names of a pattern that always matches: a name or a tuple of patterns.
  func destructure(_ pattern: Ref, _ value: Value) {
    switch program.kind(pattern) {
    case .boundName: bind(pattern, to: value)
    case .expression, .chain:
      for child in program.children(pattern) { destructure(child, value) }
    case .tuple:
      let parts = program.children(pattern, .argument)
      for (index, part) in parts.enumerated() {
        let element = take(part, index, of: parts.count, from: value)
        for child in program.children(part) { destructure(child, element) }
      }
    default: break
    }
  }

  /// Goes on where a value matches a pattern, and to another block where it doesn't.
  func match(_ pattern: Ref, _ value: Value, _ otherwise: Int32) {
    nested(()) {
      switch program.kind(pattern) {
      case .boundName: bind(pattern, to: value)
      case .expression: matchExpression(pattern, value, otherwise)
      case .chain: matchChain(pattern, value, otherwise)
      case .argument:
        if let inner = program.firstChild(pattern) { match(inner, value, otherwise) }
      default: break
      }
    }
  }

  private func matchExpression(_ pattern: Ref, _ value: Value, _ otherwise: Int32) {
    let parts = program.children(pattern)
    var value = value
    if let cast = parts.last(where: { program.kind($0) == .cast }) {
      test(emit(.isType, cast, [value]), otherwise)
      value = emit(.cast, cast, [value])
    }
    let operands = parts.filter { program.kind($0) != .cast }
    if operands.count > 1 {
      // A range or another expression, which says nothing of the value.
      return test(emit(.opaque, pattern, [value]), otherwise)
    }
    for operand in operands { match(operand, value, otherwise) }
  }

  private func test(_ condition: Value, _ otherwise: Int32) {
    let next = newBlock()
    end(.branch(condition, next, otherwise), goingOnWith: next)
  }

  private func matchChain(_ chain: Ref, _ value: Value, _ otherwise: Int32) {
    var parts = program.children(chain)
    var value = value
    while let last = parts.last, program.kind(last) == .optionalChain {
      let next = newBlock()
      end(.branch(emit(.isNil, last, [value]), otherwise, next), goingOnWith: next)
      value = emit(.unwrap, last, [value])
      parts.removeLast()
    }
    guard let last = parts.last else { return }
    if parts.count == 1 {
      switch program.kind(last) {
      case .boundName: return bind(last, to: value)
      case .tuple: return matchTuple(last, value, otherwise)
      case .name where program.isWildcard(last): return
      case .name, .literal, .string:
        let other = lower(chain: chain)
        return test(emit(.binary, chain, [value, other], name: "=="), otherwise)
      default: break
      }
    }
    matchCase(parts, value, otherwise)
  }

  /// `.name(patterns)`, `Type.name(patterns)` and both without patterns.
  private func matchCase(_ parts: [Ref], _ value: Value, _ otherwise: Int32) {
    var parts = parts
    let call = parts.last.flatMap { program.kind($0) == .call ? $0 : nil }
    if call != nil { parts.removeLast() }
    guard let named = parts.last,
      [.implicitMember, .member].contains(program.kind(named))
    else { return test(emit(.opaque, parts.first ?? root, [value]), otherwise) }
    let name = program.name(named)
    test(emit(.isCase, named, [value], name: name), otherwise)
    let arguments = call.map { program.children($0, .argument) } ?? []
    for (index, argument) in arguments.enumerated() {
      let payload = emit(
        .payload, argument, [value], name: name, index: Int32(truncatingIfNeeded: index))
      match(argument, payload, otherwise)
    }
  }

  private func matchTuple(_ tuple: Ref, _ value: Value, _ otherwise: Int32) {
    let parts = program.children(tuple, .argument)
    for (index, part) in parts.enumerated() {
      let element = take(part, index, of: parts.count, from: value)
      match(part, element, otherwise)
    }
  }
}
