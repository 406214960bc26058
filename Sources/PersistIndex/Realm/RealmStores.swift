import PersistSyntax

// MARK: - Calls of realms, and switches that empty them

extension Program {
  /// The settings by which a realm whose classes changed is deleted, in source order.
  package var destructiveRealms: [Ref] {
    let setting: Name = "deleteRealmIfMigrationNeeded"
    let assigned = uses(of: [setting]).compactMap { node -> Ref? in
      guard let value = assignment(toWhatEndsWith: node)?.value,
        truth(of: value).contains(.isTrue), let chain = parent(node), !isInMemory(assignedBy: chain)
      else { return nil }
      return parent(chain)
    }
    let handed = calls(named: "Configuration", inFilesUsingAny: [setting]).flatMap { call in
      children(call, .argument).filter { argument in
        label(argument) == setting && truth(of: argument).contains(.isTrue)
          && !isRealmInMemory(call)
      }
    }
    return assigned + handed
  }

  /// Whether the configuration that a chain sets is given a name in memory in the same body.
  private func isInMemory(assignedBy chain: Ref) -> Bool {
    guard let head = children(chain).first, children(chain).count == 2,
      case .local(let local)? = declared(head)
    else { return false }
    if let binding = parent(local), let value = child(binding, .expression),
      let made = descendants(value, .call).first, isRealmInMemory(made)
    {
      return true
    }
    return uses(ofLocal: local).contains { use in
      guard let other = parent(use), let last = children(other).last,
        name(last) == "inMemoryIdentifier", let value = assignment(toChain: other)?.value
      else { return false }
      return !isNil(value)
    }
  }
}
