import PersistIndex
import PersistSyntax

extension ListReader {
  /// What `filter { $0 != Trip.self }` leaves of a list of types; nil when that can't be told.
  func filter(_ list: [NodeView], by call: NodeView) -> [NodeView]? {
    let closures =
      call.children(.closure) + call.arguments.compactMap(\.value).filter { $0.kind == .closure }
    guard closures.count == 1, let taken = takenOut(by: closures[0]) else { return nil }
    var rest: [NodeView] = []
    for element in list {
      guard let type = type(element) else { return nil }
      if !taken.contains(type) { rest.append(element) }
    }
    return rest
  }

  /// The types that a condition of nothing but `!=` and `&&` takes out.
  private func takenOut(by closure: NodeView) -> Set<Int>? {
    let statements = closure.children.filter {
      ![.captures, .parameters, .attribute].contains($0.kind)
    }
    guard statements.count == 1 else { return nil }
    let condition =
      statements[0].kind == .returnStatement ? statements[0].child(.expression) : statements[0]
    let element = closure.parameters.first?.name?.text ?? "$0"
    guard let parts = condition.map({ Array($0.children) }), parts.count % 4 == 3 else {
      return nil
    }
    var taken: Set<Int> = []
    for start in stride(from: 0, to: parts.count, by: 4) {
      guard parts[start + 1].text == "!=", start == 0 || parts[start - 1].text == "&&" else {
        return nil
      }
      let sides = [parts[start], parts[start + 2]].map(identified)
      guard let other = sides.first(where: { $0.dottedNames != [element] }),
        sides.contains(where: { $0.dottedNames == [element] }), let type = type(other)
      else { return nil }
      taken.insert(type)
    }
    return taken
  }

  /// What `ObjectIdentifier(…)` is made of, or the value itself.
  private func identified(_ value: NodeView) -> NodeView {
    guard let steps = value.steps, steps.count == 2,
      steps[0].name?.text == "ObjectIdentifier", let value = steps[1].arguments.first?.value
    else { return value }
    return value
  }

  /// The type of `Trip.self`, also of a constant that holds it.
  private func type(_ value: NodeView) -> Int? {
    if let names = value.metatypeNames { return types.resolve(names, from: value.ref) }
    guard let names = value.dottedNames, let member = types.member(names, from: value.ref),
      let names = types.node(member).child(.expression)?.metatypeNames
    else { return nil }
    return types.resolve(names, from: member.ref)
  }
}
