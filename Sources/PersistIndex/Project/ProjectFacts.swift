import PersistSyntax

/// What a project says of itself, since its sources don't tell.
package struct ProjectFacts: Sendable {
  /// The names of the versions that have shipped; nil where the order of the versions tells.
  package var released: Set<String>?
  /// Whether the stores sync with CloudKit; nil where the sources tell.
  package var syncs: Bool?
  /// Whether the stores lie in the container of an app group; nil where the sources tell.
  package var isInAppGroup: Bool?
  /// What opens a store.
  package var openers = CallNames()
  /// What copies a store before something is done to it.
  package var backups = CallNames()
  /// What keeps other processes from a store.
  package var locks = CallNames()
  /// What asks the system for time in the background.
  package var assertions = CallNames()

  package init() {}
}

/// Names of functions and types: `open`, `Store.open`, or `Store` for all that it is asked to do.
package struct CallNames: Sendable {
  /// As they were written.
  package let texts: [String]
  let plain: Set<Name>
  /// The types by the names of their functions.
  let owners: [Name: Set<Name>]

  /// Parameters in brackets are left out, and so are all types but the last.
  package init(_ texts: [String] = []) {
    self.texts = texts
    var plain: Set<Name> = []
    var owners: [Name: Set<Name>] = [:]
    for text in texts {
      let parts = CallNames.parts(of: text)
      guard let last = parts.last else { continue }
      if parts.count > 1, last != "init" {
        owners[Name(last), default: []].insert(Name(parts[parts.count - 2]))
      } else {
        plain.insert(Name(last == "init" ? parts[max(parts.count - 2, 0)] : last))
      }
    }
    self.plain = plain
    self.owners = owners
  }

  /// The names of functions, and of types for calls of their initializers.
  var called: Set<Name> { plain.union(owners.keys) }

  fileprivate static func parts(of text: String) -> [String] {
    text.prefix { $0 != "(" }.split(separator: ".").map { part in
      String(part.filter { !$0.isWhitespace })
    }
  }
}

// MARK: - What the project's own names stand for

extension Program {
  /// What the configuration says of the project.
  package var project: ProjectFacts { schemaInput.project }

  /// Whether a `name` or `member` node spells one of the names.
  package func isNamed(_ node: Ref, in names: CallNames) -> Bool {
    guard !names.texts.isEmpty else { return false }
    let name = name(node)
    if names.plain.contains(name) { return true }
    return names.owners[name].map { owners in ownerNames(of: node).contains { owners.contains($0) }
    }
      ?? false
  }

  /// Whether a call is of one of the names, or of something that belongs to a type of that name.
  package func calls(_ call: Ref, oneOf names: CallNames) -> Bool {
    guard !names.texts.isEmpty else { return false }
    if callee(call).contains(where: { isNamed($0, in: names) }) { return true }
    return calledNode(call).map { node in
      ownerNames(of: node).contains { names.plain.contains($0) }
    } ?? false
  }

  /// What the type may be called that a `name` or `member` node belongs to.
  private func ownerNames(of node: Ref) -> [Name] {
    guard kind(node) == .member, let chain = parent(node), kind(chain) == .chain else {
      return enclosingType(node).map { [types[$0].name] } ?? []
    }
    let before = children(chain).filter { $0 < node }.map { name($0) }
    var receiver = type(ofChain: chain, upTo: node).unwrapped
    if case .metatype(let type) = receiver { receiver = type }
    switch receiver {
    case .declared(let type, _): return before + [types[type].name]
    case .external(let name, _): return before + [name]
    default: return before
    }
  }

  /// The calls that open a store by what the configuration says, in source order, with the way in
  /// which each tells its failure.
  package func namedOpenings() -> [(call: Ref, form: Words.Opening)] {
    let names = project.openers
    let found = names.called.flatMap { calls(named: $0) }.filter { call in
      calledNode(call).map { isNamed($0, in: names) } ?? false
    }
    return found.sorted().map { (call: $0, form: namedForm(of: $0)) }
  }

  private func namedForm(of call: Ref) -> Words.Opening {
    if isTried(call) { return .thrown }
    guard let closure = arguments(call).lazy.compactMap({ self.closure(of: $0) }).last else {
      return .missing
    }
    let count = child(closure, .parameters).map { children($0, .parameter).count } ?? 1
    return count > 1 ? .completion(count - 1) : .result(0)
  }

  /// Whether a call opens a store only because the configuration says so.
  package func isNamedOpening(_ call: Ref) -> Bool { calls(call, oneOf: project.openers) }

  /// The parts of the configuration's names that stand nowhere in the sources, in its order.
  package var unusedNames: [String] {
    let all = [project.openers, project.backups, project.locks, project.assertions]
    return all.flatMap(\.texts).flatMap { CallNames.parts(of: $0).suffix(2) }.filter { part in
      let name = Name(part)
      return part != "init" && !files(using: name).contains { spells(name, inFile: $0) }
    }
  }

  private func spells(_ name: Name, inFile file: Int) -> Bool {
    let outline = files[file].outline
    return (0..<outline.tokens.count).contains { token in
      outline.tokens[token].kind == .identifier && outline.name(ofToken: token) == name
    }
  }

  /// The names that the sources call or declare a type by, sorted.
  package var spelledNames: [String] {
    var all = Set(allTypes().map { nameText(types[$0].ref) })
    for (file, source) in files.enumerated() {
      for node in source.outline.nodes.indices
      where [.name, .member].contains(source.outline.nodes[node].kind) {
        all.insert(nameText(Ref(file: file, node: node)))
      }
    }
    return all.filter { !$0.isEmpty }.sorted()
  }
}
