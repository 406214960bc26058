import PersistRules

/// Locations as SARIF has them: columns in UTF-16 units, paths as URIs.
struct SARIFPlaces: Sendable {
  private let sources: [String: [UInt8]]
  private let lineHashes: [String: [String]]

  /// `paths` are those of the files whose lines' hashes will be asked for.
  init(sources: [String: [UInt8]], hashing paths: Set<String>) {
    self.sources = sources
    let hashed = sources.filter { paths.contains($0.key) }
    lineHashes = hashed.mapValues { LineHash.hashes(of: $0) }
  }

  /// The hash of a line, counted from 1; nothing when the file's bytes aren't known.
  func lineHash(of location: Location) -> String? {
    guard let hashes = lineHashes[location.path] else { return nil }
    let index = location.start.line - 1
    return hashes.indices.contains(index) ? hashes[index] : nil
  }

  func location(_ related: RelatedLocation, id: Int? = nil) -> JSON {
    var location: JSON = [:]
    location.add("id", id.map { .integer($0) })
    location.add("physicalLocation", physicalLocation(related.location))
    location.add("message", ["text": .string(related.message)])
    return location
  }

  func physicalLocation(_ location: Location) -> JSON {
    [
      "artifactLocation": ["uri": .string(location.path.uri)],
      "region": region(location),
    ]
  }

  private func region(_ location: Location) -> JSON {
    [
      "startLine": .integer(location.start.line),
      "startColumn": .integer(column(of: location.start, in: location.path)),
      "endLine": .integer(location.end.line),
      "endColumn": .integer(column(of: location.end, in: location.path)),
    ]
  }

  /// A fix as the changes of each file that it touches.
  func fix(_ fix: Fix) -> JSON {
    var paths: [String] = []
    for edit in fix.edits where !paths.contains(edit.range.path) { paths.append(edit.range.path) }
    let changes = paths.map { path in
      let replacements = fix.edits.filter { $0.range.path == path }.map { edit in
        [
          "deletedRegion": region(edit.range),
          "insertedContent": ["text": .string(edit.replacement)],
        ] as JSON
      }
      return [
        "artifactLocation": ["uri": .string(path.uri)], "replacements": .array(replacements),
      ] as JSON
    }
    return ["description": ["text": .string(fix.title)], "artifactChanges": .array(changes)]
  }

  private func column(of position: Position, in path: String) -> Int {
    guard let source = sources[path], let line = SourceLine(at: position, in: source) else {
      return position.column
    }
    return line.utf16Column(ofByteColumn: position.column)
  }
}

extension String {
  /// The path as a relative URI reference, or as a `file:` URI when it is absolute.
  package var uri: String {
    var uri = hasPrefix("/") ? "file://" : ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri += byte < 16 ? "%0" : "%"
        uri += String(byte, radix: 16, uppercase: true)
      }
    }
    return uri
  }
}
