import PersistIndex
import PersistSyntax

// MARK: - Who keeps an opened store

extension Program {
  /// The openings on disk whose store is made anew at every call, in source order.
  package var repeatedOpenings: [StoreOpening] {
    storeFlow.openings.filter { opening in
      guard opening.site == opening.root, !opening.isInMemory, !isExempt(opening.site),
        !["Realm", "asyncOpen", "addPersistentStore"].contains(calledName(opening.site)),
        !isNamedOpening(opening.site)
      else { return false }
      // A connection of SQLite that one function needs for itself is as right as one that is kept.
      guard calledName(opening.site) != "Connection" || handsOutConnection(opening.site) else {
        return false
      }
      var seen: Set<Ref> = []
      let value = calledName(opening.site) == "loadPersistentStores" ? receiver(opening.site) : nil
      if let value {
        guard case .local(let local)? = declared(value), kind(local) == .boundName else {
          return false
        }
        return isTransient(local: local, &seen)
      }
      return isTransient(opening.site, &seen)
    }
  }

  private func receiver(_ call: Ref) -> Ref? { callee(call).first }

  private func handsOutConnection(_ call: Ref) -> Bool {
    guard let function = enclosingFunction(call), let result = functions[function].result else {
      return false
    }
    return names({ name($0) == "Connection" }, in: Ref(file: Int(call.file), node: result))
  }

  /// Whether a value that a node makes is not kept beyond the call of the body around it.
  private func isTransient(_ node: Ref, _ seen: inout Set<Ref>) -> Bool {
    guard seen.insert(node).inserted else { return false }
    var child = node
    var isReturned = false
    while let parent = parent(child) {
      switch kind(parent) {
      case .binding:
        if property(declaredAt: parent) != nil { return false }
        return self.child(parent, .boundName).map { isTransient(local: $0, &seen) } ?? false
      case .optionalBinding:
        return self.child(parent, .boundName).map { isTransient(local: $0, &seen) } ?? false
      case .expression:
        if let target = assignedTarget(in: parent, from: child) {
          guard case .local(let local)? = declared(target), kind(local) == .boundName else {
            return false
          }
          return isTransient(local: local, &seen)
        }
      case .returnStatement: isReturned = true
      case .closure:
        if isCalledAtOnce(parent) {
          isReturned = false
        } else if let local = local(holding: parent) {
          return calls(ofClosure: .local(local)).contains { isTransient($0, &seen) }
        } else if !givesBody(parent) {
          return false
        }
      case .accessor:
        return isReturned || isBody(parent) || isOnlyValue(child, of: parent)
          ? !caches(parent) && !isReadOnce(parent) : false
      case .functionDecl:
        guard let function = function(declaredAt: parent) else { return false }
        if isReturned || isOnlyValue(child, of: parent) {
          return isCalledAgain(function, &seen)
        }
        return runsAgain(function)
      case .initDecl: return isViewMade(parent) && !isKeptByState(node)
      case .members, .file: return false
      default: break
      }
      child = parent
    }
    return false
  }

  private func isTransient(local: Ref, _ seen: inout Set<Ref>) -> Bool {
    let places = uses(ofLocal: local)
    if let made = ancestors(local).first(where: { kind($0) == .initDecl }), isViewMade(made) {
      return true
    }
    guard !places.isEmpty, let body = enclosingFunction(local) ?? enclosingFunction(places[0])
    else {
      return !places.contains(where: escapes)
        && places.contains { isTransient($0, &seen) }
    }
    var isReturned = false
    for use in places {
      if let whole = structure(madeWith: use) { return isTransient(whole, &seen) }
      if escapes(use) { return false }
      if ancestors(use).prefix(4).contains(where: { kind($0) == .returnStatement }) {
        isReturned = true
      }
    }
    return isReturned ? isCalledAgain(body, &seen) : runsAgain(body)
  }

  /// The constant of a function that is a closure.
  private func local(holding closure: Ref) -> Ref? {
    guard
      let binding = ancestors(closure).first(where: { ![.chain, .expression].contains(kind($0)) }),
      kind(binding) == .binding, property(declaredAt: binding) == nil
    else { return nil }
    return child(binding, .boundName)
  }

