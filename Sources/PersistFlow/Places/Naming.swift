import PersistIndex
import PersistSyntax

// MARK: - What an expression names or calls

extension Program {
  /// The name that an expression is and nothing else, but for `try` and `await`.
  package func onlyName(of value: Ref) -> Ref? {
    guard let chain = onlyChain(of: value), let name = firstChild(chain), isOnlyChild(name),
      kind(name) == .name
    else { return nil }
    return name
  }

  /// The call with which an expression ends that is one chain, but for `try` and `await`.
  package func onlyCall(of value: Ref) -> Ref? {
    guard let chain = onlyChain(of: value), let last = children(chain).last, kind(last) == .call
    else { return nil }
    return last
  }

  private func onlyChain(of value: Ref) -> Ref? {
    var node = value
    if kind(node) == .argument {
      guard let inner = firstChild(node) else { return nil }
      node = inner
    }
    if kind(node) == .expression {
      let parts = children(node).filter { kind($0) != .tryMark && kind($0) != .awaitMark }
      guard parts.count == 1 else { return nil }
      node = parts[0]
    }
    return kind(node) == .chain ? node : nil
  }

  /// The parameter of a function that an expression is nothing but the name of.
  package func parameter(namedBy value: Ref) -> (function: FunctionID, index: Int)? {
    onlyName(of: value).flatMap { parameter(meantBy: $0) }
  }

  /// The parameter of a function that a name stands for.
  package func parameter(meantBy name: Ref) -> (function: FunctionID, index: Int)? {
    guard case .local(let local)? = declared(name), kind(local) == .parameter,
      let owner = parent(local).flatMap({ parent($0) }), let id = function(declaredAt: owner),
      let index = functions[id].parameters.firstIndex(where: { $0.node == Int(local.node) })
    else { return nil }
    return (id, index)
  }

  /// Whether a parameter is `nil` where a call leaves it out.
  package func isNilByDefault(_ index: Int, of id: FunctionID) -> Bool {
    let parameter = Ref(
      file: Int(functions[id].ref.file), node: functions[id].parameters[index].node)
    return child(parameter, .expression).map { isNil($0) } ?? false
  }

  /// The parameter of a function that some code of an expression names first.
  package func parameter(namedIn value: Ref) -> (function: FunctionID, index: Int)? {
    descendants(value, .name).lazy.compactMap { self.parameter(meantBy: $0) }.first
  }

  /// Whether the first argument of a call is a parameter of the code around it.
  package func takesParameter(_ call: Ref) -> Bool {
    guard let argument = arguments(call).first, let name = onlyName(of: argument),
      case .local(let local)? = declared(name)
    else { return false }
    return kind(local) == .parameter
  }

  /// Whether a function hands what comes in by a parameter to a call of a name, as its first argument.
  package func handsParameter(_ function: FunctionID, to name: Name) -> Bool {
    calls(named: name).contains { enclosingFunction($0) == function && takesParameter($0) }
  }

  /// The expression that a local constant or variable begins with.
  package func initialValue(ofLocalNamed name: Ref) -> Ref? {
    guard case .local(let local)? = declared(name), kind(local) == .boundName,
      let binding = parent(local), [.binding, .optionalBinding].contains(kind(binding))
    else { return nil }
    return child(binding, .expression)
  }

  /// The local that begins with what a name or call gives, and nothing else.
  package func local(beginningWith part: Ref) -> Ref? {
    guard let chain = parent(part), kind(chain) == .chain, children(chain).last == part,
      let value = parent(chain), isOnlyChild(chain), let binding = parent(value),
      kind(binding) == .binding, property(declaredAt: binding) == nil
    else { return nil }
    return child(binding, .boundName)
  }

  /// The member that is read or called of what a node names: `.none` where the value is used as a
  /// whole, nil where it is called, or an element of it is taken.
  package func memberAsked(of place: Ref) -> Name? {
    guard let chain = parent(place), kind(chain) == .chain,
      let next = children(chain).first(where: {
        $0 > place && ![.optionalChain, .force].contains(kind($0))
      })
    else { return Name.none }
    return kind(next) == .member ? name(next) : nil
  }

  /// The type to which what a call returns is cast at once.
  package func castType(ofCall call: Ref) -> SwiftType? {
    parent(whole(call)).flatMap { child($0, .cast) }.flatMap { child($0, .type) }
      .map { type(ofTypeNode: $0) }
  }

