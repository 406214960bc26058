import PersistSyntax

// MARK: - Overloads

extension Program {
  /// The functions among candidates, the nearest first, that a call may mean: by labels, then by the
  /// types of arguments; `receiver` is the type whose members they are.
  func overloads(_ candidates: [FunctionID], _ call: Ref, of receiver: TypeID? = nil)
    -> [FunctionID]
  {
    guard isWithin(candidates.count, .overloads) else { return [] }
    let fitting = candidates.filter { takesClosures(functions[$0], of: call) }
    guard fitting.count > 1 else { return fitting }
    let own = nearest(built(ofOneTarget(fitting, call)) { functions[$0].ref }, of: receiver)
    guard own.count > 1 else { return own }
    return ofOneModule(fewestDefaults(fittingResult(fittingTypes(own, call), call), call), call)
  }

  /// Those of several overloads that take the fewest parameters by default.
  private func fewestDefaults(_ candidates: [FunctionID], _ call: Ref) -> [FunctionID] {
    guard candidates.count > 1 else { return candidates }
    let counts = candidates.map { id in
      functions[id].parameters.count - Set(matching(functions[id], call) ?? []).count
    }
    let least = counts.min()
    return zip(candidates, counts).filter { $0.1 == least }.map(\.0)
  }

  /// Leaves out functions that another one declares with the same words: one module has a single one
  /// of them, and that is the one that shares more folders with the call.
  private func ofOneModule(_ candidates: [FunctionID], _ call: Ref) -> [FunctionID] {
    guard candidates.count > 1 else { return candidates }
    let folders = files[Int(call.file)].path.split(separator: "/").dropLast()
    func shared(_ id: FunctionID) -> Int {
      let others = files[Int(functions[id].ref.file)].path.split(separator: "/").dropLast()
      return zip(folders, others).prefix { $0 == $1 }.count
    }
    let groups = Dictionary(grouping: candidates, by: header)
    guard groups.count < candidates.count else { return candidates }
    let most = groups.mapValues { $0.map(shared).max() ?? 0 }
    return candidates.filter { shared($0) == most[header(of: $0)] }
  }

  /// How a function is declared, with the words before the members of its extension.
  private func header(of id: FunctionID) -> String {
    let node = functions[id].ref
    let file = view(node)
    func words(_ node: Int, before end: Int?) -> String {
      let whole = file.byteRange(of: node)
      let end = end.map { file.byteRange(of: $0).lowerBound } ?? whole.upperBound
      return file.text(whole.lowerBound..<max(whole.lowerBound, end))
    }
    let own = words(Int(node.node), before: functions[id].body)
    guard let members = parent(node), let outer = parent(members) else { return own }
    return words(Int(outer.node), before: Int(members.node)) + own
  }

  /// Those of several overloads that give what the variable around a call is written to hold, and
  /// that don't throw where no `try` stands.
  private func fittingResult(_ candidates: [FunctionID], _ call: Ref) -> [FunctionID] {
    guard candidates.count > 1 else { return candidates }
    var left = candidates
    if !isTried(call) { left.removeAll { functions[$0].isThrowing } }
    if let wanted = writtenType(around: call) {
      left.removeAll { id in
        let given = functions[id].result.map {
          type(ofTypeNode: Ref(file: Int(functions[id].ref.file), node: $0))
        }
        return accepts(wanted, given ?? .unknown) == false
      }
    }
    return left.isEmpty ? candidates : left
  }

  /// The written type of the variable whose initial value a call is.
  private func writtenType(around call: Ref) -> SwiftType? {
    guard let chain = parent(call), kind(chain) == .chain, children(chain).last == call,
      let value = parent(chain), kind(value) == .expression,
      children(value).allSatisfy({ $0 == chain || [.tryMark, .awaitMark].contains(kind($0)) }),
      let binding = parent(value), kind(binding) == .binding, let type = child(binding, .type)
    else { return nil }
    return self.type(ofTypeNode: type)
  }

  /// Those of several functions outside of types that are built together with a call, where the
  /// projects tell.
  private func ofOneTarget(_ candidates: [FunctionID], _ call: Ref) -> [FunctionID] {
    guard candidates.allSatisfy({ functions[$0].owner == nil }) else { return candidates }
    let targets = Set(targetsOfFiles[Int(call.file)])
    let together = candidates.filter { id in
      !targets.isDisjoint(with: targetsOfFiles[Int(functions[id].ref.file)])
    }
    return together.isEmpty ? candidates : together
  }

