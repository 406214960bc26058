import PersistIndex
import PersistSyntax

// MARK: - Where code runs

extension ProgramFacts {
  /// The executor of a global actor of the sources, which stands for all of its code.
  private func executor(ofGlobalActor name: Name) -> Executor {
    let types = globalActors[name] ?? []
    return types.count == 1 ? .actor(types[0]) : .unknown
  }

  func isolation(at place: Ref) -> Isolation {
    if let known = isolations[place] { return known }
    let found = withoutOwnExecutor(program.isolation(at: place))
    isolations[place] = found
    return found
  }

  /// Code of an actor that says where it runs may run on the queue of a context.
  private func withoutOwnExecutor(_ isolation: Isolation) -> Isolation {
    guard case .actor(let type) = isolation, !program.isModelActor(type),
      member(Frameworks.executorOfActor, of: type) != nil
    else { return isolation }
    return .globalActor(program.types[type].name)
  }

  func isolation(of body: Body) -> Isolation {
    if let known = isolations[body.place] { return known }
    let declared: Isolation =
      switch body.kind {
      case .closure: program.isolation(ofClosure: body.place)
      case .file: .mainActor
      case .initialValue: program.isolation(at: body.place)
      default: program.isolation(ofDeclaration: body.place)
      }
    let found = withoutOwnExecutor(declared)
    isolations[body.place] = found
    return found
  }

  /// Whether code waits for the main actor where it reads a property, which nothing else may read.
  func isReadOnMain(_ property: PropertyID, from executor: Executor) -> Bool {
    guard executor != .main, !executor.isQueue else { return false }
    let declaration = program.properties[property]
    let place = Ref(file: Int(declaration.ref.file), node: declaration.declaration)
    return program.isolation(ofDeclaration: place) == .mainActor
  }

  /// Where code runs that nobody in the sources calls.
  func executor(ofEntry body: Body) -> Executor {
    switch isolation(of: body) {
    case .mainActor: .main
    case .actor where body.kind == .initializer: .unknown
    case .actor(let type): .actor(type)
    case .nonisolated, .concurrent:
      body.isAsync ? .pool : isBackgroundEntry(body) ? .background : .unknown
    case .unknown: isBackgroundEntry(body) ? .background : .unknown
    case .globalActor(let name): executor(ofGlobalActor: name)
    default: .unknown
    }
  }

  /// Where the initial value of a property is made that is asked for first at some time.
  func executor(ofLateValue body: Body) -> Executor {
    hasOwnExecutor(body) ? executor(ofEntry: body) : .unknown
  }

  /// Whether code runs in one place, whoever calls it.
  func hasOwnExecutor(_ body: Body) -> Bool {
    switch isolation(of: body) {
    case .actor: body.kind != .initializer || body.isAsync
    case .mainActor, .globalActor: true
    case .nonisolated, .concurrent: body.isAsync
    default: false
    }
  }

  /// Whether code of the main actor runs where a queue calls it: no `await` leads back to main.
  func followsQueues(_ body: Body) -> Bool { isolation(of: body) == .mainActor && !body.isAsync }

  /// Whether a step looks on which thread the code runs, itself or by a flag of the sources.
  func asksForThread(_ step: Instruction, in body: Body) -> Bool {
    if Frameworks.threadQuestions.contains(step.name) { return true }
    let asked: BodyID?
    switch step.operation {
    case .get:
      guard let id = program.property(usedBy: body.ref(step)), program.properties[id].isComputed,
        program.type(ofProperty: id).isExternal("Bool")
      else { return false }
      asked = getter(of: id)
    case .call:
      guard case .functions(let ids) = target(body.ref(step)), ids.count == 1,
        program.resultType(ids[0]).isExternal("Bool")
      else { return false }
      asked = self.body(of: ids[0])
    default: return false
    }
    return asked.map { id in
      bodies[id].steps.contains { Frameworks.threadQuestions.contains($0.name) }
    } ?? false
  }

  /// Whether a framework calls a method on a thread of its own.
  private func isBackgroundEntry(_ body: Body) -> Bool {
    guard let function = body.function, let owner = body.owner, body.kind == .function else {
      return false
    }
    return externalBases(of: owner).contains {
      Frameworks.backgroundEntries[$0]?.contains(program.functions[function].name) ?? false
    }
  }

  /// Where a function runs that is called from an executor; only `await` leads elsewhere.
  func executor(of body: Body, calledOn caller: Executor, isAwaited: Bool = true) -> Executor {
    switch isolation(of: body) {
    case .mainActor where !isAwaited && !body.isAsync && caller.isQueue: caller
    case .mainActor: body.isAsync || caller == .main || caller == .unknown ? .main : .unknown
    // An actor that is made has no other code yet: its initializer runs where it is called.
    case .actor where body.kind == .initializer && !body.isAsync: caller
    case .actor(let type): .actor(type)
    case .globalActor(let name): executor(ofGlobalActor: name)
    case .nonisolated, .concurrent: body.isAsync ? .pool : caller
    case .contextQueue, .unknown: body.isAsync ? .unknown : caller
    }
  }

  /// Where a task begun at a place runs: on the actor around it, else beside all actors.
  func executor(ofTaskAt place: Ref) -> Executor {
    switch isolation(at: place) {
    case .mainActor: .main
    case .actor(let type): .actor(type)
    case .contextQueue: keepsMain(place) ? .main : .pool
    case .nonisolated, .concurrent: .pool
    case .globalActor(let name): executor(ofGlobalActor: name)
    case .unknown: .unknown
    }
  }

  /// Whether a place inside `perform` stands in code of the main actor: the closure isn't sent, so that
  /// for the compiler it is of the main actor too, and so are its tasks.
  private func keepsMain(_ place: Ref) -> Bool {
    let around = program.ancestors(place).first {
      program.kind($0) == .closure && isolation(at: $0) != .contextQueue
    }
    guard let around else { return false }
    return isolation(at: around) == .mainActor || program.isViewCode(around)
  }

  /// Where a closure says that it runs: `{ @MainActor in … }`.
  func writtenExecutor(_ closure: Ref) -> Executor? {
    for attribute in program.children(closure, .attribute) {
      switch program.name(attribute) {
      case "MainActor": return .main
      case "concurrent": return .pool
      case let name where globalActors[name] != nil: return executor(ofGlobalActor: name)
      default: continue
      }
    }
    return nil
  }

  /// Where a closure runs that goes to code which can't be read.
  func executor(ofEscaping closure: Ref) -> Executor {
    if let written = writtenExecutor(closure) { return written }
    if case .mainActor = program.isolation(ofClosure: closure) { return .main }
    return .unknown
  }

  /// The main actor around a closure, to which whoever awaits the closure goes.
  func awaitedExecutor(_ closure: Ref) -> Executor? {
    isolation(at: closure) == .mainActor ? .main : nil
  }
}

extension Executor {
  /// Whether code runs in a closure of a queue or context, which can't wait for an actor.
  fileprivate var isQueue: Bool {
    switch self {
    case .background, .queue, .owner: true
    default: false
    }
  }
}
