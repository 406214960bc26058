import PersistIndex
import PersistSyntax

// MARK: - What gives other code time while a function waits

/// The calls that decide whether an `await` takes time.
private enum Suspension {
  static let groups: Set<Name> = [
    "withDiscardingTaskGroup", "withTaskGroup", "withThrowingDiscardingTaskGroup",
    "withThrowingTaskGroup",
  ]
  /// Calls from elsewhere that wait for the process itself.
  static let quickCalls: Set<Name> = [
    "yield", "run", "perform", "save", "fetch", "withTaskGroup", "withThrowingTaskGroup",
    "withDiscardingTaskGroup", "checkCancellation", "print", "String", "map", "filter",
  ]
}

extension Program {
  /// Whether the awaited part of an expression gives other code the time to delete objects: it
  /// leaves the process, or nothing is known of it.
  func waits(_ part: Ref) -> Bool {
    let home = isolation(at: part).isActor
    let all = descendants(part, .call)
    if all.contains(where: { Suspension.groups.contains(calledName($0)) }) {
      return all.contains { leaves($0, fromActor: home) }
    }
    let calls = all.filter { call in
      !ancestors(call).prefix { $0 != part }.contains {
        kind($0) == .closure && !runsInPlace($0)
      }
    }
    if calls.isEmpty { return kind(part) == .chain && isAsyncLet(part) }
    return calls.contains { leaves($0, fromActor: home) }
  }

  private func isAsyncLet(_ chain: Ref) -> Bool {
    guard let first = children(chain).first,
      case .local(let local)? = declared(first), let binding = parent(local),
      let value = child(binding, .expression)
    else { return false }
    return descendants(value, .call).contains {
      leaves($0, fromActor: isolation(at: chain).isActor, isAwaitedLater: true)
    }
  }

  /// Whether a call, from an actor or not, waits for something outside of the process.
  private func leaves(_ call: Ref, fromActor isIsolated: Bool, isAwaitedLater: Bool = false) -> Bool
  {
    // `.created(at: day)` as an argument makes a value.
    if let named = calledNode(call), kind(named) == .implicitMember { return false }
    switch callTarget(call) {
    case .functions(let candidates):
      return candidates.allSatisfy { requirement in
        let found = answer(Implementations(requirement: requirement))
        return (found.isEmpty ? [requirement] : found).contains {
          functions[$0].isAsync
            && answer(WayOutOfProcess(function: $0, isFromActor: isIsolated))
        }
      }
    case .externalMethod(let receiver, let name):
      return !isContext(receiver) && !Suspension.quickCalls.contains(name)
        && (isAwaitedLater || isAwaited(call))
    case .unknownMethod(let name), .externalFunction(let name):
      return !Suspension.quickCalls.contains(name) && (isAwaitedLater || isAwaited(call))
    default: return false
    }
  }

  /// Whether code asks or changes a store, which takes no time to speak of.
  private func worksOnStore(_ body: Ref) -> Bool {
    descendants(body, .call).contains { call in
      ["fetch", "insert", "delete", "save", "fetchCount"].contains(calledText(call))
        && (isContext(receiverType(ofCall: call))
          || callee(call).contains {
            nameText($0).lowercased().hasSuffix("context")
          })
    }
  }

  /// The functions of the sources that meet a requirement of a protocol.
  fileprivate func implementations(of requirement: FunctionID) -> [FunctionID] {
    let declaration = functions[requirement]
    guard declaration.body == nil, let owner = declaration.owner,
      types[owner].kind == .protocolDecl
    else { return [] }
    return functions(named: declaration.name).filter { candidate in
      guard candidate != requirement, functions[candidate].body != nil,
        let type = functions[candidate].owner
      else { return false }
      return lineage(of: type).contains(owner)
        && !isExempt(functions[candidate].ref)
    }
  }

  /// Whether an async function waits for something outside of the process, or does its work away
  /// from the caller's actor.
  fileprivate func findsWayOut(of function: FunctionID, fromActor isIsolated: Bool) -> Bool {
    guard let body = body(of: function) else { return true }
    let waits = descendants(body, .awaitMark).filter { enclosingFunction($0) == function }
    if waits.isEmpty {
      return isIsolated && !isolation(ofFunction: function).isActor && !worksOnStore(body)
    }
    return waits.contains { mark in
      guard let expression = parent(mark) else { return false }
      return descendants(expression, .call).contains {
        $0 > mark && leaves($0, fromActor: isIsolated)
      }
    }
  }
}

/// Whether an async function waits for something outside of the process.
private struct WayOutOfProcess: Query {
  let function: FunctionID
  let isFromActor: Bool

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    program.findsWayOut(of: function, fromActor: isFromActor)
  }
}

/// The functions of the sources that meet a requirement of a protocol.
private struct Implementations: Query {
  let requirement: FunctionID

  static var provisional: [FunctionID] { [] }
  func answer(in program: Program) -> [FunctionID] { program.implementations(of: requirement) }
}
