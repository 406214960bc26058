import PersistFlow
import PersistIndex
import PersistSyntax

extension Program {
  /// Takes the values that a closure reads of a model out before the statement that starts it; nil
  /// where it does more than read them, or their names are taken.
  func takenValuesFix(_ capture: Capture) -> Fix? {
    guard let reads = plainReads(of: capture), let first = reads.first,
      let statement = statement(around: capture.body), !mayGiveValue(statement),
      [.expression, .variableDecl, .returnStatement].contains(kind(statement)),
      !contains(statement, capture.source) || capture.value == "self",
      isAtHome(statement, capture), let names = freeNames(for: reads, near: statement)
    else { return nil }
    let layout = Layout(around: statement, in: self)
    let properties = reads.map(\.property).unique
    let model = first.model.isEmpty ? "self" : first.model
    let lines = properties.map { Layout.Line("let \(names[$0] ?? $0) = \(model).\($0)") }
    guard let added = layout.edits(adding: lines, .before, statement, in: self) else { return nil }
    let replaced = reads.filter { !($0.model.isEmpty && names[$0.property] == $0.property) }
      .map { layout.edit($0.range, names[$0.property] ?? $0.property) }
    return Fix(
      title: "Read \(properties.listed()) before the \(beginning(of: capture.body).name)",
      isSafe: true,
      edits: added + replaced, scope: layout.location(byteRange(enclosingDeclaration(statement))))
  }

  /// Whether no other closure carries the model away from its actor before.
  private func isAtHome(_ statement: Ref, _ capture: Capture) -> Bool {
    !([statement] + ancestors(statement)).contains {
      kind($0) == .closure && $0 != capture.body && !contains($0, capture.source) && isAway($0)
    }
  }

  /// Whether a closure surely leaves the actor around it.
  private func isAway(_ closure: Ref) -> Bool {
    let inner = isolation(ofClosure: closure)
    return inner == .concurrent || inner.isActor && inner != isolation(at: closure)
  }

  /// A name for each property that means nothing else around the statement: its own, or with the
  /// model's before it.
  private func freeNames(for reads: [PlainRead], near statement: Ref) -> [String: String]? {
    let scope = enclosingDeclaration(statement)
    var names: [String: String] = [:]
    for read in reads where names[read.property] == nil {
      if read.model.isEmpty {
        let own = reads.filter { $0.property == read.property }.map(\.range)
        guard !isUsed(read.property, in: scope, besides: own) else { return nil }
        names[read.property] = read.property
        continue
      }
      let model = read.model.split(separator: ".").last.map(String.init) ?? ""
      let long = model + read.property.prefix(1).uppercased() + read.property.dropFirst()
      let free = [read.property, model == "self" ? "own\(long.dropFirst(4))" : long].first {
        !uses(Name($0), in: scope) && !names.values.contains($0)
      }
      guard let free else { return nil }
      names[read.property] = free
    }
    return names
  }

  private func isUsed(_ name: String, in scope: Ref, besides own: [Range<Int>]) -> Bool {
    subtree(scope).contains { index in
      let ref = Ref(file: Int(scope.file), node: Int(index))
      guard ![.member, .implicitMember].contains(kind(ref)), self.name(ref) == Name(name) else {
        return false
      }
      return !own.contains(byteRange(ref))
    }
  }
}

extension [String] {
  /// Each text once, in the order of their first appearance.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
