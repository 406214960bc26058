import PersistSyntax

// MARK: - Queues

extension Program {
  /// The kind of a queue that is surely not the main one: made here, or by its declaration.
  func backgroundQueue(_ chain: Ref, before called: Ref) -> IsolationCrossing.Kind? {
    let parts = children(chain).filter { $0 < called }
    if let made = queueMade(parts) { return made }
    guard let last = parts.last(where: { kind($0) == .name || kind($0) == .member }),
      let value = declaredValue(last),
      let inner = kind(value) == .chain ? value : child(value, .chain)
    else { return nil }
    return queueMade(children(inner)) ?? queueMade(inClosure: inner)
  }

  private func queueMade(_ parts: [Ref]) -> IsolationCrossing.Kind? {
    guard let first = parts.first, let call = parts.first(where: { kind($0) == .call }) else {
      return nil
    }
    if kind(first) == .implicitMember {
      if name(first) == "init", argument(call, "label") != nil {
        return argument(call, "target") == nil ? .privateQueue : nil
      }
      return name(first) == "global" ? .globalQueue : nil
    }
    guard kind(first) == .name else { return nil }
    if name(first) == "DispatchQueue" {
      if parts.count == 2 { return argument(call, "target") == nil ? .privateQueue : nil }
      return parts.contains { name($0) == "global" } ? .globalQueue : nil
    }
    return name(first) == "OperationQueue" && parts.count == 2 ? .operationQueue : nil
  }

  /// A queue that a closure makes, sets up and returns: `{ let queue = OperationQueue() … }()`.
  private func queueMade(inClosure chain: Ref) -> IsolationCrossing.Kind? {
    let parts = children(chain)
    guard parts.count == 2, kind(parts[0]) == .closure, kind(parts[1]) == .call,
      !descendants(parts[0], .member).contains(where: { name($0) == "underlyingQueue" })
    else { return nil }
    let results = descendants(parts[0], .returnStatement).filter {
      enclosingBody($0) == parts[0]
    }.compactMap { child($0, .expression) }.compactMap { child($0, .chain) }
    guard results.count == 1, let name = children(results[0]).first,
      children(results[0]).count == 1,
      case .local(let local)? = declared(name), let binding = parent(local),
      kind(binding) == .binding, let value = child(binding, .expression),
      let made = child(value, .chain)
    else { return nil }
    return queueMade(children(made))
  }

  /// The initial value of what a name or member stands for.
  func declaredValue(_ part: Ref) -> Ref? {
    let target = kind(part) == .name ? declared(part) : property(usedBy: part).map { .property($0) }
    switch target {
    case .property(let id):
      let file = Int(properties[id].ref.file)
      return properties[id].initializer.map { Ref(file: file, node: $0) } ?? valueGiven(to: id)
    case .local(let local) where kind(local) == .parameter: return usualArgument(local)
    case .local(let local):
      guard kind(local) == .boundName, let binding = parent(local), kind(binding) == .binding else {
        return nil
      }
      return child(binding, .expression)
    default: return nil
    }
  }

  /// The value that the only assignment in an initializer gives to a constant.
  private func valueGiven(to id: PropertyID) -> Ref? {
    guard properties[id].isLet, let owner = properties[id].owner else { return nil }
    let values = types[owner].functions.filter { functions[$0].kind == .initDecl }
      .compactMap { body(of: $0) }.flatMap { assignments(to: properties[id].name, in: $0) }
    guard values.count == 1, let value = values.first else { return nil }
    if children(value).count == 1, let name = children(value).first,
      case .local(let local)? = declared(name), kind(local) == .parameter
    {
      return usualArgument(local)
    }
    return value
  }

  /// The chains on the right sides of the assignments `name = …` and `self.name = …`.
  private func assignments(to name: Name, in body: Ref) -> [Ref] {
    descendants(body, .expression).compactMap { expression in
      guard let assignment = assignment(expression), let value = assignment.value,
        kind(assignment.target) == .chain, kind(value) == .chain
      else { return nil }
      let target = children(assignment.target)
      let isOwn = target.count == 1 || target.count == 2 && nameText(target[0]) == "self"
      return isOwn && target.last.map { self.name($0) } == name ? value : nil
    }
  }

  /// The default of a parameter to which no caller of the sources gives anything else.
  private func usualArgument(_ parameter: Ref) -> Ref? {
    guard let value = child(parameter, .expression), let list = parent(parameter),
      let declaration = parent(list), let id = function(declaredAt: declaration),
      let index = functions[id].parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return nil }
    let isUsual = callers(of: id).allSatisfy { call in
      files[Int(call.file)].isTest || argument(of: call, for: index, of: functions[id]) == nil
    }
    return isUsual ? value : nil
  }
}
