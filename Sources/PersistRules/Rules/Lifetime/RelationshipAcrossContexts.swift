import PersistIndex
import PersistSyntax

/// A relationship between objects of two contexts: the assignment crashes the app.
struct RelationshipAcrossContexts: Rule {
  static let id: RuleID = "relationship-across-contexts"

  func check(_ program: Program, into findings: inout Findings) {
    var bodies: Set<Ref> = []
    for name: Name in ["ModelContext", "NSManagedObjectContext", "newBackgroundContext"] {
      for call in program.calls(named: name) where !program.isExempt(call) {
        if let body = program.enclosingFunctionBody(call) { bodies.insert(body) }
        guard let function = program.enclosingFunction(call), program.makesContext(function) else {
          continue
        }
        for caller in program.callers(of: function) where !program.isExempt(caller) {
          if let body = program.enclosingFunctionBody(caller) { bodies.insert(body) }
        }
      }
    }
    for body in bodies.sorted() {
      let origins = ContextOrigins(program: program, body: body)
      for link in program.links(in: body, origins) {
        guard let mine = link.owner, let other = origins.origin(of: link.value),
          mine.differs(from: other)
        else { continue }
        findings.report(
          .relatesApart(link.relationship, link.model), at: link.value,
          related: contexts(mine, other, program))
      }
    }
    reportExecutors(program, into: &findings)
  }

  private func contexts(_ one: ContextOrigin, _ other: ContextOrigin, _ program: Program)
    -> [Findings.Related]
  {
    [one, other].compactMap { origin in
      guard case .made(let local) = origin else { return nil }
      return .init(local, "this context is made here")
    }
  }
}

/// A place that relates one object to another.
struct RelationshipLink {
  /// The context of the object whose relationship is set.
  let owner: ContextOrigin?
  let relationship: String
  let model: String
  /// The expression of the other object.
  let value: Ref
}

extension Program {
  /// The places in a body that set a relationship of an object, or add to it.
  func links(in body: Ref, _ origins: ContextOrigins) -> [RelationshipLink] {
    var found: [RelationshipLink] = []
    for expression in descendants(body, .expression) {
      guard let assignment = assignment(expression), let last = lastPart(ofTarget: assignment),
        kind(last) == .member, let id = property(usedBy: last), destination(of: id) != nil
      else { continue }
      let values = assignment.right.filter { kind($0) != .tryMark && kind($0) != .awaitMark }
      guard values.count == 1, kind(values[0]) == .chain else { continue }
      let owner = origins.origin(ofChain: Array(children(assignment.target).dropLast()))
      found.append(link(owner, id, values[0]))
    }
    for call in descendants(body, .call) { found += links(by: call, origins) }
    return found
  }

  private func link(_ owner: ContextOrigin?, _ id: PropertyID, _ value: Ref) -> RelationshipLink {
    RelationshipLink(
      owner: owner, relationship: nameText(properties[id].ref),
      model: properties[id].owner.map { modelName($0) } ?? "", value: value)
  }

  /// `trip.tags.append(tag)`, `trip.addToTags(tag)`, and `Trip(owner: person)` of an object that is
  /// inserted later.
  private func links(by call: Ref, _ origins: ContextOrigins) -> [RelationshipLink] {
    let callee = Array(callee(call).filter { ![.optionalChain, .force].contains(kind($0)) })
    let name = calledText(call)
    if ["append", "insert"].contains(name), callee.count > 2,
      let id = property(usedBy: callee[callee.count - 2]), destination(of: id) != nil,
      let argument = arguments(call).first, let value = children(argument).first
    {
      return [link(origins.origin(ofChain: Array(callee.dropLast(2))), id, value)]
    }
    if name.hasPrefix("addTo"), callee.count > 1, let argument = arguments(call).first,
      let value = children(argument).first,
      case .functions(let candidates) = callTarget(call), candidates.count == 1,
      functions[candidates[0]].body == nil, let owner = functions[candidates[0]].owner,
      isManagedClass(owner)
    {
      return [
        RelationshipLink(
          owner: origins.origin(ofChain: Array(callee.dropLast())),
          relationship: String(name.dropFirst(5)), model: modelName(owner), value: value)
      ]
    }
    guard case .initializer(let type, _) = callTarget(call), isModel(type), !isManagedClass(type),
      let expression = parent(call).flatMap({ parent($0) }), let binding = parent(expression),
      kind(binding) == .binding, let local = child(binding, .boundName),
      let owner = origins.insertion(of: local)
    else { return [] }
    return children(call, .argument).compactMap { argument in
      guard let value = children(argument).first, model(in: self.type(of: argument)) != nil else {
        return nil
      }
      return RelationshipLink(
        owner: owner, relationship: nameText(argument).isEmpty ? labelText(argument) : "",
        model: modelName(type), value: value)
    }
  }

  private func labelText(_ argument: Ref) -> String {
    let token = node(argument).label
    return token == Node.noToken ? "" : outline(argument).text(ofToken: Int(token))
  }
}

extension Finding.Message {
  static func relatesApart(_ relationship: String, _ model: String) -> Self {
    """
    the app crashes here, because `\(model).\(relationship)` would connect objects of two \
    contexts; first get the other object by its identifier in the same context
    """
  }
}
