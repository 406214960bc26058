/// What a store keeps for a value: a Core Data type, or a structure that is stored as columns.
package indirect enum StoredType: Hashable, Sendable {
  case integer16, integer32, integer64, float, double, decimal
  case boolean, string, date, data, uuid, url, objectID
  /// A value that a value transformer turns into data.
  case transformable
  /// A Codable struct stored directly, one column a member.
  case composite([Member])
  /// An enum with a raw value; its cases, in the order of their names, are not in the version hash.
  case rawEnum(raw: String, cases: [String])
  /// An enum with payloads; each case is a member whose type is the text of its payload.
  case payloadEnum([Member])
  /// An array, set or dictionary of values; the members of a struct in it are not in the hash.
  case collection(element: String, members: [Member])
  /// A type that the sources don't tell, by its text.
  case unknown(String)

  /// The type as the lock file writes it.
  package var spelling: String {
    switch self {
    case .composite: "struct"
    case .rawEnum(let raw, _): "enum \(raw)"
    case .payloadEnum: "enum"
    case .collection: "collection"
    case .unknown(let text): "?\(text)"
    default: Self.words.first { $0.type == self }?.word ?? "?"
    }
  }

  /// The type with this spelling; structures come without members.
  package init(spelling: String) {
    if let known = Self.words.first(where: { $0.word == spelling })?.type {
      self = known
    } else if spelling == "struct" {
      self = .composite([])
    } else if spelling == "enum" {
      self = .payloadEnum([])
    } else if spelling.hasPrefix("enum ") {
      self = .rawEnum(raw: String(spelling.dropFirst(5)), cases: [])
    } else if spelling == "collection" {
      self = .collection(element: "", members: [])
    } else {
      self = .unknown(spelling.hasPrefix("?") ? String(spelling.dropFirst()) : spelling)
    }
  }

  private static let words: [(word: String, type: StoredType)] = [
    ("Int16", .integer16), ("Int32", .integer32), ("Int64", .integer64), ("Float", .float),
    ("Double", .double), ("Decimal", .decimal), ("Bool", .boolean), ("String", .string),
    ("Date", .date), ("Data", .data), ("UUID", .uuid), ("URL", .url), ("ObjectID", .objectID),
    ("Transformable", .transformable),
  ]

  /// Types that inferred migration can't turn into each other belong to different families.
  package enum Family: Sendable {
    case number, boolean, text, date, data, uuid, url, objectID, transformable, structure,
      collection
    case unknown
  }

  /// The family that decides whether a change of type can be inferred.
  package var family: Family {
    switch self {
    case .integer16, .integer32, .integer64, .float, .double, .decimal: .number
    case .boolean: .boolean
    case .string: .text
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .url: .url
    case .objectID: .objectID
    case .transformable: .transformable
    case .composite, .payloadEnum: .structure
    case .rawEnum(let raw, _): StoredType(spelling: raw).family
    case .collection: .collection
    case .unknown: .unknown
    }
  }

  /// Whether every value of this number type fits into `other`.
  package func widens(to other: StoredType) -> Bool {
    switch (self, other) {
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64): true
    case (.float, .double): true
    default: false
    }
  }

  /// The members of the structure, the payload cases, or the members of a collection's element.
  package var members: [Member] {
    switch self {
    case .composite(let members), .payloadEnum(let members): members
    case .collection(_, let members): members
    default: []
    }
  }

  /// Whether the sources tell this type and that of every member.
  package var isKnown: Bool {
    if case .unknown = self { return false }
    return members.allSatisfy { $0.type.isKnown }
  }
}

/// A stored member of a Codable type, or a case of an enum with payloads.
package struct Member: Hashable, Sendable {
  package var name: String
  package var type: StoredType
  package var isOptional: Bool
  /// The text of the default on the declaration; nil for none.
  package var defaultText: String?

  package init(
    name: String, type: StoredType, isOptional: Bool = false, defaultText: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultText = defaultText
  }
}
