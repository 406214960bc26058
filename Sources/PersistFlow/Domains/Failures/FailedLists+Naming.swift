import PersistIndex

// MARK: - Which elements a look-up names

extension FailedLists {
  /// A step of a body that gives an element.
  struct ElementSource: Hashable {
    let operation: Instruction.Operation
    let index: Int32
  }

  /// What a list has for some values.
  func found(
    in list: Completeness, _ values: [Value], _ run: LocalRun<FailedLists>
  ) -> Completeness {
    switch list {
    case .list(let call), .part(let call):
      .found(call, ofElement: values.contains { !sources(of: $0, run).isEmpty })
    default: .other
    }
  }

  /// Whether what decides a condition is asked for an element, or for something of it.
  func isNamed(_ element: Value, by condition: Value, _ run: LocalRun<FailedLists>) -> Bool {
    let (own, named) = (sources(of: element, run), sources(of: condition, run))
    return own.isEmpty ? !named.isEmpty : !own.isDisjoint(with: named)
  }

  /// The elements from which a value follows, by the steps that give them. Where a list comes from
  /// says nothing of what it is asked for.
  func sources(of value: Value, _ run: LocalRun<FailedLists>) -> Set<ElementSource> {
    var found: Set<ElementSource> = []
    var seen: Set<Value> = []
    var pending = [value]
    while let next = pending.popLast() {
      guard next >= 0, seen.insert(next).inserted else { continue }
      let step = run.body.steps[Int(next)]
      switch step.operation {
      case .load: pending += run.body.stored[step.index] ?? []
      case .closure: pending += captured(by: next, run)
      case .call:
        let site = run.body.calls[Int(step.index)]
        pending += site.arguments.map(\.value)
        let gives = run.mark(next).isList && !run.mark(site.receiver).isList
        if !gives { pending.append(site.receiver) }
      default: pending += run.body.operands(of: step)
      }
      guard run.mark(next).isElement else { continue }
      switch step.operation {
      case .next: found.insert(ElementSource(operation: .next, index: next))
      case .parameter, .capture, .selfValue:
        found.insert(ElementSource(operation: step.operation, index: step.index))
      default: continue
      }
    }
    return found
  }

  /// What a closure takes along, the instance only where it uses that.
  private func captured(by value: Value, _ run: LocalRun<FailedLists>) -> ArraySlice<Value> {
    guard value >= 0, case let made = run.body.steps[Int(value)], made.operation == .closure else {
      return []
    }
    let taken = run.body.operands(of: made)
    return flow.bodies[made.index].usesSelf ? taken : taken.dropFirst()
  }
}
