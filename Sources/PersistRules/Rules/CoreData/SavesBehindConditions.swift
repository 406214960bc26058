import PersistIndex
import PersistSyntax

/// A save of one context that waits for changes of another.
struct SaveBehindCondition {
  /// The `save` of the context that may have changes of its own.
  let save: Ref
  /// What that context is called there.
  let context: String
  /// The `hasChanges` of the other one.
  let condition: Ref
  let other: String
  /// A change of the context, by code that then calls the function of the save.
  let change: Ref
}

extension Program {
  /// The saves that stand behind `hasChanges` of another context, which is no child of theirs, in
  /// functions that code calls after it has changed something of theirs.
  var savesBehindConditions: [SaveBehindCondition] {
    uses(of: ["hasChanges"]).compactMap { use -> SaveBehindCondition? in
      guard !isExempt(use), kind(use) == .member, let chain = parent(use),
        let statement = ifStatement(askingOnly: chain), let block = child(statement, .block),
        let function = enclosingFunction(use), let body = body(of: function),
        case let asked = fromCallers(contextExecutors(ofChain: chain, upTo: use)),
        saves(in: block).contains(where: { $0.executors == asked }), !isChild(asked)
      else { return nil }
      let apart = saves(in: block).first { areApart($0.executors, asked) }
      guard let apart, let called = calledNode(apart.call), let receiver = parent(called),
        !saves(in: body).contains(where: {
          $0.executors == apart.executors && !contains(block, $0.call)
        }), let change = change(of: apart.executors, before: function)
      else { return nil }
      return SaveBehindCondition(
        save: called, context: name(ofContextIn: receiver), condition: use,
        other: name(ofContextIn: chain), change: change)
    }
  }

  /// The `if` whose condition is nothing but a chain.
  private func ifStatement(askingOnly chain: Ref) -> Ref? {
    guard let condition = parent(chain), children(condition) == [chain],
      let statement = parent(condition), kind(statement) == .ifStatement,
      children(statement).first == condition,
      children(statement).filter({ kind($0) == .expression }).count == 1
    else { return nil }
    return statement
  }

  private func saves(in code: Ref) -> [(call: Ref, executors: ContextExecutors)] {
    descendants(code, .call).compactMap { call in
      guard calledName(call) == "save", let called = calledNode(call), kind(called) == .member,
        let chain = parent(call), isContext(type(ofChain: chain, upTo: called))
      else { return nil }
      let executors = fromCallers(contextExecutors(ofChain: chain, upTo: called))
      return executors.only == nil ? nil : (call, executors)
    }
  }

  /// Whether a context has another one for its parent, which gets what it saves.
  private func isChild(_ context: ContextExecutors) -> Bool {
    uses(of: ["parent", "parentContext"]).contains { use in
      guard isAssignmentTarget(use), kind(use) == .member, let chain = parent(use),
        isContext(type(ofChain: chain, upTo: use))
      else { return false }
      return !areApart(fromCallers(contextExecutors(ofChain: chain, upTo: use)), context)
    }
  }

  private func name(ofContextIn chain: Ref) -> String {
    let before = children(chain).filter { [.name, .member].contains(kind($0)) }.dropLast()
    return before.last.map { nameText($0) } ?? "the context"
  }

  /// A change of a context's objects by a function that then calls another one.
  private func change(of context: ContextExecutors, before function: FunctionID) -> Ref? {
    callers(of: function).lazy.filter { !self.isExempt($0) }.compactMap { call -> Ref? in
      let code =
        self.ancestors(call).first { self.kind($0) == .closure }
        ?? self.enclosingFunctionBody(call)
      guard let code else { return nil }
      return self.descendants(code, .chain).lazy.filter { $0 < call }
        .compactMap { self.change(by: $0, of: context) }.first
    }.first
  }

  private func change(by chain: Ref, of context: ContextExecutors) -> Ref? {
    for part in children(chain) {
      switch kind(part) {
      case .member where ["delete", "insert"].contains(nameText(part)):
        if isContext(type(ofChain: chain, upTo: part)),
          fromCallers(contextExecutors(ofChain: chain, upTo: part)) == context
        {
          return part
        }
      case .member where isAssignmentTarget(part):
        if managedModel(in: type(ofChain: chain, upTo: part)) != nil,
          fromCallers(contextExecutors(ofChain: chain, upTo: part)) == context
        {
          return part
        }
      case .call:
        guard case .initializer(let type, _) = callTarget(part), isManagedClass(type),
          let given = argument(part, "context")
        else { continue }
        if fromCallers(contextExecutors(of: given)) == context { return part }
      default: break
      }
    }
    return nil
  }
}
