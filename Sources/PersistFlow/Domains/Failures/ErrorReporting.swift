import PersistIndex
import PersistSyntax

// MARK: - Telling people and asking them

extension Program {
  /// Whether an alert that a person answers comes on each way to a node on a failure path.
  package func alertsUser(before node: Ref, on path: FailurePath) -> Bool {
    Order(program: self).surely(path.nodes.flatMap { alerts(in: $0) }, before: node)
      || alertsUser(beforeEndIn: node)
  }

  private func alerts(in code: Ref) -> [Event] {
    events(in: code) { Words.waitingAlerts.contains(calledName($0)) }
  }

  /// Whether an alert that a person answers comes on each way to where the functions that a call
  /// names end the process.
  private func alertsUser(beforeEndIn call: Ref) -> Bool {
    let bodies = functions(calledBy: call).compactMap { body(of: $0) }
    return !bodies.isEmpty
      && bodies.allSatisfy { body in
        let alerts = alerts(in: body)
        let ends = nodesRun(in: body).filter { kind($0) == .call && isProcessEnd($0) }
        return !ends.isEmpty && ends.allSatisfy { Order(program: self).surely(alerts, before: $0) }
      }
  }

  /// Whether the statements of a failure path set a state or show something, so that the user
  /// learns of it.
  package func notifiesUser(on path: FailurePath) -> Bool {
    notifiesUser(in: path.nodes)
  }

  /// Whether some statements set a state or show something, so that the user learns of it.
  package func notifiesUser(in statements: [Ref]) -> Bool {
    statements.contains { root in
      nodesRun(in: root).contains { node in
        switch kind(node) {
        case .expression: setsState(node)
        case .returnStatement: returnsFlag(node) || returnsError(node) || returnsOtherCase(node)
        case .call: tells(node)
        default: false
        }
      }
    }
  }

  /// Whether a call shows something, or lets others know of a failure; a line of a log and the end
  /// of the process tell nobody, whatever their names say.
  private func tells(_ call: Ref) -> Bool {
    let words = calledText(call).camelWords
    if words.contains(where: { Words.showingWords.contains($0) }) { return true }
    if calledName(call) == "post", let chain = parent(call) {
      return self.words(in: chain).contains {
        Words.reportingWords.contains($0) || Words.failureWords.contains($0)
      }
    }
    return words.contains { Words.reportingWords.contains($0) } && !logsOnly(call)
      && !isProcessEnd(call) && calledName(call) != "assertionFailure" && !isReturned(call)
  }

  /// Whether what a call gives back is what a `return` hands out: `return fallback()`.
  private func isReturned(_ call: Ref) -> Bool {
    parent(call).flatMap { parent($0) }.flatMap { parent($0) }.map {
      kind($0) == .returnStatement
    } ?? false
  }

  /// Whether what a call names says log; an error or a warning may be one that is shown.
  private func logsOnly(_ call: Ref) -> Bool {
    logs(call, besides: Words.levelWords)
  }

  /// Whether what a call names says log, by other words than some. A type that is named for errors
  /// says nothing: `StoreError.broken(…)`.
  private func logs(_ call: Ref, besides shown: Set<String> = []) -> Bool {
    callee(call).contains { part in
      let text = nameText(part)
      let isType = text.first?.isUppercase ?? false
      return [.name, .member].contains(kind(part))
        && text.camelWords.contains { word in
          Words.loggingWords.contains(word) && !shown.contains(word)
            && !(isType && Words.levelWords.contains(word))
        }
    }
  }

  /// Whether a `return` hands `true` out behind something else: `(container, isTemporary: true)`.
  private func returnsFlag(_ statement: Ref) -> Bool {
    guard let value = child(statement, .expression), let chain = child(value, .chain),
      let last = children(chain).last
    else { return false }
    switch kind(last) {
    case .tuple: break
    case .call:
      guard case .initializer = callTarget(last) else { return false }
    default: return false
    }
    let given = children(last, .argument)
    return given.count > 1
      && given.last.flatMap { child($0, .expression) }
        .flatMap { booleanLiteral($0) } == true
  }

  /// Whether a `return` hands out another case beside its value than the one of success:
  /// `(container, .localOnly)`.
  private func returnsOtherCase(_ statement: Ref) -> Bool {
    guard let own = returnedCase(statement), let body = outermostBody(statement) else {
      return false
    }
    return descendants(body, .returnStatement).contains { other in
      returnedCase(other).map { $0 != own } ?? false
    }
  }

