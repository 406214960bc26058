import PersistSyntax

/// The call that inserts the object which a function returns, where it is never saved there.
private struct InsertionReturned: Query {
  let function: FunctionID

  static var provisional: Ref? { nil }
  func answer(in program: Program) -> Ref? { program.findInsertion(returnedBy: function) }
}

// MARK: - Objects that functions insert and return

extension Program {
  /// The call that inserts the object which a call gives: the call itself, or one in the functions
  /// that it runs, all of which return what they have inserted and not saved.
  package func insertion(givenBy call: Ref) -> Ref? {
    switch callTarget(call) {
    case .functions(let ids):
      let found = ids.compactMap { answer(InsertionReturned(function: $0)) }
      return found.count == ids.count ? found.first : nil
    case .initializer(let type, _):
      return model(in: .declared(type)) != nil && isGivenContext(call) ? call : nil
    case .externalInitializer(let type):
      return type.isModelBase && isGivenContext(call) ? call : nil
    default: return Words.insertionByName == calledName(call) ? call : nil
    }
  }

  /// Whether a call that makes an object says in which context.
  package func isGivenContext(_ call: Ref) -> Bool {
    Words.labelsOfContexts.contains { label in
      argument(call, label).map { !isNil($0) } ?? false
    }
  }

  fileprivate func findInsertion(returnedBy id: FunctionID) -> Ref? {
    guard let body = body(of: id), !callsSave(id), !names("obtainPermanentIDs", in: body) else {
      return nil
    }
    let values = results(of: body).filter { !isNil($0) }
    let found = values.compactMap { insertion(ofValue: $0, in: body) }
    return found.count == values.count ? found.first : nil
  }

  /// The call that inserts the object which an expression gives: a call, or a local that holds one.
  private func insertion(ofValue value: Ref, in body: Ref) -> Ref? {
    let parts = children(value).filter { ![.tryMark, .awaitMark, .cast].contains(kind($0)) }
    guard parts.count == 1, let last = children(parts[0]).last else { return nil }
    if kind(last) == .call { return insertion(givenBy: last) }
    guard kind(last) == .name, isOnlyChild(last), case .local(let local)? = declared(last),
      let binder = parent(local), kind(local) == .boundName,
      let made = self.value(ofBinding: binder).flatMap({ descendants($0, .call).first })
    else { return nil }
    return insertion(of: local, made: made, in: body, before: last)
  }

  /// The call that inserts a local's object: what makes it, or `insert(object)` of a context.
  func insertion(of local: Ref, made: Ref, in scope: Ref, before place: Ref) -> Ref? {
    if insertion(givenBy: made) != nil { return made }
    return descendants(scope, .call).first { call in
      guard call < place, calledName(call) == "insert", let argument = child(call, .argument),
        let value = child(argument, .expression), let chain = child(value, .chain),
        let first = children(chain).first, children(chain).count == 1, kind(first) == .name
      else { return false }
      return declared(first) == .local(local)
    }
  }
}
