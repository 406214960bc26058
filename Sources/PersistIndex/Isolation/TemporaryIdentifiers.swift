import PersistSyntax

/// The identifier of an object, taken before the object was saved, that leaves the function.
package struct TemporaryIdentifier: Sendable {
  /// The member that takes the identifier.
  package let place: Ref
  /// The variable that holds the object.
  package let object: String
  /// `persistentModelID` or `objectID`.
  package let identifier: String
  package let model: TypeID
  /// Where the object is inserted.
  package let insertion: Ref
}

// MARK: - Identifiers taken too early

extension Program {
  /// The identifiers of objects that are inserted in the same function and not saved before.
  package var temporaryIdentifiers: [TemporaryIdentifier] {
    var found: [TemporaryIdentifier] = []
    for file in files(usingAny: Words.identifiers)
    where !files[file].isTest && !files[file].isDocumentation {
      for (index, node) in files[file].outline.nodes.enumerated() where node.kind == .member {
        let member = Ref(file: file, node: index)
        guard Words.identifiers.contains(name(member)) else { continue }
        if let identifier = temporaryIdentifier(member), !isExempt(member) {
          found.append(identifier)
        }
      }
    }
    return found
  }

  private func temporaryIdentifier(_ member: Ref) -> TemporaryIdentifier? {
    guard let chain = parent(member), children(chain).last == member,
      let first = children(chain).first, children(chain).count == 2, kind(first) == .name,
      case .local(let local)? = declared(first), kind(local) == .boundName,
      let binding = parent(local), kind(binding) == .binding,
      let value = child(binding, .expression), let model = model(in: type(ofLocal: local)),
      let made = descendants(value, .call).first, makes(made, model),
      let scope = parent(binding).flatMap({ parent($0) }),
      let insertion = insertion(of: local, made: made, in: scope, before: member),
      case let start = contains(scope, insertion) ? insertion : made,
      !isSaved(in: scope, after: start, before: member),
      leaves(chain, scope)
    else { return nil }
    return TemporaryIdentifier(
      place: member, object: nameText(first), identifier: nameText(member), model: model,
      insertion: insertion)
  }

  /// Whether a call makes an object of a model, by an initializer, an entity's name or a function.
  private func makes(_ call: Ref, _ model: TypeID) -> Bool {
    if case .initializer(model, _) = callTarget(call) { return true }
    return insertion(givenBy: call) != nil
  }

  private func isSaved(in scope: Ref, after start: Ref, before end: Ref) -> Bool {
    let body = ancestors(scope).first { function(declaredAt: $0) != nil } ?? scope
    return descendants(body, .call).contains { call in
      guard call > start, call < end else { return false }
      let name = calledNode(call).map { nameText($0) } ?? ""
      if Words.saysSave(name) || name == "obtainPermanentIDs" { return true }
      guard case .functions(let candidates) = callTarget(call) else { return false }
      return candidates.contains { callsSave($0) }
    }
  }

  // MARK: Ways out

  /// Whether a value goes to a call, to a property, to a caller or into a closure.
  private func leaves(_ chain: Ref, _ scope: Ref) -> Bool {
    guard let expression = parent(chain), kind(expression) == .expression,
      let holder = parent(expression)
    else { return false }
    let operators = children(expression, .binaryOperator)
    if let sign = operators.first {
      guard operators.count == 1, isAssignmentSign(sign), sign < chain,
        let target = children(expression).first, kind(target) == .chain
      else { return false }
      return isStored(target)
    }
    switch kind(holder) {
    case .returnStatement, .capture: return true
    case .argument: return isTaken(holder)
    case .binding:
      guard let local = child(holder, .boundName), property(declaredAt: holder) == nil else {
        return false
      }
      return descendants(scope, .name).contains { name in
        guard name > local, declared(name) == .local(local), let chain = parent(name),
          children(chain).count == 1, chain != parent(local)
        else { return false }
        return leaves(chain, scope)
      }
    default: return false
    }
  }

  private func isStored(_ target: Ref) -> Bool {
    guard let first = children(target).first, kind(first) == .name else { return false }
    switch declared(first) {
    case .local(let local): return kind(local) == .parameter && children(target).count > 1
    case .property, .selfValue: return true
    default: return false
    }
  }

  private func isTaken(_ argument: Ref) -> Bool {
    guard let call = parent(argument) else { return false }
    if kind(call) == .subscriptSuffix { return isKeptUnder(call) }
    guard kind(call) == .call else { return false }
    if isContext(receiverType(ofCall: call)) { return false }
    switch callTarget(call) {
    case .functions, .initializer: return true
    case .unknownMethod("init"):
      // A value of a type that isn't told, unless the identifier is only described.
      return label(argument) != .none && !["describing", "reflecting"].contains(label(argument))
    case .unknownMethod(let name), .externalMethod(_, let name):
      if Words.insertingMethods.contains(name) { return isKept(call) }
      return isAwaited(call) && !Words.loggingMethods.contains(name)
    default: return false
    }
  }

  /// Whether the receiver of `append` and the like outlives the function.
  private func isKept(_ call: Ref) -> Bool {
    guard let chain = parent(call), let first = children(chain).first, kind(first) == .name else {
      return false
    }
    switch declared(first) {
    case .property, .selfValue: return true
    default: return false
    }
  }

  /// Whether a value is assigned under a key: `cache[trip.persistentModelID] = image`.
  private func isKeptUnder(_ key: Ref) -> Bool {
    guard let chain = parent(key), children(chain).last == key, let first = children(chain).first,
      let expression = parent(chain), children(expression).first == chain,
      let sign = children(expression, .binaryOperator).first, isAssignmentSign(sign)
    else { return false }
    switch declared(first) {
    case .property, .selfValue: return true
    default: return false
    }
  }
}
