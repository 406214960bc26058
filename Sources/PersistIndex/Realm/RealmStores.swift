import PersistSyntax

// MARK: - Calls of realms, and switches that empty them

extension Program {
  /// Whether a call is made on a realm.
  package func isRealmCall(_ call: Ref) -> Bool {
    let receiver = receiverType(ofCall: call).unwrapped
    if receiver != .unknown { return receiver.isExternal("Realm") }
    let parts = callee(call).filter { ![.optionalChain, .force].contains(kind($0)) }
    guard parts.count > 1 else { return false }
    return name(parts[parts.count - 2]) == "realm"
  }

  /// The settings by which a realm whose classes changed is deleted, in source order.
  var destructiveRealms: [Ref] {
    let setting: Name = "deleteRealmIfMigrationNeeded"
    let assigned = uses(of: [setting]).compactMap { node -> Ref? in
      guard let chain = parent(node), kind(chain) == .chain, children(chain).last == node,
        let expression = parent(chain), kind(expression) == .expression
      else { return nil }
      let parts = children(expression)
      guard parts.count == 3, parts[0] == chain, name(parts[1]) == "=",
        truth(of: parts[2]).contains(.isTrue), !isInMemory(assignedBy: chain)
      else { return nil }
      return expression
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
      guard let other = parent(use), let expression = parent(other),
        let last = children(other).last, name(last) == "inMemoryIdentifier"
      else { return false }
      let parts = children(expression)
      return parts.count == 3 && parts[0] == other && nameText(parts[1]) == "="
        && text(parts[2]) != "nil"
    }
  }
}

extension Program {
  /// Whether a call finds objects in a realm or makes them there.
  package func isRealmFinder(_ call: Ref) -> Bool {
    Words.realmFinders.contains(calledName(call)) && isRealmCall(call)
  }
}
