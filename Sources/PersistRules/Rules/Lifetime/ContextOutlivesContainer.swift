import PersistIndex
import PersistSyntax

/// A main context whose container is released: the first fetch or save crashes the app.
struct ContextOutlivesContainer: Rule {
  static let id: RuleID = "context-outlives-container"

  func check(_ program: Program, into findings: inout Findings) {
    for member in program.uses(of: ["mainContext"]) where program.kind(member) == .member {
      guard let chain = program.parent(member),
        program.children(chain).last == member, let made = madeHere(chain, member, program),
        !program.opensInMemory(made), isKept(chain, program)
      else { continue }
      findings.report(
        .losesContainer, at: chain,
        related: [
          .init(program.chain(of: made), "this container is released when the function returns")
        ])
    }
  }

  /// The call that makes the container, when nothing else gets hold of it.
  private func madeHere(_ chain: Ref, _ member: Ref, _ program: Program) -> Ref? {
    let parts = program.children(chain)
    guard let first = parts.first, program.kind(first) == .name else { return nil }
    if parts.count == 3, program.kind(parts[1]) == .call { return container(parts[1], program) }
    let before = parts.dropLast().filter {
      ![.optionalChain, .force].contains(program.kind($0))
    }
    guard before.count == 1, case .local(let local)? = program.declared(first),
      let binding = program.parent(local),
      [.binding, .optionalBinding].contains(program.kind(binding)),
      program.property(declaredAt: binding) == nil, let value = program.child(binding, .expression),
      let last = program.chainParts(value)?.last, program.kind(last) == .call,
      let made = container(last, program),
      program.uses(ofLocal: local).allSatisfy({ isOnlyAsked($0, program) })
    else { return nil }
    return made
  }

  private func container(_ call: Ref, _ program: Program) -> Ref? {
    guard program.calledName(call) == "ModelContainer",
      case .externalInitializer = program.callTarget(call)
    else { return nil }
    return call
  }

  /// Whether a use of the container asks it for something and hands it to nobody.
  private func isOnlyAsked(_ use: Ref, _ program: Program) -> Bool {
    guard let chain = program.parent(use), program.children(chain).first == use else {
      return false
    }
    return program.children(chain).contains { program.nameText($0) == "mainContext" }
  }

  /// Whether a value outlives the function: it is returned, or kept in a property.
  private func isKept(_ chain: Ref, _ program: Program) -> Bool {
    guard let expression = program.parent(chain), program.kind(expression) == .expression,
      let holder = program.parent(expression)
    else { return false }
    let parts = program.bareParts(expression)
    if parts == [chain] {
      switch program.kind(holder) {
      case .returnStatement: return true
      case .binding: return program.property(declaredAt: holder) != nil
      default: return false
      }
    }
    guard parts.count == 3, parts[2] == chain, program.isAssignmentSign(parts[1]),
      program.kind(parts[0]) == .chain, let last = program.children(parts[0]).last
    else { return false }
    return program.property(usedBy: last) != nil
  }
}

extension Finding.Message {
  fileprivate static let losesContainer: Self =
    """
    the app crashes at the first fetch or save, because `mainContext` doesn't keep its container \
    alive and nothing else does; keep the container in a property too
    """
}
