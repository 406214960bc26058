import PersistSyntax

/// Whether a function saves a context.
private struct CallsSave: Query {
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    program.body(of: function).map { program.callsSave(in: $0) } ?? false
  }
}

// MARK: - Code that saves

extension Program {
  /// Whether a function saves a context, itself or through functions of the sources.
  package func callsSave(_ id: FunctionID) -> Bool {
    answer(CallsSave(function: id))
  }

  /// Whether code saves a context, itself or through functions of the sources.
  package func callsSave(in body: Ref) -> Bool {
    descendants(body, .call).contains { call in
      switch callTarget(call) {
      case .functions(let candidates), .initializer(_, let candidates):
        return candidates.contains { bodies(of: $0).allSatisfy { callsSave($0) } }
      default: return Words.saysSave(calledNode(call).map { nameText($0) } ?? "")
      }
    }
  }

  /// The block of a function; nil where it has none.
  package func body(of id: FunctionID) -> Ref? {
    functions[id].body.map { Ref(file: Int(functions[id].ref.file), node: $0) }
  }
}