  /// Leaves out what a nearer type declares anew: the requirement behind an implementation, or the
  /// method that a subclass overrides. A protocol's own requirement comes before its default.
  private func nearest(_ candidates: [FunctionID], of receiver: TypeID?) -> [FunctionID] {
    var left: [FunctionID] = []
    for candidate in candidates {
      guard let twin = left.firstIndex(where: { isTwin($0, candidate) }) else {
        left.append(candidate)
        continue
      }
      let isRequirement = functions[left[twin]].body == nil
      if let receiver, isRequirement != (types[receiver].kind == .protocolDecl) {
        if functions[candidate].body != nil || !isRequirement { left[twin] = candidate }
      }
    }
    return left
  }

  /// Whether two members of different parts of a lineage have one signature.
  private func isTwin(_ left: FunctionID, _ right: FunctionID) -> Bool {
    functions[left].owner != nil && functions[right].owner != nil
      && (functions[left].owner != functions[right].owner
        || (functions[left].body == nil) != (functions[right].body == nil))
      && haveOneSignature(left, right)
  }

  /// Whether two functions have the same labels and, as far as they are known, types. What a protocol
  /// leaves to its types may be any.
  package func haveOneSignature(_ left: FunctionID, _ right: FunctionID) -> Bool {
    let (one, other) = (functions[left], functions[right])
    guard one.isStatic == other.isStatic,
      one.parameters.map(\.label) == other.parameters.map(\.label)
    else { return false }
    return zip(one.parameters, other.parameters).allSatisfy { mine, its in
      let (first, second) = (type(of: mine, in: one), type(of: its, in: other))
      return first == second || first.unwrapped == .unknown || second.unwrapped == .unknown
        || isLeftToTypes(mine, in: one) || isLeftToTypes(its, in: other)
    }
  }

  /// Whether a requirement's parameter has an associated type.
  private func isLeftToTypes(_ parameter: Parameter, in function: FunctionDeclaration) -> Bool {
    guard function.owner.map({ isProtocol($0) }) ?? false, let type = parameter.type else {
      return false
    }
    return signatureType(ofTypeNode: Ref(file: Int(function.ref.file), node: type)).isOpen
  }

  private func type(of parameter: Parameter, in function: FunctionDeclaration) -> SwiftType {
    parameter.type.map { type(ofTypeNode: Ref(file: Int(function.ref.file), node: $0)) } ?? .unknown
  }

  /// Those of several overloads that take the types of a call's arguments, the ones that take them
  /// exactly before those that may.
  private func fittingTypes(_ candidates: [FunctionID], _ call: Ref) -> [FunctionID] {
    let arguments = arguments(call)
    var best: [FunctionID] = []
    var bestScore = -1
    for candidate in candidates {
      let function = functions[candidate]
      guard let fits = fits(of: arguments, function, call), !fits.contains(false) else { continue }
      let score = fits.filter { $0 == true }.count
      if score > bestScore { (best, bestScore) = ([], score) }
      if score == bestScore { best.append(candidate) }
    }
    return best.isEmpty ? candidates : best
  }

  /// Whether a function takes the arguments of a call. What an extension of a framework's type doesn't
  /// take is for a method of the same name that the framework declares.
  func takesArguments(_ function: FunctionID, of call: Ref) -> Bool {
    let owner = functions[function].owner
    return owner.map { types[$0].kind != .extensionDecl } ?? true
      || fits(of: arguments(call), functions[function], call)?.contains(false) != true
  }

  /// For each argument whether its parameter takes it, nil where it may; nil where the labels don't
  /// fit.
  private func fits(of arguments: [Ref], _ function: FunctionDeclaration, _ call: Ref) -> [Bool?]? {
    matching(function, call).map { matched in
      zip(arguments, matched).map { argument, index in
        guard !followsContext(argument) else { return nil }
        let wanted = type(of: function.parameters[index], in: function)
        let isList = wanted == .unknown && takesList(function.parameters[index], of: function)
        return accepts(isList ? .array(.unknown) : wanted, type(of: argument))
      }
    }
  }

