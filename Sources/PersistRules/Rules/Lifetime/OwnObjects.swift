import PersistIndex
import PersistSyntax

// MARK: - Objects that a function makes itself

extension Program {
  /// Whether a call deletes what its own function has made, with no wait and no save in between: no
  /// other code can have got hold of it.
  func takesBack(_ deletion: Ref) -> Bool {
    guard let function = enclosingFunction(deletion), let body = body(of: function),
      contains(body, deletion), let argument = arguments(deletion).first,
      makesItself(argument, depth: 0)
    else { return false }
    return answer(FirstOutlet(body: body)).map { $0 > deletion } ?? true
  }

  fileprivate func findFirstOutlet(of body: Ref) -> Ref? {
    let wait = descendants(body, .awaitMark).first
    let save = descendants(body, .call).first { calledName($0) == "save" }
    return [wait, save].compactMap { $0 }.min()
  }

  /// Whether all objects that an expression stands for are made by the body that it stands in.
  private func makesItself(_ expression: Ref, depth: Int) -> Bool {
    guard isWithin(depth, .ownObjects), let parts = chainParts(expression) else { return false }
    return makesItself(parts[...], depth: depth + 1)
  }

  private func makesItself(_ parts: ArraySlice<Ref>, depth: Int) -> Bool {
    guard isWithin(depth, .ownObjects), let head = parts.first else { return false }
    if let last = parts.last, kind(last) == .call {
      switch callTarget(last) {
      case .initializer(let type, _): return isModel(type)
      case .functions(let candidates):
        return !candidates.isEmpty && candidates.allSatisfy { handsOutNew($0, depth: depth) }
      default: break
      }
    }
    let isWhole = parts.dropFirst().allSatisfy { part in
      switch kind(part) {
      case .member: Words.sameElementMethods.contains(name(part)) || Self.ends.contains(name(part))
      case .call, .optionalChain, .force: true
      default: false
      }
    }
    guard isWhole else { return false }
    guard kind(head) == .name else { return false }
    switch declared(head) {
    case .local(let local): return makesItself(local: local, depth: depth)
    case .closureArgument(let closure, 0):
      guard let (call, _) = callTaking(closure), let chain = parent(call), kind(chain) == .chain,
        calledName(call) == "forEach"
      else { return false }
      let collection = children(chain).prefix { $0 < call && $0 != calledNode(call) }
      return makesItself(collection, depth: depth)
    default: return false
    }
  }

  private static let ends: Set<Name> = ["first", "last"]

  /// Whether a function gives nothing but objects that it has made.
  private func handsOutNew(_ id: FunctionID, depth: Int) -> Bool {
    guard let body = body(of: id) else { return false }
    let results = results(of: body).filter { !isNil($0) }
    return !results.isEmpty && results.allSatisfy { makesItself($0, depth: depth + 1) }
  }

  private func makesItself(local: Ref, depth: Int) -> Bool {
    guard kind(local) == .boundName, let scope = ancestors(local).first(where: { bindsValue($0) })
    else { return false }
    switch kind(scope) {
    case .forStatement:
      return children(scope, .expression).first.map { makesItself($0, depth: depth) } ?? false
    case .binding:
      guard let value = child(scope, .expression),
        isEmptyCollection(value) || makesItself(value, depth: depth),
        assignments(toLocal: local).allSatisfy({ makesItself($0, depth: depth) })
      else { return false }
      return uses(ofLocal: local).allSatisfy { addsOwnAlone($0, depth: depth) }
    default: return false
    }
  }

  private func bindsValue(_ scope: Ref) -> Bool {
    [.binding, .optionalBinding, .forStatement, .block, .closure].contains(kind(scope))
  }

  private func isEmptyCollection(_ value: Ref) -> Bool {
    guard let parts = kind(value) == .expression ? bareParts(value) : nil, parts.count == 1 else {
      return false
    }
    let made = kind(parts[0]) == .chain ? children(parts[0]) : parts
    guard let head = made.first, kind(head) == .array else { return false }
    if made.count == 1 { return children(head, .argument).isEmpty }
    return made.count == 2 && kind(made[1]) == .call && children(made[1], .argument).isEmpty
  }

  /// Whether a use of a local collection adds nothing to it but what the body has made.
  private func addsOwnAlone(_ use: Ref, depth: Int) -> Bool {
    guard let chain = parent(use) else { return true }
    let parts = children(chain)
    if parts.count == 1, let expression = parent(chain), kind(expression) == .expression,
      children(expression, .binaryOperator).contains(where: { isAssigningOperator($0) }),
      children(expression).first == chain, assignment(expression) == nil
    {
      return children(expression).dropFirst(2).allSatisfy { makesItself($0, depth: depth) }
    }
    guard parts.count > 2, ["append", "insert"].contains(name(parts[1])), kind(parts[2]) == .call
    else { return true }
    return arguments(parts[2]).first.map { makesItself($0, depth: depth) } ?? false
  }
}

/// The first wait or save of a body, by which other code can get hold of what the body makes.
private struct FirstOutlet: Query {
  let body: Ref

  static var provisional: Ref? { nil }
  func answer(in program: Program) -> Ref? { program.findFirstOutlet(of: body) }
}
