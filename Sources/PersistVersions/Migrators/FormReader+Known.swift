import PersistFlow
import PersistIndex
import PersistSyntax

// MARK: - What a run of the code says of it

extension FormReader {
  /// The statements of what is registered.
  mutating func readBody(_ registration: Registration, _ code: CodeRun) -> [Form] {
    path = registration.path
    run = code
    switch registration.body {
    case .closure(let place, let own, let captures):
      take(own)
      for (declaration, value) in zip(values.captures(of: place), captures) {
        names[.local(declaration)] = form(of: value) ?? .outer
      }
      if bindParameters(of: place) == 0 { count += 1 }
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
    guard case .migrator(let place) = own else { return }
    ownForm = program.function(declaredAt: place) == nil ? .outer : .words("self")
  }

  /// Reads on in a run that a call, a loop or a closure has begun.
  mutating func within<Result>(
    _ inner: CodeRun?, _ read: (inout FormReader) -> Result
  ) -> Result {
    let outer = run
    run = inner
    defer { run = outer }
    return read(&self)
  }

  // MARK: Values

  /// The longest beginning of a chain, calls left out, of which all is known.
  func knownPrefix(_ parts: [Ref]) -> (form: Form, count: Int)? {
    var end = parts.dropFirst().prefix { program.kind($0) == .member }.count + 1
    // A called member is no value.
    if end < parts.count, program.kind(parts[end]) == .call { end -= 1 }
    while end > 1 {
      if let form = knownForm(parts[..<end]) { return (form, end) }
      end -= 1
    }
    return nil
  }

  /// Members whose numbers and flags a plain reading leaves as they are written.
  private static let fullMembers: Set<String> = ["rawValue", "count", "isEmpty", "first", "last"]

  /// What names and members in a row say of which all is known.
  private func knownForm(_ parts: ArraySlice<Ref>) -> Form? {
    guard let last = parts.last, let value = run?.value(of: last),
      program.declared(parts[parts.startIndex]).map({ !elements.contains($0) }) ?? true
    else { return nil }
    if let constant = constant(value) {
      let isPlainToo = !Self.fullMembers.contains(program.nameText(last)) || value.text != nil
      return isPlain && !isPlainToo ? nil : constant
    }
    switch program.declared(parts[parts.startIndex]) {
    case .type, .functions, nil: return nil
    default: return form(of: value)
    }
  }

  /// What a value says that is the same everywhere.
  func constant(_ value: Known) -> Form? {
    let form: Form?
    switch value {
    case .text, .literal: form = self.form(of: value)
    case .list(let elements):
      let forms = elements.compactMap { constant($0) }
      form = forms.count == elements.count ? .list(forms) : nil
    case .made, .element: form = program.column(value).map { Form.column($0) }
    default: form = nil
    }
    return form.flatMap { $0.isConstant ? $0 : nil }
  }

  /// What a value says that comes from elsewhere.
  func form(of value: Known) -> Form? {
    switch value {
    case .text(let text): return sqlText(text)
    case .literal(let word): return .words(word)
    case .none: return .words("nil")
    case .made: return program.column(value).map { .column($0) }
    case .element(let element, _): return .text(program.nameText(element))
    case .type(let type): return .words(program.nameText(program.types[type].ref))
    case .list(let elements):
      let forms = elements.compactMap { form(of: $0) }
      let list = Form.list(forms)
      return forms.count == elements.count && list.isConstant ? list : nil
    default: return nil
    }
  }

  /// The statements of a `switch` over a case of an enum that is known.
  func branch(of statement: Ref) -> [Ref]? {
    guard let subject = program.child(statement, .expression),
      let chain = program.child(subject, .chain), let last = program.children(chain).last,
      case .element(let element, _)? = run?.value(of: last)
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

extension Form {
  /// A column of a table by its name.
  static func column(_ name: String) -> Form {
    .call(.words("Column"), [.text(name)], closures: [])
  }
}
