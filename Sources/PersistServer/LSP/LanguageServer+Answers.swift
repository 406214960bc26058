import PersistPages
import PersistReport
import PersistRules

extension LanguageServer {
  /// Answers a question about a file, at once or when its findings are those of its text.
  mutating func ask(
    _ question: Question, _ id: RequestID, _ parameters: JSON, at now: Double
  ) -> [Effect<AnalysisRequest>] {
    guard let path = parameters["textDocument"]?["uri"]?.string.flatMap({ self.path(of: $0) }),
      documents[path] != nil
    else { return [.send(Outgoing.response(id, .success(.null)))] }
    let late = roots.indices.filter { roots[$0].holds(path) && !roots[$0].isUpToDate }
    guard !late.isEmpty else {
      return [.send(Outgoing.response(id, .success(answer(question, path))))]
    }
    waiting.append(Waiting(id: id, question: question, path: path))
    // Who asks doesn't want to wait for a pause.
    for index in late where roots[index].due != nil { roots[index].due = now }
    return startDue(at: now)
  }

  /// Answers those for whom all is there.
  mutating func answerWaiting() -> [Effect<AnalysisRequest>] {
    let ready = waiting.filter { one in
      roots.allSatisfy { !$0.holds(one.path) || $0.isUpToDate }
    }
    waiting.removeAll { one in ready.contains { $0.id == one.id } }
    return ready.map {
      .send(Outgoing.response($0.id, .success(answer($0.question, $0.path))))
    }
  }

  private func answer(_ question: Question, _ path: String) -> JSON {
    switch question {
    case .hover(let position): hover(at: position, in: path)
    case .actions(let start, let end): .array(actions(from: start, to: end, in: path))
    }
  }

  /// The findings of a file that touch a stretch of it, with the root that found them.
  private func found(
    from start: TextPosition, to end: TextPosition, in path: String
  ) -> [(judged: Judged, places: Places)] {
    var found: [(judged: Judged, places: Places)] = []
    for root in roots where speaks(root, for: path) {
      let places = Places(root, self)
      for judged in root.findings[path] ?? [] {
        if let place = places.positions(judged.finding.location), place.start <= end,
          start <= place.end
        {
          found.append((judged, places))
        }
      }
    }
    return found
  }

  // MARK: Hovers

  private func hover(at position: TextPosition, in path: String) -> JSON {
    let found = found(from: position, to: position, in: path)
    guard let first = found.first else { return .null }
    var pages: [RulePage] = []
    for (judged, _) in found where !pages.contains(where: { $0.id == judged.finding.rule }) {
      pages += RulePage.all.filter { $0.id == judged.finding.rule }
    }
    let texts = pages.map { page in
      "\(page.body.trimmed)\n\n[\(page.id)](\(page.address))"
    }
    var json: JSON = [
      "contents": [
        "kind": client.takesMarkdown ? "markdown" : "plaintext",
        "value": .string(texts.joined(separator: "\n\n---\n\n")),
      ]
    ]
    json.add("range", first.places.range(first.judged.finding.location))
    return json
  }

  // MARK: Code actions

  private func actions(
    from start: TextPosition, to end: TextPosition, in path: String
  ) -> [JSON] {
    let found = found(from: start, to: end, in: path)
    let fixes = found.compactMap { judged, places in
      judged.finding.fix.flatMap { action($0, for: judged, places) }
    }
    let comments = found.compactMap { judged, places in
      judged.suppression.flatMap { comment in
        let title = "Silence \(judged.finding.rule) here, and say why in a comment"
        let fix = Fix(title: title, isSafe: false, edits: comment.edits)
        return action(fix, for: judged, places)
      }
    }
    return fixes + comments
  }

  private func action(_ fix: Fix, for judged: Judged, _ places: Places) -> JSON? {
    guard let edit = edit(fix, places) else { return nil }
    var json: JSON = ["title": .string(fix.title), "kind": "quickfix"]
    json.add(
      "diagnostics", diagnostic(judged.finding, places).map { .array([$0]) })
    if client.knowsPreferredActions, fix.isSafe { json.add("isPreferred", true) }
    json.add("edit", edit)
    return json
  }

  /// Nil where some of the code to change is being edited.
  private func edit(_ fix: Fix, _ places: Places) -> JSON? {
    var edits: [(path: String, edits: [JSON])] = []
    for edit in fix.edits {
      guard let range = places.range(edit.range) else { return nil }
      let json: JSON = ["range": range, "newText": .string(edit.replacement)]
      let path = places.absolute(edit.range.path)
      if let index = edits.firstIndex(where: { $0.path == path }) {
        edits[index].edits.append(json)
      } else {
        edits.append((path, [json]))
      }
    }
    guard client.takesDocumentChanges else {
      var changes: JSON = [:]
      for file in edits { changes.add(uri(of: file.path), .array(file.edits)) }
      return ["changes": changes]
    }
    let changes = edits.map { file in
      let version = documents[file.path].map { JSON.integer($0.version) } ?? .null
      return [
        "textDocument": ["uri": .string(uri(of: file.path)), "version": version],
        "edits": .array(file.edits),
      ] as JSON
    }
    return ["documentChanges": .array(changes)]
  }
}

extension TextPosition: Comparable {
  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

extension String {
  /// Without empty lines around it.
  fileprivate var trimmed: Substring {
    var rest = self[...]
    while rest.first?.isNewline ?? false { rest.removeFirst() }
    while rest.last?.isNewline ?? false { rest.removeLast() }
    return rest
  }
}