  /// The types whose values an expression lists by `.self`; nil where one can't be told.
  package func typesListed(in value: Ref) -> [TypeID]? {
    var found: [TypeID] = []
    for member in descendants(value, .member) where name(member) == "self" {
      guard let chain = parent(member), case .metatype(.declared(let type, _)) = type(of: chain)
      else { return nil }
      found.append(resolveAlias(type))
    }
    return found
  }

  /// The models whose types an expression lists, as in `[Trip.self, Stop.self]`.
  package func metatypes(in value: Ref) -> [TypeID] {
    descendants(value, .member).compactMap { member in
      guard name(member) == "self", let chain = parent(member),
        case .metatype(.declared(let type, _)) = type(of: chain), isModel(type)
      else { return nil }
      return resolveAlias(type)
    }
  }

  /// The models that an expression lists, or the first constant that it names.
  package func listedModels(in value: Ref) -> [TypeID] {
    let own = metatypes(in: value)
    if !own.isEmpty { return own }
    return descendants(value, .name).lazy.compactMap { self.fixedValue(of: $0) }
      .map { self.metatypes(in: $0) }.first { !$0.isEmpty } ?? []
  }

  /// The first type that an expression lists, constants followed.
  package func firstListed(_ value: Ref) -> Ref? {
    Reach(from: value) { self.descendants($0, .name).compactMap { self.fixedValue(of: $0) } }
      .first { value in
        descendants(value, .member).first { nameText($0) == "self" }.flatMap { parent($0) }
      }
  }
}

// MARK: - Closures of calls, and the calls in them

extension Program {
  /// The calls of a name that are handed a method by its name, with what names this:
  /// `trips.forEach(context.delete)`.
  package func calls(handing method: Name, to taker: Name) -> [(call: Ref, method: Ref)] {
    uses(of: [method]).compactMap { use in
      guard kind(use) == .member, let chain = parent(use), children(chain).last == use,
        let argument = ancestors(chain).prefix(2).first(where: { kind($0) == .argument }),
        let call = parent(argument), calledName(call) == taker
      else { return nil }
      return (call, use)
    }
  }

  /// Whether `!` stands behind a member.
  package func isForced(_ member: Ref) -> Bool {
    sibling(after: member).map { kind($0) == .force } ?? false
  }

  /// The type of what a member is asked of.
  package func receiverType(ofMember member: Ref) -> SwiftType {
    guard kind(member) == .member, let chain = parent(member) else { return .unknown }
    return type(ofChain: chain, upTo: member)
  }

  /// The last closure that a call is handed.
  package func lastClosure(handedTo call: Ref) -> Ref? {
    arguments(call).lazy.compactMap { argument in
      self.kind(argument) == .closure
        ? argument
        : self.descendants(argument, .closure).first { self.callTaking($0)?.call == call }
    }.last
  }

  /// The calls that run on the turn of a closure; `isOnTurn` says of which closures more is known.
  package func callsRun(
    onTurnOf closure: Ref, counting isOnTurn: (Ref) -> Bool = { _ in false }
  ) -> [Ref] {
    descendants(closure, .call).filter { runsOnTurn($0, of: closure, counting: isOnTurn) }
  }

  /// The calls of some code that run whenever it does.
  package func callsRunWhenever(in body: Ref) -> [Ref] {
    descendants(body, .call).filter { runsWhenever($0, in: body) }
  }

  /// Whether a name stands for something that belongs to the instance around it.
  package func isOfInstance(_ name: Ref) -> Bool {
    switch declared(name) {
    case .property, .selfValue: true
    default: false
    }
  }

  /// The names of what a call is made on.
  package func receiverPath(ofCall call: Ref) -> [Name] {
    guard let called = calledNode(call) else { return [] }
    return tokens(ofPath: callee(call).filter { $0 < called })
  }

  /// The names of an expression that is a path.
  package func path(of value: Ref) -> [Name]? {
    descendants(value, .chain).first.map { tokens(ofPath: children($0)) }
  }

  /// Whether two places stand in clauses of one `#if`, or in other blocks of one function.
  package func standInOtherBranches(_ one: Ref, _ other: Ref) -> Bool {
    let scope: (Ref) -> Ref? = { place in
      self.ancestors(place).first {
        [.ifConfigClause, .block, .switchCase].contains(self.kind($0))
      }
    }
    return scope(one) != scope(other) && enclosingFunction(one) == enclosingFunction(other)
  }

  /// The static members of types of the sources that some code names, with these types:
  /// `Kind.plain`.
  package func staticMembers(namedIn code: Ref) -> [(type: TypeID, member: Ref)] {
    descendants(code, .member).compactMap { member in
      guard case .metatype(.declared(let type, _)) = receiverType(ofMember: member) else {
        return nil
      }
      return (type, member)
    }
  }
}
