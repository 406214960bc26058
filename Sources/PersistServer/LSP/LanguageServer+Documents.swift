import PersistReport

extension LanguageServer {
  mutating func open(_ parameters: JSON, at now: Double) -> [Effect<AnalysisRequest>] {
    guard let document = parameters["textDocument"], let uri = document["uri"]?.string,
      let path = path(of: uri), let text = document["text"]?.string
    else { return [] }
    documents[path] = TextDocument(
      uri: uri, version: document["version"]?.integer ?? 0, text: text)
    guard roots.contains(where: { $0.holds(path) }) else {
      addImplicitRoot(around: path, at: now)
      return startDue(at: now)
    }
    // Most texts are opened as they stand on the disk, and known so.
    touch(path, at: now)
    return startDue(at: now)
  }

  mutating func change(_ parameters: JSON, at now: Double) -> [Effect<AnalysisRequest>] {
    guard let document = parameters["textDocument"],
      let path = document["uri"]?.string.flatMap({ self.path(of: $0) }), documents[path] != nil
    else { return [] }
    for change in parameters["contentChanges"]?.array ?? [] {
      documents[path]?.apply(change, in: client.encoding)
    }
    if let version = document["version"]?.integer { documents[path]?.version = version }
    touch(path, at: now + Self.pause)
    return []
  }

  mutating func save(_ parameters: JSON, at now: Double) -> [Effect<AnalysisRequest>] {
    guard let path = parameters["textDocument"]?["uri"]?.string.flatMap({ self.path(of: $0) })
    else { return [] }
    touch(path, at: now)
    return startDue(at: now)
  }

  mutating func close(_ parameters: JSON, at now: Double) -> [Effect<AnalysisRequest>] {
    guard let path = parameters["textDocument"]?["uri"]?.string.flatMap({ self.path(of: $0) }),
      documents.removeValue(forKey: path) != nil
    else { return [] }
    let left = waiting.filter { $0.path == path }
    waiting.removeAll { $0.path == path }
    var effects: [Effect<AnalysisRequest>] = left.map {
      .send(Outgoing.response($0.id, .success(.null)))
    }
    let idle = roots.firstIndex { root in
      root.isImplicit && !documents.keys.contains { root.holds($0) }
    }
    if let idle { effects += removeRoot(idle) + publish() }
    touch(path, at: now)
    return effects + startDue(at: now)
  }

  /// Files were made, changed or deleted by somebody else.
  mutating func changedOutside(_ parameters: JSON, at now: Double) -> [Effect<AnalysisRequest>] {
    for change in parameters["changes"]?.array ?? [] {
      guard let path = change["uri"]?.string.flatMap({ self.path(of: $0) }) else { continue }
      // Tools change many files at once, each with a message of its own.
      touch(path, at: now + Self.pause)
    }
    return []
  }

  /// Notes that a file is no longer what was judged; its roots are looked at again at a time.
  mutating func touch(_ path: String, at time: Double) {
    for index in roots.indices where roots[index].holds(path) { touch(index, at: time) }
  }

  /// Notes that a root has to be looked at again.
  mutating func touch(_ index: Int, at time: Double) {
    roots[index].wanted += 1
    roots[index].due = time
  }

  /// The resolved path of a URI; nil for what is no file.
  func path(of uri: String) -> String? {
    FileURI.path(of: uri).map { surroundings.resolve($0) ?? $0 }
  }
}
