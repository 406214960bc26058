import PersistReport

extension LanguageServer {
  /// Patterns of the files whose changes change findings.
  private static let watched = [
    "**/*.swift", "**/*.xcdatamodel/contents", "**/.xccurrentversion", "**/*.xcmappingmodel/**",
    "**/.persistlint.json", "**/persistlint.lock", "**/.persistlint-baseline", "**/*.pbxproj",
    "**/*.xcconfig", "**/*.entitlements", "**/project.yml", "**/.gitignore",
  ]

  mutating func initialize(_ parameters: JSON) -> JSON {
    phase = .running
    client = ClientCapabilities(parameters["capabilities"])
    let folders = parameters["workspaceFolders"]?.array?.compactMap { $0["uri"]?.string } ?? []
    let root =
      parameters["rootUri"]?.string.flatMap { FileURI.path(of: $0) }
      ?? parameters["rootPath"]?.string
    let paths =
      folders.isEmpty ? [root].compactMap { $0 } : folders.compactMap { FileURI.path(of: $0) }
    for path in paths { addRoot(path) }
    return [
      "capabilities": [
        "positionEncoding": .string(client.encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]],
        "hoverProvider": true, "codeActionProvider": ["codeActionKinds": ["quickfix"]],
        "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
      ],
      "serverInfo": ["name": "persistlint", "version": .string(program)],
    ]
  }

  /// Looks at all roots for the first time.
  mutating func begin(at now: Double) -> [Effect<AnalysisRequest>] {
    var effects: [Effect<AnalysisRequest>] = []
    if client.watchesFiles {
      number += 1
      let watchers = Self.watched.map { ["globPattern": .string($0)] as JSON }
      effects.append(
        .send(
          Outgoing.request(
            .integer(number), "client/registerCapability",
            [
              "registrations": [
                [
                  "id": "persistlint-files", "method": "workspace/didChangeWatchedFiles",
                  "registerOptions": ["watchers": .array(watchers)],
                ]
              ]
            ])))
    }
    for index in roots.indices { touch(index, at: now) }
    return effects + startDue(at: now)
  }

  mutating func changeFolders(_ parameters: JSON, at now: Double) -> [Effect<AnalysisRequest>] {
    var effects: [Effect<AnalysisRequest>] = []
    for folder in parameters["event"]?["removed"]?.array ?? [] {
      guard let path = folder["uri"]?.string.flatMap({ FileURI.path(of: $0) }),
        let index = roots.firstIndex(where: { $0.given == path && !$0.isImplicit })
      else { continue }
      effects += removeRoot(index)
    }
    for folder in parameters["event"]?["added"]?.array ?? [] {
      guard let path = folder["uri"]?.string.flatMap({ FileURI.path(of: $0) }) else { continue }
      if let index = addRoot(path) { touch(index, at: now) }
    }
    for path in documents.keys.sorted() where !roots.contains(where: { $0.holds(path) }) {
      addImplicitRoot(around: path, at: now)
    }
    return effects + publish() + startDue(at: now)
  }

  /// The index of a new root; nil for one that is there, or can't be.
  @discardableResult
  mutating func addRoot(_ path: String, isImplicit: Bool = false) -> Int? {
    guard let folder = surroundings.resolve(path),
      !roots.contains(where: { $0.folder == folder })
    else { return nil }
    roots.append(Root(given: path, folder: folder, isImplicit: isImplicit))
    return roots.count - 1
  }

  mutating func addImplicitRoot(around path: String, at now: Double) {
    guard let index = addRoot(surroundings.project(path), isImplicit: true) else { return }
    touch(index, at: now)
  }

  /// Forgets a root; what it showed goes with the next `publish`.
  mutating func removeRoot(_ index: Int) -> [Effect<AnalysisRequest>] {
    let root = roots.remove(at: index)
    var effects: [Effect<AnalysisRequest>] = []
    if let job = root.job {
      effects = [.cancel(job.number)] + endProgress(of: job, "stopped")
    }
    return effects
  }

  /// Stops all that is being done.
  mutating func stopAll() -> [Effect<AnalysisRequest>] {
    var effects: [Effect<AnalysisRequest>] = []
    for index in roots.indices {
      roots[index].due = nil
      if let job = roots[index].job { effects.append(.cancel(job.number)) }
      roots[index].job = nil
    }
    return effects
  }

  /// The root that speaks for a file: the innermost that holds it, else the one that found it.
  func speaks(_ root: Root, for path: String) -> Bool {
    let holders = roots.filter { $0.holds(path) }
    guard let innermost = holders.max(by: { $0.folder.utf8.count < $1.folder.utf8.count }) else {
      return true
    }
    return innermost.folder == root.folder
  }

  /// The URI of a resolved path, as the editor names it.
  func uri(of path: String) -> String {
    if let document = documents[path] { return document.uri }
    let holder = roots.filter { $0.holds(path) }
      .max { $0.folder.utf8.count < $1.folder.utf8.count }
    guard let holder, holder.given != holder.folder else { return FileURI.uri(of: path) }
    return FileURI.uri(of: holder.given + path.dropFirst(holder.folder.count))
  }
}
