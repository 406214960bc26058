import PersistIndex
import PersistSyntax

// MARK: - Where observers of notifications run

extension Run {
  /// Notes on which queue a notification is posted.
  func notePost(_ operands: Operands) {
    guard let name = notification(operands.value(.labelled("name"))) else { return }
    let queue: OriginsID =
      switch key.executor {
      case .main: solver.table.one(.queue(.main))
      case .background, .pool: solver.table.one(.queue(.global))
      case .queue(let site): solver.table.one(.queue(.made(site)))
      default: OriginTable.unknown
      }
    write(queue, to: .posts(name))
    let object = operands.value(.labelled("object")) ?? OriginTable.null
    let info = operands.value(.labelled("userInfo")) ?? OriginTable.null
    guard solver.leadsToOwner(object) || solver.leadsToOwner(info) else { return }
    solver.hasPosted = true
    write(solver.table.one(.tuple([object, info], ["object", "userInfo"])), to: .posted(name))
  }

  /// What a notification brings along that an observer is told of.
  func posted(to operands: Operands) -> OriginsID {
    let given = operands.value(.labelled("name")) ?? operands.value(.labelled("forName"))
    return notification(given).map { solver.table.opened(read(.posted($0))) } ?? OriginTable.unknown
  }

  /// Notes that a context with a queue of its own is saved, and tells observers so there.
  func noteSave(of contexts: OriginsID) {
    let areOwn = solver.table.members(contexts).contains { origin in
      if case .owner(let owner) = origin {
        owner.framework == .coreData && owner.home == .own
      } else {
        false
      }
    }
    guard areOwn, !solver.table[contexts].isOpen else { return }
    write(solver.table.one(.queue(.global)), to: .posts(Frameworks.saving))
  }

  /// Whether an observer looks whose notification it is, so that it may know where it runs.
  private func asksForPoster(_ operands: Operands) -> Bool {
    operands.arguments.contains { argument in
      solver.table.members(argument.value).contains { origin in
        let code: BodyID?
        switch origin {
        case .closure(let body, _): code = body
        case .function(let function, _): code = facts.body(of: function)
        default: code = nil
        }
        return code.map { code in
          solver.bodies[code].steps.contains {
            $0.name == Frameworks.poster || Frameworks.threadQuestions.contains($0.name)
          }
        } ?? false
      }
    }
  }

  /// Where an observer runs: on the queue that it asked for, or where the notification is posted.
  func executors(ofNotification operands: Operands) -> [Executor] {
    if let queue = operands.value(.labelled("queue")), queue != OriginTable.null {
      return executors(ofQueue: queue)
    }
    let given = operands.value(.labelled("name")) ?? operands.value(.labelled("forName"))
    guard let name = notification(given) else { return [.unknown] }
    if Frameworks.notificationsOfStores.contains(name) { return [.background] }
    if Frameworks.notificationsOfApps.contains(name) { return [.main] }
    if Frameworks.notificationsOfContexts.contains(name) {
      let context = operands.value(.labelled("object")) ?? OriginTable.null
      guard context == OriginTable.null else {
        // A context that nothing saves tells nobody.
        let saved = Set(solver.table.members(read(.saves)))
        let telling = solver.table.members(context).filter { saved.contains($0) }
        solver.hasObservers = true
        return telling.count == solver.table.members(context).count
          ? executors(ofOwner: context) : [.unknown]
      }
      // Each context posts it where it is saved.
      guard read(.posts(Frameworks.saving)) != OriginTable.nothing, !asksForPoster(operands) else {
        return [.unknown]
      }
      return [.unknown, .background]
    }
    solver.hasObservers = true
    // Where it is posted in several places, an app may well mean each observer to cope with it.
    let posts = read(.posts(name))
    return solver.table[posts].isOne ? executors(ofQueue: posts) : [.unknown]
  }

  /// The name of a notification: the member of `Notification.Name`, however it is spelled.
  private func notification(_ set: OriginsID?) -> Name? {
    guard let set, !solver.table[set].isOpen || solver.table[set].known.count == 1,
      let origin = solver.table.members(set).first
    else { return nil }
    if case .enumCase(let name, _) = origin { return name }
    return nil
  }
}
