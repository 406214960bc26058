import PersistSyntax

extension ListReader {
  /// What `filter { $0 != Trip.self }` leaves of a list of types; nil when that can't be told.
  func filter(_ list: [Part], by call: Part) -> [Part]? {
    let closures = call.all(.closure) + call.all(.argument).compactMap { $0.first(.closure) }
    guard closures.count == 1, let taken = takenOut(by: closures[0]) else { return nil }
    var rest: [Part] = []
    for element in list {
      guard let type = type(element) else { return nil }
      if !taken.contains(type) { rest.append(element) }
    }
    return rest
  }

  /// The types that a condition of nothing but `!=` and `&&` takes out.
  private func takenOut(by closure: Part) -> Set<Int>? {
    let statements = closure.children.filter {
      ![.captures, .parameters, .attribute].contains($0.kind)
    }
    guard statements.count == 1 else { return nil }
    let condition =
      statements[0].kind == .returnStatement ? statements[0].first(.expression) : statements[0]
    let element = closure.first(.parameters)?.first(.parameter)?.name ?? "$0"
    guard let parts = condition?.children, parts.count % 4 == 3 else { return nil }
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

  /// What `ObjectIdentifier(…)` is made of, or the part itself.
  private func identified(_ part: Part) -> Part {
    guard let steps = part.onlyChain?.children, steps.count == 2,
      steps[0].name == "ObjectIdentifier", let value = steps[1].first(.argument)?.argumentValue
    else { return part }
    return value
  }

  /// The type of `Trip.self`, also of a constant that holds it.
  private func type(_ part: Part) -> Int? {
    if let names = part.metatypeNames {
      return types.resolve(names, from: part)
    }
    guard let names = part.dottedNames, let member = types.member(names, from: part),
      let names = member.part.first(.expression)?.metatypeNames,
      let type = types.resolve(names, from: member.part)
    else { return nil }
    return type
  }
}
