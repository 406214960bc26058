import PersistIndex
import PersistSyntax

// MARK: - Lists that grow and shrink

extension FailedLists {
  /// What a call leaves of a list: one that grows lacks still what could not be had.
  func receiverAfter(
    _ step: Instruction, _ run: LocalRun<FailedLists>
  ) -> Completeness {
    guard let site = site(of: step, run) else { return .other }
    let list = run.mark(site.receiver)
    if Frameworks.removing.contains(site.name) {
      return reduced(list, by: run.marks(of: site)[...])
    }
    guard Frameworks.growingMethods.contains(site.name) else {
      return list.source == nil || site.name == Frameworks.emptying ? .other : list
    }
    return grown(list, by: site.arguments.map(\.value), step, run)
  }

  /// What stays of a list when what another list has, or an element of that, is taken out.
  func reduced(
    _ list: Completeness, by marks: ArraySlice<Completeness>
  ) -> Completeness {
    guard list != .nothing, let taken = marks.first?.source, taken != list.source else {
      return list.source == nil ? .other : list
    }
    return .leftovers(taken)
  }

  /// What a call leaves of a list that it may change.
  func argumentAfter(
    _ step: Instruction, _ run: LocalRun<FailedLists>
  ) -> Completeness {
    guard let site = site(of: step, run), site.arguments.indices.contains(Int(step.index)) else {
      return .other
    }
    var values = site.arguments.map(\.value)
    let list = run.mark(values.remove(at: Int(step.index)))
    return grown(list, by: values, step, run)
  }

  private func site(of step: Instruction, _ run: LocalRun<FailedLists>) -> CallSite? {
    let call = run.body.operands(of: step).first.map { run.body.steps[Int($0)] }
    guard let call, call.operation == .call else { return nil }
    return run.body.calls[Int(call.index)]
  }

  func grown(
    _ list: Completeness, by values: [Value], _ step: Instruction, _ run: LocalRun<FailedLists>
  ) -> Completeness {
    let marks = values.map { run.mark($0) }
    // What is chosen because another list lacks it, and what is left when the elements of that have gone.
    let elements = values.filter { run.mark($0).isElement }
    if let call = elements.lazy.compactMap({ self.lacking(run, $0).first }).first {
      return list == .nothing || list == .leftovers(call) ? .leftovers(call) : .other
    }
    let fresh = marks.contains { if case .part = $0 { true } else { false } }
    // What is added for each element of a list, or only where that isn't empty, is missing where the
    // call has failed, unless the work ends there.
    let added =
      marks.lazy.compactMap(\.source).first ?? self.elements(run).min()
      ?? deciding(run.block, run).filter { !$0.isEmpty && goesOn(behind: $0.other, run) }
      .map(\.call).min()
    switch list {
    case .nothing:
      guard let call = added else { return marks.allSatisfy { $0 == .nothing } ? .nothing : .other }
      return fresh || isAgain(call, step, run) ? .part(call) : .list(call)
    case .list(let call):
      guard let added else { return list }
      return fresh || added != call || isAgain(call, step, run) ? .part(call) : list
    case .part: return list
    default: return .other
    }
  }

  /// Whether a call is made in each round of a loop, while the list that a step changes is older.
  private func isAgain(_ call: Ref, _ step: Instruction, _ run: LocalRun<FailedLists>) -> Bool {
    let body = run.body
    let paths = paths(of: body)
    func isRepeated(_ matches: (Instruction) -> Bool) -> Bool? {
      for (index, block) in body.blocks.enumerated()
      where block.steps.contains(where: { matches(body.steps[Int($0)]) }) {
        return paths.leads(from: Int32(index), to: Int32(index))
      }
      return nil
    }
    let asks = isRepeated { $0.operation == .call && body.ref($0) == call }
    let takes =
      asks
      ?? body.blocks.indices.first { block in
        body.blocks[block].steps.contains {
          body.steps[Int($0)].operation == .call && run.mark($0) == .list(call)
        }
      }.map { paths.leads(from: Int32($0), to: Int32($0)) }
    guard takes ?? false, let local = local(changedBy: step, run) else { return false }
    let isMadeAgain = isRepeated { $0.operation == .store && $0.index == local }
    return !(isMadeAgain ?? false)
  }

  /// The variable that holds the list which a step changes.
  private func local(changedBy step: Instruction, _ run: LocalRun<FailedLists>) -> Int32? {
    var value = run.body.operands(of: step).first ?? -1
    if step.operation != .setElement {
      guard let site = site(of: step, run) else { return nil }
      value =
        step.operation == .receiverAfter ? site.receiver : site.arguments[Int(step.index)].value
    }
    guard value >= 0, run.body.steps[Int(value)].operation == .load else { return nil }
    return run.body.steps[Int(value)].index
  }
}