  /// The case that stands last in the tuple of a `return`, or in what makes an instance.
  private func returnedCase(_ statement: Ref) -> Name? {
    let chain = child(statement, .expression).flatMap { child($0, .chain) }
    let whole = chain.flatMap { chain in
      child(chain, .tuple)
        ?? children(chain, .call).last.flatMap { call in
          if case .initializer = callTarget(call) { call } else { nil }
        }
    }
    return whole.flatMap { children($0).last }.flatMap { child($0, .expression) ?? $0 }
      .flatMap { child($0, .chain) }.flatMap { child($0, .implicitMember) }.map { name($0) }
  }

  /// Whether a `return` hands the caught error out, or what was made of it, beside something else.
  private func returnsError(_ statement: Ref) -> Bool {
    guard let value = child(statement, .expression) else { return false }
    let parts = children(value).flatMap { part in
      kind(part) == .tuple ? children(part) : children(part, .call).flatMap { children($0) }
    }.filter { [.argument, .expression].contains(kind($0)) }
    return parts.count > 1 && parts.contains { holdsError($0) }
  }

  private func holdsError(_ value: Ref) -> Bool {
    Reach(from: value) { value in
      self.descendants(value, .name).compactMap { name in
        if case .local? = self.declared(name) { self.fixedValue(of: name) } else { nil }
      }
    }.contains { descendants($0, .name).contains { nameText($0) == "error" } }
  }

  /// An assignment of a flag, an error or a case to something that outlives the path.
  func setsState(_ expression: Ref) -> Bool {
    guard let assignment = assignment(expression), let last = assignment.right.last,
      let target = children(assignment.target).last
    else { return false }
    let says = nameText(target).camelWords.contains { Words.reportingWords.contains($0) }
    return booleanLiteral(last) == true || spells(["error"], last)
      || child(last, .implicitMember) != nil || says
  }

  /// Whether a person asked for work on a store: by what leads to it, or by an answer to an alert.
  package func isAskedFor(_ work: StoreFileWork) -> Bool {
    isAskedFor(work.site) || work.calls.contains { isAnswered($0) }
  }

  /// Whether a node runs only when the user gave an answer in an alert.
  private func isAnswered(_ node: Ref) -> Bool {
    conditions.surely(before: node) { part in
      part.looks.contains { look in
        guard case .name(let call) = look else { return false }
        return kind(call) == .call && Words.waitingAlerts.contains(calledName(call))
      }
    }
  }
}

// MARK: - What is left of a failure

extension Program {
  /// Whether the error itself is logged, kept or thrown on by a failure path.
  package func preservesError(_ path: FailurePath) -> Bool {
    nodes(on: path).contains { kind($0) == .throwStatement } || usesError(on: path)
  }

  /// Whether a failure path writes something to a log.
  package func hasLogLine(on path: FailurePath) -> Bool {
    nodes(on: path).contains { kind($0) == .call && logs($0) }
  }

  /// Whether a failure path logs, keeps or shows what failed, whatever it throws on.
  package func reportsFailure(_ path: FailurePath) -> Bool {
    hasLogLine(on: path) || usesError(on: path)
      || nodes(on: path).contains { node in
        guard kind(node) == .expression, setsState(node) else { return false }
        return assignment(node).flatMap { local(setBy: $0) }.map { isLookedAt($0) } ?? true
      }
  }

  /// Whether a failure path does something with the error besides throwing it on.
  private func usesError(on path: FailurePath) -> Bool {
    let errors = errorNames(of: path)
    return path.nodes.contains { root in
      kind(root) != .throwStatement
        && descendants(root, .name).contains { name in
          errors.contains(self.name(name)) && !isBoundAnew(name, on: path) && isUsed(name)
        }
    }
  }

  /// What runs on a failure path on account of that failure: what an inner `catch` does is on
  /// account of another one.
  private func nodes(on path: FailurePath) -> [Ref] {
    path.nodes.flatMap { root in
      nodesRun(in: root).filter { node in
        !ancestors(node).prefix { $0 != root }.contains { kind($0) == .catchClause }
      }
    }
  }

  /// Whether a name means something that the path itself declares, such as the error of an inner
  /// `catch`.
  private func isBoundAnew(_ name: Ref, on path: FailurePath) -> Bool {
    guard case .local(let local)? = declared(name) else { return false }
    return path.nodes.contains { contains($0, local) }
  }

