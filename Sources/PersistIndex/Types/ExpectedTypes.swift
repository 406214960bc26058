import PersistSyntax

// MARK: - What the code around a value asks of it

extension Program {
  /// The type that the code around an expression, a closure, or a part of one asks of it; `.unknown`
  /// where it takes any.
  func expectedType(of ref: Ref) -> SwiftType {
    guard let holder = parent(ref) else { return .unknown }
    switch kind(holder) {
    case .chain: return isOnlyChild(ref) ? expectedType(of: holder) : .unknown
    case .expression:
      let given = expectedType(of: holder)
      return expected(of: ref, below: folded(holder), given)
    case .argument: return expectedType(ofElement: holder)
    case .call: return kind(ref) == .closure ? expectedType(ofArgument: ref, in: holder) : .unknown
    case .binding:
      return child(holder, .type).map { type(ofTypeNode: $0) } ?? .unknown
    case .parameter: return child(holder, .type).map { type(ofTypeNode: $0) } ?? .unknown
    case .returnStatement: return enclosingBody(ref).map { expectedResult(of: $0) } ?? .unknown
    case .caseItem: return subjectType(ofItem: holder)
    case .block, .switchCase, .closure: return expectedType(ofStatement: ref, in: holder)
    default: return .unknown
    }
  }

  /// What is asked of a statement that is the value of a branch or body.
  private func expectedType(ofStatement ref: Ref, in holder: Ref) -> SwiftType {
    switch kind(holder) {
    case .closure:
      return statements(ofBody: holder) == [ref] ? expectedResult(of: holder) : .unknown
    case .switchCase:
      guard children(holder).last == ref, let statement = parent(holder) else { return .unknown }
      return expectedType(of: statement)
    default:
      guard isOnlyChild(ref), var owner = parent(holder) else { return .unknown }
      switch kind(owner) {
      case .ifStatement:
        while let outer = parent(owner), kind(outer) == .ifStatement { owner = outer }
        return expectedType(of: owner)
      case .functionDecl, .accessor: return expectedResult(of: owner)
      default: return .unknown
      }
    }
  }

  /// The type that a function, accessor or closure has to return.
  private func expectedResult(of body: Ref) -> SwiftType {
    switch kind(body) {
    case .closure:
      if let written = child(body, .type) { return type(ofTypeNode: written) }
      guard case .function(_, let result) = expectedType(of: body).unwrapped else {
        return .unknown
      }
      return result.unwrapped == .unknown ? resultAsked(ofClosure: body) ?? result : result
    case .accessor: return type(ofLocal: body)
    default: return function(declaredAt: body).map { resultType($0) } ?? .unknown
    }
  }

  /// What a closure has to return by what is asked of the call that takes it: `map` returns a list of
  /// that.
  private func resultAsked(ofClosure closure: Ref) -> SwiftType? {
    guard var call = parent(closure) else { return nil }
    let argument = kind(call) == .argument ? call : closure
    if argument != closure { call = parent(call) ?? call }
    guard kind(call) == .call, let chain = parent(call), children(chain).last == call,
      let use = standardUse(call),
      let place = use.matched.first(where: { $0.argument == argument })
    else { return nil }
    var bindings = use.bindings
    bind(use.function.result, to: expectedType(of: chain).unwrapped, &bindings)
    guard case .function(_, let result) = settled(use.function.types[place.parameter], bindings)
    else { return nil }
    return result
  }

  /// What is asked of an operand below a folded node of which a type is asked.
  private func expected(of operand: Ref, below root: Ref, _ given: SwiftType) -> SwiftType {
    guard root != operand else { return given }
    guard var inner = foldedOperand(operand) else { return .unknown }
    var path: [(whole: Ref, index: Int)] = []
    while inner != root, let whole = parent(inner),
      let index = children(whole).firstIndex(of: inner)
    {
      path.append((whole, index))
      inner = whole
    }
    return path.reversed().reduce(given) { asked(ofOperand: $1.index, of: $1.whole, $0) }
  }

  /// What a folded node of which a type is asked asks of one of its operands.
  private func asked(ofOperand index: Int, of whole: Ref, _ given: SwiftType) -> SwiftType {
    let operands = operands(whole)
    switch kind(whole) {
    case .awaiting: return given
    case .trying: return node(whole).flags.contains(.isOptional) ? given.unwrapped : given
    case .ternary: return index == 0 ? .external("Bool", []) : given
    case .conversion:
      let isPlain = node(whole).flags.isDisjoint(with: [.isTest, .isOptional, .isForced])
      return isPlain ? castType(source(whole), of: .unknown) : .unknown
    case .assignment: return index == 0 ? .unknown : type(ofFolded: operands[0])
    case .operation where compares(whole): return type(ofFolded: operands[1 - index])
    case .operation where name(whole) == "??" && index == 1:
      return given == .unknown ? type(ofFolded: operands[0]).unwrapped : given
    default: return .unknown
    }
  }

  private func compares(_ infix: Ref) -> Bool {
    ["==", "!=", "===", "!==", "<", ">", "<=", ">="].contains(name(infix))
  }

