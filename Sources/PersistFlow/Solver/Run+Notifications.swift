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
  }

  /// Where an observer runs: on the queue that it asked for, or where the notification is posted.
  func executors(ofNotification operands: Operands) -> [Executor] {
    if let queue = operands.value(.labelled("queue")), queue != OriginTable.null {
      return executors(ofQueue: queue)
    }
    let given = operands.value(.labelled("name")) ?? operands.value(.labelled("forName"))
    guard let name = notification(given) else { return [.unknown] }
    if Frameworks.notificationsOfStores.contains(name) { return [.background] }
    if Frameworks.notificationsOfContexts.contains(name) {
      let context = operands.value(.labelled("object")) ?? OriginTable.null
      guard context != OriginTable.null else { return [.unknown] }
      // A context that nothing saves tells nobody.
      let saved = Set(solver.table.members(read(.saves)))
      let telling = solver.table.members(context).filter { saved.contains($0) }
      solver.hasObservers = true
      return telling.count == solver.table.members(context).count
        ? executors(ofOwner: context) : [.unknown]
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