  /// The call that makes a structure of the sources by its implicit initializer of a value, among
  /// others: the structure is where the value is.
  private func structure(madeWith use: Ref) -> Ref? {
    guard let chain = parent(use), children(chain).count == 1, let expression = parent(chain),
      let argument = parent(expression), kind(argument) == .argument, let call = parent(argument),
      kind(call) == .call, case .initializer(let type, let candidates) = callTarget(call),
      candidates.isEmpty, types[type].kind == .structDecl, !inherits(type, from: Frameworks.view)
    else { return nil }
    return call
  }

  /// Whether a use gives a value to a property, an initializer or a function.
  private func escapes(_ use: Ref) -> Bool {
    guard let chain = parent(use), children(chain).count == 1, let expression = parent(chain) else {
      return false
    }
    if let assignment = assignment(expression), assignment.target != chain { return true }
    guard let argument = parent(expression), kind(argument) == .argument,
      let call = parent(argument), kind(call) == .call
    else { return false }
    return calledName(call) != "ModelContext"
  }

  private func assignedTarget(in expression: Ref, from child: Ref) -> Ref? {
    guard let target = assignment(expression)?.target, target != child else { return nil }
    return children(target).first
  }

  private func isOnlyValue(_ child: Ref, of function: Ref) -> Bool {
    kind(child) == .block && children(child).count == 1
  }

  /// Whether a getter keeps what it makes in a property.
  private func caches(_ accessor: Ref) -> Bool {
    descendants(accessor, .expression).contains { expression in
      guard let assignment = assignment(expression) else { return false }
      return children(assignment.target).contains { property(usedBy: $0) != nil }
    }
  }

  /// Whether the only readers of a getter are values of constants that are made once.
  private func isReadOnce(_ accessor: Ref) -> Bool {
    guard let binding = ancestors(accessor).first(where: { kind($0) == .binding }),
      let property = property(declaredAt: binding)
    else { return false }
    let readers = uses(ofProperty: property).filter { !isExempt($0) }
    return !readers.isEmpty
      && readers.allSatisfy { reader in
        guard enclosingBody(reader) == nil,
          let holder = ancestors(reader).first(where: { self.property(declaredAt: $0) != nil }),
          let id = self.property(declaredAt: holder), !properties[id].isComputed
        else { return false }
        return properties[id].isStatic || properties[id].owner == nil
      }
  }

  /// The getter of `body`.
  private func isBody(_ accessor: Ref) -> Bool {
    ancestors(accessor).first { kind($0) == .binding }.map { name($0) == "body" } ?? false
  }

  /// Whether an initializer runs whenever what shows the view is drawn.
  private func isViewMade(_ initializer: Ref) -> Bool {
    guard let type = enclosingType(initializer) else { return false }
    return isViewCode(initializer) && !inherits(type, from: "App")
  }

  /// Whether a node is made for the state of a view, which makes it once.
  private func isKeptByState(_ node: Ref) -> Bool {
    ancestors(node).contains { kind($0) == .argument && label($0) == "wrappedValue" }
  }

  /// Whether a closure belongs to a view or scene builder, so that it runs with the body around.
  private func givesBody(_ closure: Ref) -> Bool {
    guard let (call, _) = callTaking(closure), let node = calledNode(call) else { return false }
    return kind(node) == .name && nameText(node).first?.isUppercase == true
      && !["Task", "Button"].contains(calledName(call))
  }

  private func isCalledAgain(_ function: FunctionID, _ seen: inout Set<Ref>) -> Bool {
    callers(of: function).contains { !isExempt($0) && isTransient($0, &seen) }
  }

  /// Whether the system calls a function again and again, itself or by another function.
  private func runsAgain(_ function: FunctionID) -> Bool {
    Reach(from: function) { function in
      self.shippingCallers(of: function)
        .compactMap { self.enclosingFunction($0) }
    }.contains { function in
      functions[function].owner.map { owner in
        Words.repeatedMethods.contains(functions[function].name)
          && Words.extensionTypes.contains { inherits(owner, from: $0) }
      } ?? false
    }
  }
}
