import PersistIndex
import PersistSyntax

/// What a use of a variable does with the model in it.
package enum ModelTouch {
  /// Asks whether the object still exists.
  case look
  /// Reads or sets what the store holds of the object.
  case touch
  /// Neither: it names the object, or asks for its identifier.
  case mention
}

/// What of an object counts as a touch.
package enum TouchScope {
  /// All that the store holds of it.
  case all
  /// Only what crashes if the row is gone. Core Data returns an empty value for most properties of
  /// such a row, and setting one does no harm.
  case missingRow
}

extension Program {
  /// What is done with a model by the chain that begins with, or holds, the node that spells it.
  package func lifeUse(
    of place: Ref, _ model: TypeID, counting scope: TouchScope = .all, depth: Int = 0
  ) -> ModelTouch {
    guard let chain = parent(place), kind(chain) == .chain else { return .mention }
    let parts = children(chain)
    guard let index = parts.firstIndex(of: place) else { return .mention }
    let rest = parts[(index + 1)...].filter { ![.optionalChain, .force].contains(kind($0)) }
    guard let next = rest.first else { return wholeUse(chain, scope, depth: depth) }
    guard kind(next) == .member else { return .mention }
    let isCalled = rest.count > 1 && kind(rest[1]) == .call
    return memberUse(
      next, of: model, isCalled: isCalled, isLast: rest.count == 1, scope, depth: depth)
  }

  /// What asking a model for the member that a node spells does.
  package func lifeUse(
    ofMember part: Ref, of model: TypeID, counting scope: TouchScope
  ) -> ModelTouch {
    let after = parent(part).map { chain in
      children(chain).filter { $0 > part && ![.optionalChain, .force].contains(kind($0)) }
    }
    return memberUse(
      part, of: model, isCalled: after?.first.map { kind($0) == .call } ?? false,
      isLast: after?.isEmpty ?? true, scope, depth: 0)
  }

  /// What asking a model for a member does.
  private func memberUse(
    _ part: Ref, of model: TypeID, isCalled: Bool, isLast: Bool, _ scope: TouchScope, depth: Int
  ) -> ModelTouch {
    let member = name(part)
    if !isCalled, looks.contains(member), storedProperty(member, of: model) == nil {
      return isLast ? .look : .mention
    }
    switch self.member(member, of: model) {
    case .property(let id):
      if isStored(id) { return counts(id, at: part, of: model, scope) ? .touch : .mention }
      guard properties[id].isComputed, let accessors = properties[id].accessors else {
        return .mention
      }
      let body = Ref(file: Int(properties[id].ref.file), node: accessors)
      return touchesSelf(body, model, scope, depth: depth + 1) ? .touch : .mention
    case .functions(let candidates):
      guard isCalled, candidates.count == 1, let body = body(of: candidates[0]) else {
        return .mention
      }
      return touchesSelf(body, model, scope, depth: depth + 1) ? .touch : .mention
    default: return .mention
    }
  }

  private var looks: Set<Name> { ["modelContext", "managedObjectContext", "isFault"] }

  /// Whether code of a model reads or sets a stored property of `self` before it looks at whether
  /// the object still exists.
  private func touchesSelf(
    _ body: Ref, _ model: TypeID, _ scope: TouchScope, depth: Int
  ) -> Bool {
    guard isWithin(depth, .modelCalls) else { return false }
    for node in nodesRun(in: body) where kind(node) == .name {
      guard let chain = parent(node), kind(chain) == .chain, children(chain).first == node else {
        continue
      }
      if nameText(node) == "self" {
        switch lifeUse(of: node, model, counting: scope, depth: depth) {
        case .touch: return true
        case .look: return false
        case .mention: continue
        }
      }
      if declared(node) == nil, looks.contains(name(node)) { return false }
      guard let id = property(usedBy: node),
        properties[id].owner.map({ lineage(of: model).contains($0) }) ?? false
      else { continue }
      if isStored(id), counts(id, at: node, of: model, scope) { return true }
    }
    return false
  }

  /// Whether a touch of a stored property counts.
  private func counts(_ id: PropertyID, at part: Ref, of model: TypeID, _ scope: TouchScope)
    -> Bool
  {
    guard scope == .missingRow, isManagedClass(model) else { return true }
    guard needsRow(id) else { return false }
    guard let chain = parent(part), kind(chain) == .chain, children(chain).last == part,
      let expression = parent(chain), let sign = children(expression).dropFirst().first
    else { return true }
    return children(expression)[0] != chain || kind(sign) != .binaryOperator
      || nameText(sign) != "="
  }

  /// Whether the value of a managed object's property can't be nothing: reading it crashes if the
  /// row is gone.
  package func needsRow(_ id: PropertyID) -> Bool {
    switch type(ofProperty: id) {
    case .optional: return false
    case .external(let name, _): return !Self.emptyValues.contains(name)
    default: return true
    }
  }

  private static let emptyValues: Set<Name> = [
    "Bool", "Int", "Int16", "Int32", "Int64", "Double", "Float", "String", "Data", "Decimal",
    "NSNumber", "NSString",
  ]

  /// What is done with a model that is an argument, or something else as a whole.
  private func wholeUse(_ chain: Ref, _ scope: TouchScope, depth: Int) -> ModelTouch {
    guard let expression = parent(chain), kind(expression) == .expression,
      children(expression).filter({ ![.tryMark, .awaitMark].contains(kind($0)) }) == [chain],
      let argument = parent(expression),
      kind(argument) == .argument, let call = parent(argument), kind(call) == .call,
      isWithin(depth, .modelCalls)
    else { return .mention }
    let candidates = functions(calledBy: call).filter { body(of: $0) != nil }
    guard !candidates.isEmpty else { return .mention }
    let touches = candidates.allSatisfy { id in
      guard let parameter = parameter(of: functions[id], taking: argument, in: call) else {
        return false
      }
      let place = Ref(file: Int(functions[id].ref.file), node: parameter.node)
      return touchesParameter(place, scope, depth: depth + 1)
    }
    return touches ? .touch : .mention
  }

  /// Whether a function reads or sets what the store holds of a parameter, before it looks whether
  /// that still exists.
  private func touchesParameter(
    _ parameter: Ref, _ scope: TouchScope, depth: Int
  ) -> Bool {
    guard let model = model(in: type(ofLocal: parameter)), let id = enclosingFunction(parameter),
      let body = body(of: id)
    else { return false }
    for node in nodesRun(in: body)
    where kind(node) == .name && declared(node) == .local(parameter) {
      switch lifeUse(of: node, model, counting: scope, depth: depth) {
      case .touch: return true
      case .look: return false
      case .mention: continue
      }
    }
    return false
  }
}
