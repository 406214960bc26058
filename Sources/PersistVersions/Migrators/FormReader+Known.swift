import PersistFlow
import PersistIndex
import PersistSyntax

// MARK: - What is known from where a migration is registered

extension MigrationReader {
  /// The statements of what is registered.
  mutating func readBody(_ registration: Registration) -> [Form] {
    path = registration.path
    switch registration.body {
    case .closure(let place, let own, let captures):
      take(own)
      for (declaration, value) in zip(values.captures(of: place), captures) {
        take(value, for: declaration)
      }
      if let list = program.child(place, .parameters) {
        for parameter in program.children(list, .parameter) { _ = bind(parameter) }
      } else {
        count += 1
        names[.closureArgument(place, 0)] = .local(count)
      }
      return statements(in: place)
    case .function(let id, let own):
      take(own)
      let file = Int(program.functions[id].ref.file)
      for parameter in program.functions[id].parameters {
        _ = bind(Ref(file: file, node: parameter.node))
      }
      return putIn(id)
    default:
      let written = program.arguments(registration.call).last.flatMap { program.children($0).first }
      for name in written.map({ program.descendants($0, .name) }) ?? [] {
        if let declared = program.declared(name), case .local = declared {
          names[declared] = .outer
        }
      }
      return written.map { [form($0)] } ?? []
    }
  }

  private mutating func take(_ own: Known) {
    if case .migrator(let place) = own {
      ownForm = program.function(declaredAt: place) == nil ? .outer : .words("self")
    } else {
      self.own = own
    }
  }

  /// Has a variable from outside of the migration stand for what it surely is there.
  private mutating func take(_ value: Known, for declaration: Ref) {
    known[.local(declaration)] = value
    if let form = form(of: value) {
      names[.local(declaration)] = form
      return
    }
    names[.local(declaration)] = .outer
    guard program.kind(declaration) == .boundName, let binding = program.parent(declaration),
      isLet(binding), let written = program.child(binding, .expression)
    else { return }
    let saved = (count, steps.count)
    let form = form(written)
    count = saved.0
    steps.removeSubrange(saved.1...)
    if form.isConstant { names[.local(declaration)] = form }
  }

  // MARK: Values in code

  /// What is known of names and members in a row, none of them called.
  private func value(of parts: some Collection<Ref>) -> Known? {
    guard let first = parts.first, program.kind(first) == .name,
      let declared = program.declared(first)
    else { return nil }
    var value = known[declared] ?? .other
    if case .selfValue = declared { value = own }
    if case .property(let id) = declared, own != .other, !program.properties[id].isStatic {
      value = values.member(at: first, of: own)
    }
    for part in parts.dropFirst() {
      guard program.kind(part) == .member, value != .other else { return nil }
      value = values.member(at: part, of: value)
    }
    return value == .other ? nil : value
  }

  /// What a chain says of which all is known.
  mutating func knownForm(_ parts: [Ref]) -> Form? {
    guard let first = parts.first, let value = value(of: parts) else { return nil }
    if parts.count == 1, let declared = program.declared(first), names[declared] != nil {
      return nil
    }
    if case .closure(let place, _, let captures) = value {
      for (declaration, value) in zip(values.captures(of: place), captures) {
        take(value, for: declaration)
      }
      return closure(place)
    }
    return form(of: value)
  }

  /// The longest beginning of a chain, calls left out, of which all is known.
  func knownPrefix(_ parts: [Ref]) -> (Form, Int)? {
    var end = parts.dropFirst().prefix { program.kind($0) == .member }.count + 1
    if end < parts.count, program.kind(parts[end]) == .call { end -= 1 }
    while end > 1 {
      if let form = value(of: parts[..<end]).flatMap({ form(of: $0) }) { return (form, end) }
      end -= 1
    }
    return nil
  }

  /// What a value says that is the same everywhere.
  private func form(of value: Known) -> Form? {
    switch value {
    case .text(let text): return sqlText(text)
    case .literal(let word): return .words(word)
    case .none: return .words("nil")
    case .element(let element, _): return .text(program.nameText(element))
    case .type(let type): return .words(program.nameText(program.types[type].ref))
    case .list(let elements):
      let forms = elements.compactMap { form(of: $0) }
      let list = Form.list(forms)
      return forms.count == elements.count && list.isConstant ? list : nil
    default: return nil
    }
  }

  // MARK: Code in values

  /// The function that a call runs of a value that is known.
  func knownFunction(_ call: Ref) -> (function: FunctionID, own: Known)? {
    guard case .function(let id, let own)? = value(of: program.callee(call)) else { return nil }
    return (id, own)
  }

  /// What a call runs whose callee is a closure that is known.
  mutating func inlinedKnown(_ call: Ref) -> [Form]? {
    guard case .closure(let place, _, let captures)? = value(of: program.callee(call)),
      program.isWithin(open.count, .migrationCalls)
    else { return nil }
    let given = program.arguments(call).map { argument in
      program.children(argument).first.map { form($0) } ?? .nothing
    }
    for (declaration, value) in zip(values.captures(of: place), captures) {
      take(value, for: declaration)
    }
    var parameters = given.indices.map { Declared.closureArgument(place, $0) }
    if let list = program.child(place, .parameters) {
      parameters = program.children(list, .parameter).map { .local($0) }
    }
    for (parameter, form) in zip(parameters, given) { names[parameter] = form }
    return statements(in: place)
  }

  /// Has the parameters of a function, and its `self`, stand for what a call gives that is known.
  mutating func bindKnown(to call: Ref, of id: FunctionID) {
    let function = program.functions[id]
    for (index, parameter) in function.parameters.enumerated() {
      guard let argument = program.argument(of: call, for: index, of: function),
        let chain = program.child(argument, .expression).flatMap({ program.child($0, .chain) })
      else { continue }
      let place = Ref(file: Int(function.ref.file), node: parameter.node)
      known[.local(place)] = value(of: program.children(chain))
    }
    own = knownFunction(call)?.own ?? .other
  }

  /// The statements of a `switch` over a case of an enum that is known.
  func branch(of statement: Ref) -> [Ref]? {
    guard let subject = program.child(statement, .expression),
      let chain = program.child(subject, .chain),
      case .element(let element, _)? = value(of: program.children(chain))
    else { return nil }
    let cases = program.children(statement, .switchCase)
    let own = cases.first { clause in
      program.children(clause, .caseItem).contains { item in
        program.pattern(of: item).map {
          program.firstCase(of: [program.name(element)], in: $0) != nil
        } ?? false
      }
    }
    let taken = own ?? cases.first { program.node($0).flags.contains(.isDefault) }
    return taken.map { program.children($0).filter { program.kind($0) != .caseItem } }
  }
}
