import PersistIndex
import PersistSyntax

/// A deletion of a store that runs although the store could not be brought to another place.
package struct TransferDeletion: Sendable {
  package let work: StoreFileWork
  /// The call that brings the store to another place.
  package let transfer: StoreOpening
}

// MARK: - Stores that go to another place

extension Program {
  /// The calls that bring a store to another place, in source order.
  var storeTransfers: [Ref] {
    Words.transfers.flatMap { calls(named: $0) }.filter { call in
      guard !isExempt(call), let work = fileWork(by: call), work.kind != .deletion else {
        return false
      }
      return work.isWhole || work.takesStore
        || takesFormerStore(work) && !targets(of: call).contains { $0.saysOther }
    }.sorted()
  }

  /// The calls that make a store ready to be opened, in source order: what brings it to another
  /// place, reads its metadata, or migrates it by hand.
  var storePreparations: [Ref] {
    let migrations = Words.migrationSteps.flatMap { calls(named: $0) }.filter { call in
      guard !isExempt(call) else { return false }
      switch callTarget(call) {
      case .externalMethod, .unknownMethod: return true
      default: return false
      }
    }
    return Set(storeTransfers + migrations).sorted()
  }

  /// The calls that ask whether a store fits a model, in source order.
  var compatibilityQuestions: [Ref] {
    calls(named: Words.compatibility).filter { argument($0, "compatibleWithStoreMetadata") != nil }
      .sorted()
  }

  /// The deletions of stores on the failure paths of bringing a store to another place, those of
  /// what the failed attempt has made left out.
  package var deletionsAfterTransfer: [TransferDeletion] {
    let flow = transferFlow
    var found: [TransferDeletion] = []
    for path in flow.paths {
      let transfer = flow.opening(of: path)
      found += deletions(in: path.nodes, after: transfer, isSure: true)
      if path.kind == .handler, let statement = parent(path.head),
        let body = child(path.head, .block), !alwaysLeaves(body)
      {
        found += deletions(in: rest(after: statement), after: transfer, isSure: false)
      }
    }
    for ignored in flow.ignored {
      guard let statement = parent(ignored.mark) else { continue }
      found += deletions(
        in: rest(after: statement), after: flow.openings[ignored.opening], isSure: false)
    }
    return found
  }

  /// The deletions of stores in some statements; `isSure` says that these run on failure alone.
  private func deletions(in nodes: [Ref], after transfer: StoreOpening, isSure: Bool)
    -> [TransferDeletion]
  {
    nodes.flatMap { node in
      fileWork(in: node).filter { work in
        work.kind == .deletion && (work.takesStore || takesFormerStore(work))
          && !isExempt(work.site) && storeFlow.innermostPath(at: work.site) == nil
          && isSource(work, of: transfer.root)
          && (isSure || isUnconditional(work.site, in: node)) && !isRefilled(work, transfer)
      }.map { TransferDeletion(work: $0, transfer: transfer) }
    }
  }

  /// Whether work takes a store that is named for being the one of before, as a transfer's source
  /// is.
  private func takesFormerStore(_ work: StoreFileWork) -> Bool {
    let namesStore = work.files.contains { $0.namesStoreFile }
    return namesStore && words(in: work.call).contains { Words.formerWords.contains($0) }
  }

  /// Whether work takes the store that a transfer brings away, and not the one that it makes.
  private func isSource(_ work: StoreFileWork, of transfer: Ref) -> Bool {
    let (source, target) = ends(of: transfer)
    let own = named(in: work.site)
    let isOfSource = source.map { !named(in: $0).isDisjoint(with: own) } ?? false
    let isOfTarget = target.map { !named(in: $0).isDisjoint(with: own) } ?? false
    if isOfSource != isOfTarget { return isOfSource }
    if takes(work, targets(of: transfer)) { return false }
    guard let moved = fileWork(by: transfer), Words.fileWork[calledName(transfer)] != nil else {
      return true
    }
    return takes(work, moved.files)
  }

  /// The arguments of a transfer that say from where and to where.
  private func ends(of transfer: Ref) -> (source: Ref?, target: Ref?) {
    let list = children(transfer, .argument)
    guard calledName(transfer) != "replacePersistentStore" else {
      return (list.first { label($0) == "withPersistentStoreFrom" }, list.first)
    }
    let to = list.first { ["to", "toPath", "toDestinationURL"].contains(label($0)) }
    return (list.first, to ?? list.dropFirst().first)
  }

  /// The locals and properties that an expression or the arguments of a call name.
  private func named(in ref: Ref) -> Set<Declared> {
    Set(
      descendants(ref, .name).compactMap { declared($0) }.filter { value in
        switch value {
        case .local, .property: true
        default: false
        }
      })
  }

  /// Whether a node runs whenever a statement does, the question whether a file is there aside.
  private func isUnconditional(_ node: Ref, in statement: Ref) -> Bool {
    conditions.runs(node, whenever: statement) { part in
      part.step.operation == .call && part.step.name == Frameworks.fileQuestion
    }
  }

  /// Whether something else is brought to the place of a deleted store, as an import does.
  private func isRefilled(_ work: StoreFileWork, _ transfer: StoreOpening) -> Bool {
    guard let body = enclosingBody(work.site) else { return false }
    return fileWork(in: body).contains { other in
      other.kind != .deletion && other.call != transfer.root && takes(work, targets(of: other.call))
    }
  }
}
