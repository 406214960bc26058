import PersistIndex
import PersistSyntax

// MARK: - What launch runs by itself

extension Program {
  /// Whether the launch of the app comes to a place and waits for nothing but time on the way.
  package func launchRuns(_ place: Ref) -> Bool {
    launchReaches(place, unless: waitsForSomething)
  }

  /// Whether code runs only after something that launch doesn't bring: an answer of the network, a
  /// notification, what a person does, or a call of a closure that is kept. Time comes by itself.
  private func waitsForSomething(_ site: Ref) -> Bool {
    ancestors(site).prefix { ![.functionDecl, .initDecl, .members].contains(kind($0)) }.contains {
      closure in
      guard kind(closure) == .closure, !isCalledAtOnce(closure) else { return false }
      guard let (call, _) = callTaking(closure) else { return time(of: closure) == .muchLater }
      guard case .functions(let called) = callTarget(call) else {
        return !Frameworks.timers.contains(calledName(call)) && time(of: closure) == .muchLater
      }
      return timeAtFunction(taking: closure, call) == .muchLater
        && !called.contains { id in
          body(of: id).map { body in
            subtree(body).contains {
              Frameworks.timers.contains(name(Ref(file: Int(body.file), node: Int($0))))
            }
          } ?? false
        }
    }
  }
}