  /// Whether a parameter has a generic type that only collections conform to.
  private func takesList(_ parameter: Parameter, of function: FunctionDeclaration) -> Bool {
    guard let node = parameter.type,
      case .parameter(let type) = signatureType(
        ofTypeNode: Ref(file: Int(function.ref.file), node: node)), let owner = type.owner
    else { return false }
    return constraints(of: type.name, at: owner).contains { Words.lists.contains($0) }
  }

  /// Whether the type of an argument depends on what takes it: a closure's, or that of `.name`.
  private func followsContext(_ argument: Ref) -> Bool {
    guard kind(argument) == .argument, let expression = child(argument, .expression),
      let chain = child(expression, .chain), let first = firstChild(chain)
    else { return true }
    return [.closure, .implicitMember, .keyPath].contains(kind(first))
  }

  /// Whether a parameter takes an argument: true where the types are equal, nil where it may.
  private func accepts(_ parameter: SwiftType, _ argument: SwiftType) -> Bool? {
    if parameter == argument { return parameter == .unknown ? nil : true }
    switch (parameter, argument) {
    case (.unknown, _), (_, .unknown): return nil
    case (.optional(let wrapped), _): return accepts(wrapped, argument.unwrapped)
    case (_, .optional): return false
    case (.array(let one), .array(let other)), (.set(let one), .set(let other)):
      return accepts(one, other)
    case (.declared(let wanted, _), .declared(let given, _)):
      return lineage(of: given).contains(resolveAlias(wanted)) ? nil : false
    case (.declared(let wanted, _), .external):
      return types[wanted].kind == .protocolDecl ? nil : false
    case (.external(let wanted, _), .declared(let given, _)):
      let isValue = Words.plainValues.contains(wanted) && !["Any", "AnyObject"].contains(wanted)
      return isValue && !inherits(given, from: wanted) ? false : nil
    case (.external(let wanted, _), .external(let given, _)):
      let areValues = [wanted, given].allSatisfy { Words.plainValues.contains($0) }
      return areValues && !["Any", "AnyObject"].contains(wanted) && wanted != given
        && !["String", "Int", "Double"].contains(given) ? false : nil
    case (.metatype, .external(let given, _)) where given != "AnyClass": return false
    case (.array(.unknown), .dictionary): return nil
    case (.array(.unknown), .declared(let given, _)):
      return Words.lists.contains { inherits(given, from: $0) } ? nil : false
    case (.array, .external(let given, _)) where Words.objectClasses.contains(given): return false
    case (.metatype, .declared), (.metatype, .array), (.array, .declared),
      (.array, .dictionary), (.declared, .array), (.declared, .dictionary), (.dictionary, .array):
      return false
    default: return nil
    }
  }

  /// For each argument of a call the index of its parameter; nil when the labels don't fit.
  package func matching(_ function: FunctionDeclaration, _ call: Ref) -> [Int]? {
    let takesClosure = { self.takesClosure(function.parameters[$0], of: function) }
    if let matched = matching(function.parameters, call, takesClosure: takesClosure) {
      return matched
    }
    // Before Swift 3 a call left the label of the first argument out.
    guard answer(IsBeforeSwift3()), function.kind != .initDecl,
      function.owner.map({ types[$0].kind != .extensionDecl }) ?? true
    else { return nil }
    return matching(
      function.parameters, call, leavesFirstLabelOut: true, takesClosure: takesClosure)
  }

  /// For each argument of a call the index of the parameter that takes it; nil when the labels don't
  /// fit.
  package func matching(
    _ parameters: [Parameter], _ call: Ref, leavesFirstLabelOut: Bool = false,
    takesClosure: (Int) -> Bool
  ) -> [Int]? {
    var matched: [Int] = []
    var next = 0
    let arguments = arguments(call)
    for argument in arguments {
      let isTrailing = kind(argument) == .closure
      var label = isTrailing ? Name.none : self.label(argument)
      if leavesFirstLabelOut, matched.isEmpty, !isTrailing, label == .none {
        label = parameters.first?.label ?? .none
      }
      var index = next
      while index < parameters.count {
        if isTrailing {
          // The last closure goes past what has a default to what needs an argument.
          let isNeeded =
            argument == arguments.last && parameters[index].hasDefault
            && parameters[(index + 1)...].contains { !$0.hasDefault && !$0.isVariadic }
          if !isNeeded, takesClosure(index) { break }
        } else if parameters[index].label == label || label == .none && matched.last == index {
          // All but the first of a variadic parameter's values stand without a label.
          break
        }
        guard parameters[index].hasDefault || parameters[index].isVariadic else { return nil }
        index += 1
      }
      guard index < parameters.count else { return nil }
      matched.append(index)
      next = parameters[index].isVariadic ? index : index + 1
    }
    while next < parameters.count {
      guard parameters[next].hasDefault || parameters[next].isVariadic else { return nil }
      next += 1
    }
    return matched
  }

