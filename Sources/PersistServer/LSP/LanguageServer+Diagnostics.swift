import PersistPages
import PersistReport
import PersistRules

extension LanguageServer {
  /// Tells the editor what has changed since it was told last.
  mutating func publish() -> [Effect<AnalysisRequest>] {
    var diagnostics: [String: [JSON]] = [:]
    for root in roots {
      let places = Places(root, self)
      for (path, found) in root.findings where speaks(root, for: path) {
        diagnostics[uri(of: path), default: []] += found.compactMap {
          diagnostic($0.finding, places)
        }
      }
    }
    let versions = Dictionary(
      documents.values.map { ($0.uri, $0.version) }, uniquingKeysWith: { first, _ in first })
    var effects: [Effect<AnalysisRequest>] = []
    for uri in Set(diagnostics.keys).union(published.keys).union(versions.keys).sorted() {
      let list = JSON.array(diagnostics[uri] ?? [])
      let (line, version) = (list.line, versions[uri])
      if let old = published[uri], old.line == line, old.version == version { continue }
      // Nothing is to be said of a closed file in which nothing was found.
      if published[uri] == nil, diagnostics[uri] == nil, version == nil { continue }
      let isKept = version != nil || !(diagnostics[uri] ?? []).isEmpty
      published[uri] = isKept ? (line, version) : nil
      var parameters: JSON = ["uri": .string(uri)]
      if client.takesVersionsOfDiagnostics {
        parameters.add("version", version.map { .integer($0) })
      }
      parameters.add("diagnostics", list)
      effects.append(.send(Outgoing.notification("textDocument/publishDiagnostics", parameters)))
    }
    return effects
  }

  /// A finding as the editor shows it; nil where its code is being edited.
  func diagnostic(_ finding: Finding, _ places: Places) -> JSON? {
    guard let range = places.range(finding.location) else { return nil }
    var json: JSON = [
      "range": range, "severity": .integer(finding.severity.number),
      "code": .string(finding.rule.text),
    ]
    if client.showsLinksOfCodes {
      let page = RulePage.all.first { $0.id == finding.rule }
      json.add("codeDescription", page.map { ["href": .string($0.address)] })
    }
    json.add("source", "persistlint")
    json.add("message", .string(finding.message))
    if client.showsRelatedPlaces {
      let related = (finding.related + finding.flow).compactMap { related -> JSON? in
        guard let location = places.location(related.location) else { return nil }
        return ["location": location, "message": .string(related.message)]
      }
      if !related.isEmpty { json.add("relatedInformation", .array(related)) }
    }
    return json
  }
}

/// Brings the places of findings to where the same code stands now.
final class Places {
  private let root: Root
  private let server: LanguageServer
  private var shifts: [String: TextShift] = [:]

  init(_ root: Root, _ server: LanguageServer) {
    self.root = root
    self.server = server
  }

  /// A path of a finding, resolved.
  func absolute(_ path: String) -> String { root.absolute(path) }

  /// As it stands in messages; nil where the code there is being edited.
  func range(_ location: Location) -> JSON? {
    guard let (start, end) = positions(location) else { return nil }
    return ["start": start.json, "end": end.json]
  }

  func location(_ location: Location) -> JSON? {
    range(location).map {
      ["uri": .string(server.uri(of: root.absolute(location.path))), "range": $0]
    }
  }

  /// The first and the last position.
  func positions(_ location: Location) -> (start: TextPosition, end: TextPosition)? {
    let path = root.absolute(location.path)
    let encoding = server.client.encoding
    guard let text = root.texts[path] else {
      return (
        TextPosition(line: location.start.line - 1, character: location.start.column - 1),
        TextPosition(line: location.end.line - 1, character: location.end.column - 1)
      )
    }
    guard let document = server.documents[path] else {
      return (
        text.lines.position(at: location.bytes.lowerBound, in: encoding),
        text.lines.position(at: location.bytes.upperBound, in: encoding)
      )
    }
    let shift = shifts[path] ?? TextShift(from: text.bytes, to: document.bytes)
    shifts[path] = shift
    guard let range = shift.range(location.bytes) else { return nil }
    return (
      document.lines.position(at: range.lowerBound, in: encoding),
      document.lines.position(at: range.upperBound, in: encoding)
    )
  }
}

extension Severity {
  /// As the protocol counts: 1 is an error, 2 a warning, 3 information.
  fileprivate var number: Int {
    switch self {
    case .error: 1
    case .warning: 2
    case .note: 3
    }
  }
}
