import PersistSyntax

extension Program {
  /// The bodies that code runs: its own and those of the functions that it calls or names; nil when
  /// it calls something untold for which `escapes` holds.
  package func bodiesReached(from body: Ref, escapes: (Ref) -> Bool) -> [Ref]? {
    var bodies = [body]
    var seen: Set<Ref> = [body]
    var next = 0
    while next < bodies.count {
      let current = bodies[next]
      next += 1
      for call in descendants(current, .call) {
        switch callTarget(call) {
        case .unknown, .unknownMethod, .closure:
          if isWordOfProject(call), escapes(call) { return nil }
        default:
          for id in functions(calledBy: call) {
            guard let body = self.body(of: id), seen.insert(body).inserted else { continue }
            bodies.append(body)
          }
        }
      }
      for name in descendants(current, .name) {
        guard case .functions(let ids)? = declared(name) else { continue }
        for id in ids {
          guard let body = self.body(of: id), seen.insert(body).inserted else { continue }
          bodies.append(body)
        }
      }
    }
    return bodies
  }

  /// Whether a call may call something of the sources: a closure, or a function of that name.
  private func isWordOfProject(_ call: Ref) -> Bool {
    if case .closure = callTarget(call) { return true }
    let name = calledName(call)
    return name != .none && !functions(named: name).isEmpty
  }

  /// Whether code says a word, or a project function that it calls does.
  package func mentions(_ word: String, in body: Ref) -> Bool {
    let name = Name(word)
    guard let bodies = bodiesReached(from: body, escapes: { _ in false }) else { return true }
    return bodies.contains { body in
      let outline = outline(body)
      let node = node(body)
      return (Int(node.first)..<Int(node.end)).contains { token in
        switch outline.tokens[token].kind {
        case .identifier, .keyword: outline.name(ofToken: token) == name
        default: false
        }
      }
    }
  }
}
