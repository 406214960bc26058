import PersistFlow
import PersistIndex

/// The main thread waits for work that only the main thread can do: the app hangs.
struct MainThreadWaitsForContext: Rule {
  static let id: RuleID = "main-thread-waits-for-context"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    for wait in program.facts.mainWaits {
      let place = program.calledNode(wait.call) ?? wait.call
      var related: [Findings.Related] = []
      switch wait.cause {
      case .mainQueue: break
      case .mainBehind(let call):
        related.append(.init(program.calledNode(call) ?? call, "main waits here meanwhile"))
      case .signal(let call):
        related.append(
          .init(program.calledNode(call) ?? call, "this signal needs the main thread"))
      }
      findings.report(
        .hangs(wait.cause, program.nameText(place)), at: place, related: related)
    }
  }
}

extension Finding.Message {
  fileprivate static func hangs(_ cause: MainWait.Cause, _ name: String) -> Self {
    switch cause {
    case .mainQueue:
      "the app hangs here, because this code runs on the main thread and `\(name)` waits for it; call the closure directly"
    case .mainBehind:
      "the app hangs here, because the main thread waits for this code while `\(name)` waits for the main thread; use `async`, or don't wait on main"
    case .signal:
      "the app hangs here, because the main thread waits for what only runs on the main thread; use a completion or `await` instead of `\(name)`"
    }
  }
}