  /// Whether the labels of a call fit, and each closure has as many parameters as the function hands it.
  private func takesClosures(_ function: FunctionDeclaration, of call: Ref) -> Bool {
    guard let matched = matching(function, call) else { return false }
    return zip(arguments(call), matched).allSatisfy { argument, index in
      guard let closure = closure(of: argument),
        case .function(let handed, _) = type(of: function.parameters[index], in: function).unwrapped
      else { return true }
      // A tuple may be taken apart.
      return handed.count == 1 && mayBeTuple(handed[0])
        || handed.count == parameterCount(of: closure)
    }
  }

  private func mayBeTuple(_ type: SwiftType) -> Bool {
    switch type {
    case .unknown, .tuple, .parameter, .associated: true
    case .external(let name, let arguments):
      arguments.isEmpty && name != "Error" && !Words.sendableValues.contains(name)
    default: false
    }
  }

  private func takesClosure(_ parameter: Parameter, of function: FunctionDeclaration) -> Bool {
    guard let node = parameter.type else { return false }
    let type = type(ofTypeNode: Ref(file: Int(function.ref.file), node: node)).unwrapped
    switch type {
    case .function, .unknown: return true
    case .external(let name, _): return !Words.plainValues.contains(name)
    default: return false
    }
  }

  /// The parameter of a function that takes a closure or argument of a call.
  package func parameter(of function: FunctionDeclaration, taking argument: Ref, in call: Ref)
    -> Parameter?
  {
    guard let matched = matching(function, call) else { return nil }
    let index = arguments(call).firstIndex { $0 == argument || contains($0, argument) }
    return index.map { function.parameters[matched[$0]] }
  }

  /// The argument of a call that is handed to a parameter; nil when the default is taken.
  package func argument(of call: Ref, for parameter: Int, of function: FunctionDeclaration) -> Ref?
  {
    guard let matched = matching(function, call), let index = matched.firstIndex(of: parameter)
    else { return nil }
    return arguments(call)[index]
  }

  /// The arguments of a call for a parameter that takes any number of them; nil where the call
  /// doesn't fit.
  package func arguments(
    of call: Ref, for parameter: Int, of function: FunctionDeclaration
  ) -> [Ref]? {
    matching(function, call).map { matched in
      zip(arguments(call), matched).filter { $0.1 == parameter }.map(\.0)
    }
  }

  /// The one method of that name in the sources, for a call on a closure's argument whose type isn't
  /// told, if the name says more than one word; or for a call that hands a context over by a label.
  func onlyMethod(_ name: Name, _ call: Ref) -> FunctionID? {
    guard let node = calledNode(call), let chain = parent(call),
      case let begin = children(chain, atMost: 2),
      begin.count == 2 && begin[1] == node && isClosureArgument(begin[0])
        && nameText(node).camelWords.count > 1
        || arguments(call).contains(where: { label($0) != .none && isContext(type(of: $0)) })
    else { return nil }
    let all = functions(named: name)
    guard all.count == 1, functions[all[0]].owner != nil, !functions[all[0]].isStatic else {
      return nil
    }
    return overloads(all, call).first
  }

  private func isClosureArgument(_ name: Ref) -> Bool {
    switch declared(name) {
    case .closureArgument: true
    case .local(let local) where kind(local) == .parameter:
      parent(local).flatMap { parent($0) }.map { kind($0) == .closure } ?? false
    default: false
    }
  }
}

/// Whether the sources call Dispatch as only Swift before 3 did.
private struct IsBeforeSwift3: Query {
  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    !program.files(usingAny: Words.firstQueues).isEmpty
  }
}