  // MARK: Arguments and elements

  /// What is asked of an argument of a call, or of an element between brackets.
  private func expectedType(ofElement argument: Ref) -> SwiftType {
    guard let holder = parent(argument) else { return .unknown }
    switch kind(holder) {
    case .call: return expectedType(ofArgument: argument, in: holder)
    case .array:
      let asked = expectedType(of: holder)
      // A set of options is written like an array of such sets.
      return asked.isCollection ? asked.element : asked
    case .tuple:
      let all = children(holder, .argument)
      if all.count == 1 { return expectedType(of: holder) }
      guard case .tuple(let parts, _) = expectedType(of: holder).unwrapped,
        let index = all.firstIndex(of: argument), parts.count == all.count
      else { return .unknown }
      return parts[index]
    case .dictionary:
      guard case .dictionary(let key, let value) = expectedType(of: holder).unwrapped,
        let index = children(holder, .argument).firstIndex(of: argument)
      else { return .unknown }
      return index % 2 == 0 ? key : value
    case .subscriptSuffix:
      guard let chain = parent(holder),
        case .dictionary(let key, _) = type(ofChain: chain, upTo: holder)
          .unwrapped, label(argument) == .none
      else { return .unknown }
      return key
    case .attribute: return expectedType(ofArgument: argument, inAttribute: holder)
    default: return .unknown
    }
  }

  /// What a wrapper asks of its arguments: a query's predicate is about what the property holds.
  private func expectedType(ofArgument argument: Ref, inAttribute attribute: Ref) -> SwiftType {
    guard name(attribute) == "Query", label(argument) == "filter",
      let binding = parent(attribute).flatMap({ child($0, .binding) }),
      let id = property(declaredAt: binding), properties[id].type != nil
    else { return .unknown }
    return .external("Predicate", [type(ofProperty: id).element])
  }

  /// What a call asks of one of its arguments, by what is called, its receiver, and the other
  /// arguments that are no closures.
  func expectedType(ofArgument argument: Ref, in call: Ref) -> SwiftType {
    let target = callTarget(call)
    switch target {
    case .functions(let candidates):
      return common(candidates.map { parameterType($0, taking: argument, in: call) })
    case .initializer(let type, let candidates):
      if candidates.isEmpty {
        return property(of: type, keeping: closure(in: argument) ?? argument, label(argument), call)
          .map { id in
            settled(signatureType(ofProperty: id), made(by: call, of: type, except: argument))
          } ?? .unknown
      }
      return common(candidates.map { parameterType($0, taking: argument, in: call) })
    case .closure(let value):
      guard case .function(let parameters, _) = type(ofDeclared: value).unwrapped,
        let index = arguments(call).firstIndex(of: argument), index < parameters.count
      else { return .unknown }
      return parameters[index]
    case .unknown:
      guard let callee = calledNode(call), case .function(let parameters, _) = type(of: callee),
        let index = arguments(call).firstIndex(of: argument), index < parameters.count
      else { return .unknown }
      return parameters[index]
    case .externalMethod, .externalFunction, .externalInitializer, .unknownMethod:
      guard let use = standardUse(call) else { return .unknown }
      guard let index = use.matched.firstIndex(where: { $0.argument == argument }) else {
        return .unknown
      }
      var bindings = use.bindings
      if case .externalInitializer(let type) = target {
        bind(use.function.result, to: type, &bindings)
      }
      bindValues(use, except: argument, &bindings)
      return settled(use.function.types[use.matched[index].parameter], bindings)
    }
  }

  /// The property that a memberwise initializer gives an argument to.
  private func property(of type: TypeID, keeping value: Ref, _ label: Name, _ call: Ref)
    -> PropertyID?
  {
    guard label != .none else { return property(of: type, keeping: value, in: call) }
    return types[type].properties.first {
      properties[$0].name == label && !properties[$0].isStatic && !properties[$0].isComputed
    }
  }

  private func common(_ types: [SwiftType]) -> SwiftType {
    let known = Set(types)
    return known.count == 1 ? known.first ?? .unknown : .unknown
  }

  /// The type that a function of the sources has for what takes an argument of a call.
  private func parameterType(_ id: FunctionID, taking argument: Ref, in call: Ref) -> SwiftType {
    let function = functions[id]
    guard let parameter = parameter(of: function, taking: argument, in: call),
      let node = parameter.type
    else { return .unknown }
    let type = signatureType(ofTypeNode: Ref(file: Int(function.ref.file), node: node))
    guard type.isOpen else { return type }
    var bindings = receiverBindings(id, call)
    bindArguments(of: call, to: id, &bindings) { $0 != argument && !self.isClosure($0) }
    return settled(type, bindings)
  }

  /// A type of a signature where it is used; parts that the use doesn't tell are what they conform to.
  func settled(_ type: SwiftType, _ bindings: Bindings) -> SwiftType {
    erased(substitute(type, bindings))
  }

  /// Whether an argument is a closure.
  func isClosure(_ argument: Ref) -> Bool { closure(in: argument) != nil }
}
