import PersistReport

/// A tool as agents see it.
struct Tool: Sendable {
  let name: String
  let title: String
  let description: String
  /// The JSON schemas of its arguments, by their names.
  let arguments: [(name: String, schema: JSON)]
  var required: [String] = []
  let output: JSON

  /// The tool's definition in a revision of the protocol.
  func json(in version: ProtocolVersion) -> JSON {
    var json: JSON = ["name": .string(name)]
    if version.hasStructure { json.add("title", .string(title)) }
    json.add("description", .string(description))
    json.add("inputSchema", input)
    if version.hasStructure { json.add("outputSchema", output) }
    if version.hasAnnotations {
      json.add(
        "annotations",
        [
          "title": .string(title), "readOnlyHint": true, "destructiveHint": false,
          "idempotentHint": true, "openWorldHint": false,
        ])
    }
    return json
  }

  private var input: JSON {
    var properties: JSON = [:]
    for argument in arguments { properties.add(argument.name, argument.schema) }
    var json: JSON = ["type": "object", "properties": properties]
    if !required.isEmpty { json.add("required", .array(required.map { .string($0) })) }
    json.add("additionalProperties", false)
    return json
  }
}

extension Tool {
  static let all = [lint, explain, rules, schema, schemaDiff, freeze, store]

  private static let lint = Tool(
    name: "lint", title: "Find persistence bugs",
    description: """
      Finds bugs in Swift code that uses SwiftData, Core Data, GRDB or Realm: crashes at launch, \
      lost data, wrong threads, broken migrations. It reads the sources of the whole project and \
      builds nothing. Call it after each change of models, schema versions, containers, contexts \
      or saves. Each finding says what happens to users, what to write instead, and its fix as \
      edits where there is one. Pass `text` and `path` to judge code before it is written to disk.
      """,
    arguments: [
      (
        "paths",
        list(
          "Files and folders to report on, relative to the project; by default all of it. Files "
            + "are judged together with the rest of their project.")
      ),
      ("text", text("Code to judge in place of what the file at `path` holds.")),
      ("path", text("The file that `text` is for; it needn't be there yet.")),
      ("rules", list("Judge by these rules and groups alone, such as `schema`.")),
      (
        "limit",
        [
          "type": "integer", "minimum": 1, "maximum": 1000, "default": 50,
          "description": "The most findings to return; errors come first.",
        ]
      ),
    ],
    output: object([
      ("summary", text("What was looked at and how much was found.")),
      ("findings", ["type": "array", "items": finding]),
      ("omitted", integer("How many findings had no room.")),
      ("notices", list("What could not be read or judged.")),
    ]))

  private static let explain = Tool(
    name: "explain", title: "Explain a rule",
    description: """
      Returns the page of a rule: why it matters, wrong and right code, and when it is silent. \
      Read it before you fix a finding whose message isn't enough.
      """,
    arguments: [("rule", text("The rule's id, such as `swallowed-save-error`."))],
    required: ["rule"],
    output: object([
      ("rule", text()), ("group", text()),
      ("severity", text("`off` where it has to be asked for.")),
      ("since", text()), ("address", text()), ("page", text("Markdown.")),
    ]))

  private static let rules = Tool(
    name: "rules", title: "List the rules",
    description: "Lists all rules, or those of a group, each with what it prevents.",
    arguments: [("group", text("Such as `store`, `schema`, `concurrency` or `lifetime`."))],
    output: object([
      (
        "rules",
        [
          "type": "array",
          "items": object([
            ("rule", text()), ("group", text()), ("severity", text()), ("title", text()),
          ]),
        ]
      )
    ]))

  private static let schema = Tool(
    name: "schema", title: "Show the schema versions",
    description: """
      Shows the schema versions of the project in their order, what each migration step changes \
      and whether old stores open, and which versions are frozen because they have shipped. \
      Never edit a frozen version: add a new one. With `version`, it lists that version's entities.
      """,
    arguments: [("version", text("Show the entities of this version too."))],
    output: object(
      [
        (
          "versions",
          [
            "type": "array",
            "items": object(
              [("name", text()), ("frozen", boolean()), ("models", list(""))],
              optional: [
                ("path", text()), ("identifier", text()),
                ("entities", ["type": "object", "additionalProperties": list("")]),
                ("notResolved", list("")),
              ]),
          ]
        ),
        (
          "steps",
          [
            "type": "array",
            "items": object(
              [("from", text()), ("to", text()), ("verdict", text()), ("changes", list(""))],
              optional: [("stage", text())]),
          ]
        ),
      ],
      optional: [("notices", list(""))]))

