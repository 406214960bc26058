import PersistIndex
import PersistSyntax

extension Program {
  /// Whether code never runs, because it stands under a flag that a constant or all callers set the
  /// other way.
  package func isUnreachable(_ node: Ref) -> Bool {
    guard let ways = conditions.ways(to: node), !ways.isEmpty else { return false }
    return ways.allSatisfy { way in way.contains { isNeverMet($0) } }
  }

  private func isNeverMet(_ placed: PlacedCondition) -> Bool {
    guard placed.step.operation != .isNil, isFixed(placed),
      let flag = knownValue(of: placed.node).flag
    else { return false }
    return flag != placed.condition.holds
  }

  /// Whether a condition calls nothing and reads nothing that may change later.
  private func isFixed(_ placed: PlacedCondition) -> Bool {
    let steps = placed.steps()
    return !steps.isEmpty
      && steps.allSatisfy { step in
        let node = placed.body.ref(step)
        switch step.operation {
        case .call: return false
        case .get, .getElement: return property(usedBy: node).map { properties[$0].isLet } ?? false
        case .load, .capture:
          switch declared(node) {
          case .local(let local): return isFixed(local: local)
          case .property(let id): return properties[id].isLet
          case .selfValue, .type: return true
          default: return false
          }
        default: return true
        }
      }
  }

  /// Whether a local is a constant, or a parameter of a function that the sources alone call.
  private func isFixed(local: Ref) -> Bool {
    guard kind(local) == .parameter else { return kind(local) == .boundName && !isVariable(local) }
    guard let list = parent(local), let declaration = parent(list),
      let function = function(declaredAt: declaration),
      functions[function].modifiers.allSatisfy({ !["public", "open"].contains($0) })
    else { return false }
    return callers(of: function).contains { enclosingFunction($0) != function }
  }
}
