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
    case .namePattern, .wildcardPattern: bind(name: program.source(pattern), to: value)
    case .bindingPattern, .optionalPattern, .castPattern:
      for inner in program.children(pattern) { destructure(inner, value) }
    case .tuplePattern: each(of: pattern, value) { destructure($0, $1) }
    default: break
    }
  }

  /// Goes on where a value matches a pattern, and to another block where it doesn't.
  func match(_ pattern: Ref, _ value: Value, _ otherwise: Int32) {
    nested(()) {
      let source = program.source(pattern)
      switch program.kind(pattern) {
      case .namePattern, .wildcardPattern: bind(name: source, to: value)
      case .bindingPattern: matchInner(of: pattern, value, otherwise)
      case .tuplePattern: each(of: pattern, value) { match($0, $1, otherwise) }
      case .casePattern: matchCase(pattern, value, otherwise)
      case .optionalPattern:
        let next = newBlock()
        end(.branch(emit(.isNil, source, [value]), otherwise, next), goingOnWith: next)
        matchInner(of: pattern, emit(.unwrap, source, [value]), otherwise)
      case .testPattern: test(emit(.isType, source, [value]), otherwise)
      case .castPattern:
        test(emit(.isType, source, [value]), otherwise)
        matchInner(of: pattern, emit(.cast, source, [value]), otherwise)
      case .expressionPattern: compare(source, value, otherwise)
      default: break
      }
    }
  }

  /// Binds a name, or `_` where a name could stand; any other `_` is none.
  private func bind(name: Ref, to value: Value) {
    if program.kind(name) == .boundName { bind(name, to: value) }
  }

  private func matchInner(of pattern: Ref, _ value: Value, _ otherwise: Int32) {
    if let inner = program.firstChild(pattern) { match(inner, value, otherwise) }
  }

  private func test(_ condition: Value, _ otherwise: Int32) {
    let next = newBlock()
    end(.branch(condition, next, otherwise), goingOnWith: next)
  }

  /// Takes a tuple apart, and hands each part to the pattern that stands for it.
  private func each(of tuple: Ref, _ value: Value, _ body: (Ref, Value) -> Void) {
    let elements = program.children(tuple)
    for (index, element) in elements.enumerated() {
      let part = take(program.source(element), index, of: elements.count, from: value)
      if let inner = program.firstChild(element) { body(inner, part) }
    }
  }

  private func matchCase(_ pattern: Ref, _ value: Value, _ otherwise: Int32) {
    let name = program.name(pattern)
    test(emit(.isCase, program.source(pattern), [value], name: name), otherwise)
    for (index, element) in program.children(pattern).enumerated() {
      let payload = emit(
        .payload, program.source(element), [value], name: name,
        index: Int32(truncatingIfNeeded: index))
      if let inner = program.firstChild(element) { match(inner, payload, otherwise) }
    }
  }

  /// Compares a value with a name or literal; ranges and other expressions say nothing of it.
  private func compare(_ expression: Ref, _ value: Value, _ otherwise: Int32) {
    switch program.kind(expression) {
    case .expression: test(emit(.opaque, expression, [value]), otherwise)
    case .chain:
      let parts = program.children(expression)
      let count = parts.lastIndex { program.kind($0) != .optionalChain } ?? 0
      if count == 0, let only = parts.first,
        [.name, .literal, .string].contains(program.kind(only))
      {
        let other = lower(chain: expression)
        return test(emit(.binary, expression, [value, other], name: "=="), otherwise)
      }
      test(emit(.opaque, parts.first ?? root, [value]), otherwise)
    default: break
    }
  }
}
