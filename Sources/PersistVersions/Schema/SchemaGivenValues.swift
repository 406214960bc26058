import PersistIndex
import PersistSyntax

// MARK: - What callers hand over

extension SchemaTypes {
  /// What shipping code hands over for the parameter, or keeps in the property of an instance, that a
  /// name stands for; nil where nobody hands anything over, or where that can't be told.
  func given(to name: NodeView) -> [NodeView]? {
    if let property = program.property(usedBy: name.ref) { return given(toProperty: property) }
    guard case .local(let local)? = program.declared(name.ref), program.kind(local) == .parameter
    else { return nil }
    return given(toParameter: local)
  }

  /// The property or the only function that a name stands for.
  func declaration(named name: NodeView) -> NodeView? {
    if let property = program.property(usedBy: name.ref) {
      return program.nodeView(program.properties[property].ref)
    }
    guard let call = name.nextSibling, call.kind == .call else { return nil }
    let called = program.functions(calledBy: call.ref)
    return called.count == 1 ? program.nodeView(program.functions[called[0]].ref) : nil
  }

  private func given(toParameter parameter: Ref) -> [NodeView]? {
    guard let holder = program.parent(parameter).flatMap({ program.parent($0) }),
      let id = program.function(declaredAt: holder)
    else { return nil }
    let function = program.functions[id]
    guard let index = function.parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return nil }
    let calls = program.callers(of: id).filter { !program.isExempt($0) }
    return values(of: calls) { call in
      let argument = program.argument(of: call, for: index, of: function)
      return program.child(argument ?? parameter, .expression)
    }
  }

  /// The value that a property begins with, or those that the initializers of its type are given.
  private func given(toProperty id: PropertyID) -> [NodeView]? {
    let property = program.properties[id]
    guard let owner = property.owner, property.isLet, !property.isStatic else { return nil }
    if let value = property.initializer {
      return [program.nodeView(Ref(file: Int(property.ref.file), node: value))]
    }
    let calls = program.calls(named: program.types[owner].name).filter { call in
      guard case .initializer(owner, _) = program.callTarget(call) else { return false }
      return !program.isExempt(call)
    }
    return values(of: calls) { call in
      let setting = program.arguments(call).first {
        program.properties(setBy: $0, of: call).contains(id)
      }
      return setting.flatMap { program.child($0, .expression) }
    }
  }

  private func values(of calls: [Ref], _ value: (Ref) -> Ref?) -> [NodeView]? {
    guard !calls.isEmpty, program.isWithin(calls.count, .schemaCallers) else { return nil }
    let found = calls.compactMap(value).map(program.nodeView)
    return found.count == calls.count ? found : nil
  }
}
