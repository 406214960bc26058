import PersistFlow
import PersistIndex
import PersistSyntax

/// A use of a `Database` away from the access that lends it.
struct DatabaseLeak {
  /// How it gets away.
  enum Way {
    /// It is used in code that runs when the access is over.
    case later
    /// It is kept in a property, or is what the access gives.
    case kept
  }

  let place: Ref
  let name: String
  let way: Way
  /// The closure's or function's parameter.
  let source: Ref
}

// MARK: - Databases that leave their access

extension Program {
  /// The uses of GRDB's `Database` outside of the access that lends it, in source order.
  var databaseLeaks: [DatabaseLeak] {
    guard usesGRDB else { return [] }
    var open = Words.databaseTakers.flatMap { calls(named: $0) }.filter {
      !isExempt($0)
    }.flatMap { call in
      arguments(call).compactMap { lentDatabase(to: $0) }
    }
    var seen: Set<Ref> = []
    var found: [DatabaseLeak] = []
    while let source = open.popLast() {
      guard seen.insert(source).inserted else { continue }
      for use in databaseUses(of: source) {
        if let leak = leak(of: use, from: source) { found.append(leak) }
        if let parameter = parameter(taking: use) { open.append(parameter) }
      }
    }
    var places: Set<Ref> = []
    return found.sorted { $0.place < $1.place }.filter { places.insert($0.place).inserted }
  }

  /// The parameter, or the closure with `$0`, through which an argument is lent a database.
  private func lentDatabase(to argument: Ref) -> Ref? {
    let closure =
      kind(argument) == .closure
      ? argument
      : descendants(argument, .closure).first { callTaking($0)?.call == parent(argument) }
    guard let closure else { return nil }
    guard let list = child(closure, .parameters) else { return closure }
    return children(list, .parameter).first
  }

  private func databaseUses(of source: Ref) -> [Ref] {
    let all: [Ref]
    if kind(source) == .closure {
      all = descendants(source, .name).filter { declared($0) == .closureArgument(source, 0) }
    } else {
      all = uses(ofLocal: source)
    }
    return all.filter { type(of: $0).unwrapped.isExternal("Database") }
  }

  private func leak(of use: Ref, from source: Ref) -> DatabaseLeak? {
    let owner = kind(source) == .closure ? source : parent(source).flatMap { parent($0) }
    guard let owner, let chain = parent(use), kind(chain) == .chain, !isExempt(use) else {
      return nil
    }
    for scope in ancestors(use).prefix(while: { $0 != owner }) where kind(scope) == .closure {
      let time = time(of: scope)
      guard time == .later || time == .muchLater else { continue }
      return DatabaseLeak(place: use, name: nameText(use), way: .later, source: source)
    }
    guard children(chain) == [use], let expression = parent(chain), kind(expression) == .expression,
      isKept(expression, chain) || isResult(expression, of: owner)
    else { return nil }
    return DatabaseLeak(place: use, name: nameText(use), way: .kept, source: source)
  }

  /// Whether an assignment puts a value into a property.
  private func isKept(_ expression: Ref, _ value: Ref) -> Bool {
    guard let assignment = assignment(expression), assignment.value == value,
      let last = children(assignment.target).last
    else { return false }
    return property(usedBy: last) != nil
  }

  /// Whether a closure gives an expression to the caller of the access.
  private func isResult(_ expression: Ref, of owner: Ref) -> Bool {
    guard kind(owner) == .closure, children(expression).count == 1 else { return false }
    if parent(expression) == owner { return statements(in: owner) == [expression] }
    guard let holder = parent(expression) else { return false }
    return kind(holder) == .returnStatement && enclosingBody(holder) == owner
  }

  /// The parameter of a function of the sources to which a use is handed.
  private func parameter(taking use: Ref) -> Ref? {
    guard let chain = parent(use), children(chain) == [use], let expression = parent(chain),
      let argument = parent(expression), kind(argument) == .argument, let call = parent(argument),
      kind(call) == .call
    else { return nil }
    let called = functions(calledBy: call)
    guard called.count == 1, functions[called[0]].body != nil,
      let parameter = parameter(of: functions[called[0]], taking: argument, in: call)
    else { return nil }
    return Ref(file: Int(functions[called[0]].ref.file), node: parameter.node)
  }
}