  private static let schemaDiff = Tool(
    name: "schema_diff", title: "Compare two schema versions",
    description: """
      Lists each change between two schema versions with its verdict: whether a lightweight \
      migration does it, it needs a custom stage, it loses data, or old stores can't be opened. \
      A version may be of another commit: `v1.0:SchemaV1`.
      """,
    arguments: [
      ("from", text("The older version, such as `SchemaV1` or `main:SchemaV1`.")),
      ("to", text("The newer version.")),
    ], required: ["from", "to"],
    output: object(
      [
        ("from", text()), ("to", text()), ("twins", boolean()),
        (
          "changes",
          [
            "type": "array",
            "items": object(
              [("subject", text()), ("aspect", text()), ("reason", text())],
              optional: [
                ("before", text()), ("after", text()), ("verdict", text()), ("code", integer("")),
              ]),
          ]
        ),
      ],
      optional: [("verdict", text())]))

  private static let freeze = Tool(
    name: "freeze", title: "Preview a freeze",
    description: """
      Shows what `persistlint freeze` would record in the lock file as shipped. It writes nothing: \
      a person runs `persistlint freeze` at a release.
      """,
    arguments: [
      (
        "all",
        [
          "type": "boolean", "default": false,
          "description": "The newest version too, as for a release.",
        ]
      )
    ],
    output: object([
      ("lock", text("The lock file.")), ("added", list("What would be recorded.")),
      ("leftOut", list("What would not be, and why.")),
      ("difference", text("What would change in the lock, as a diff.")),
    ]))

  private static let store = Tool(
    name: "store", title: "Read a store file",
    description: """
      Reads a store file (SQLite of SwiftData, Core Data or GRDB) without changing it: its model, \
      tables, row counts and history. With `paths`, it says which schema version of the sources \
      wrote it and whether the app opens it.
      """,
    arguments: [
      ("file", text("The store, such as `default.store`.")),
      ("paths", list("Compare with the sources there; `.` is the project.")),
    ], required: ["file"],
    output: [
      "type": "object",
      "properties": ["version": integer(""), "path": text(), "maker": text()],
      "required": ["version", "path", "maker"],
    ])

  // MARK: Schemas

  private static let finding = object(
    [
      ("rule", text()), ("severity", ["type": "string", "enum": ["error", "warning", "note"]]),
      ("path", text()), ("line", integer("From 1.")),
      ("column", integer("From 1, in UTF-8 bytes.")), ("endLine", integer("")),
      ("endColumn", integer("Behind the last byte.")),
      ("message", text("What happens to users; then what to write.")),
    ],
    optional: [
      (
        "related",
        [
          "type": "array",
          "items": object([
            ("path", text()), ("line", integer("")), ("column", integer("")), ("message", text()),
          ]),
        ]
      ),
      (
        "fix",
        object([
          ("title", text()),
          ("safe", boolean("Whether the program does the same afterwards, but for the bug.")),
          (
            "edits",
            [
              "type": "array",
              "items": object([
                ("path", text()), ("line", integer("")), ("column", integer("")),
                ("endLine", integer("")), ("endColumn", integer("")),
                ("replacement", text()),
              ]),
            ]
          ),
        ])
      ),
    ])

  private static func object(
    _ members: [(name: String, schema: JSON)], optional: [(name: String, schema: JSON)] = []
  ) -> JSON {
    var properties: JSON = [:]
    for member in members + optional { properties.add(member.name, member.schema) }
    return [
      "type": "object", "properties": properties,
      "required": .array(members.map { .string($0.name) }),
    ]
  }

  private static func described(_ type: String, _ description: String) -> JSON {
    var json: JSON = ["type": .string(type)]
    if !description.isEmpty { json.add("description", .string(description)) }
    return json
  }

  private static func text(_ description: String = "") -> JSON { described("string", description) }
  private static func integer(_ description: String) -> JSON { described("integer", description) }
  private static func boolean(_ description: String = "") -> JSON {
    described("boolean", description)
  }

  private static func list(_ description: String) -> JSON {
    var json = described("array", description)
    json.add("items", text())
    return json
  }
}