  /// The names that the failure has on its path.
  private func errorNames(of path: FailurePath) -> Set<Name> {
    var names: Set<Name> = ["error"]
    // What stands behind `??` or `?` has no name for what failed.
    guard kind(path.head) != .expression else { return names }
    let binders = descendants(path.head, .boundName).filter { bound in
      !path.nodes.contains { contains($0, bound) }
    }
    // A `catch` that names its error has no other one.
    if path.clause != nil, !binders.isEmpty { names = [] }
    for binder in binders { names.insert(name(binder)) }
    for compared in namesComparedWithNil(in: path.head) { names.insert(name(compared)) }
    return names
  }

  /// The names that the conditions of a statement compare with nil: those that hold the error.
  private func namesComparedWithNil(in head: Ref) -> [Ref] {
    guard [.ifStatement, .guardStatement].contains(kind(head)) else { return [] }
    return children(head, .expression).compactMap { condition in
      let parts = children(condition)
      guard parts.count == 3, isNil(parts[2]), children(parts[0]).count == 1 else {
        return nil
      }
      return child(parts[0], .name)
    }
  }
}

// MARK: - From disk to memory

extension Program {
  /// The uses on a failure path of functions and properties that open a store in memory.
  package func memoryFallbacks(on path: FailurePath) -> [Ref] {
    guard !storeFlow.opening(of: path).isInMemory else { return [] }
    return path.nodes.flatMap { nodesRun(in: $0) }.filter { node in
      switch kind(node) {
      case .name, .member, .implicitMember:
        guard let id = property(usedBy: node) else { return false }
        let property = properties[id]
        guard let value = property.initializer ?? property.accessors else { return false }
        return makesMemoryStore(Ref(file: Int(property.ref.file), node: value))
      case .call: return mayOpen(node) && opensInMemory(node)
      default: return false
      }
    }
  }

  /// Whether a call may run code of the sources that opens a store in memory.
  private func mayOpen(_ call: Ref) -> Bool {
    // The closures that are handed over are looked at themselves.
    guard parameter(calledBy: call) == nil else { return false }
    let openers = once(evenInQueries: true) { Openers($0) }
    return functions(calledBy: call).contains { openers.functions.contains($0) }
  }

  /// Whether a body has nothing but openings in memory that let no failure out.
  package func makesMemoryStore(_ body: Ref) -> Bool {
    let opened = descendants(body, .call).filter { opensStore($0) }
    return !opened.isEmpty && opened.allSatisfy { opensInMemory($0) }
  }

  private func opensStore(_ call: Ref) -> Bool {
    if Words.openingTypes[calledName(call)] != nil { return true }
    return functions(calledBy: call).contains { storeFlow.openingFunctions.contains($0) }
  }

  /// The innermost failure path, of a store on disk, that an opening in memory stands on.
  package func failurePathToMemory(_ site: Ref) -> FailurePath? {
    // A closure that is handed over is on the path itself.
    if let (_, parameter) = parameter(calledBy: site), calls(ofClosure: .local(parameter)) == [site]
    {
      return nil
    }
    guard let path = storeFlow.innermostPath(at: site) else { return storeFlow.fallback(at: site) }
    return storeFlow.opening(of: path).isInMemory ? nil : path
  }

  /// The `if` by which the launch goes on with a store in memory after crashes, where the function
  /// opens the store on disk otherwise.
  package func safeMode(around site: Ref) -> Ref? {
    guard let function = enclosingFunction(site) else { return nil }
    let statement = ancestors(site).first { parent in
      kind(parent) == .ifStatement
        && children(parent).contains { condition in
          kind(condition) == .expression
            && descendants(condition, .name).contains {
              !nameText($0).camelWords.filter { $0.hasPrefix("crash") }.isEmpty
            }
        }
    }
    guard let statement, let block = child(statement, .block), contains(block, site),
      storeFlow.openings.contains(where: {
        !$0.isInMemory && enclosingFunction($0.site) == function
      })
    else { return nil }
    return statement
  }
}

/// The functions that may open a store in memory, or call what does.
private final class Openers {
  private(set) var functions: Set<FunctionID> = []

  init(_ program: Program) {
    var waiting = program.frameworkOpenings().map(\.call).filter { program.mayOpenInMemory($0) }
    while let call = waiting.popLast() {
      guard let id = program.enclosingFunction(call), functions.insert(id).inserted else {
        continue
      }
      waiting += program.callers(of: id)
    }
  }
}
