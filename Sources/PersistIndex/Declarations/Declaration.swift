import PersistSyntax

/// The index of a type in `Program.types`.
package typealias TypeID = Int
/// The index of a function in `Program.functions`.
package typealias FunctionID = Int
/// The index of a property in `Program.properties`.
package typealias PropertyID = Int

/// A class, struct, enum, actor, protocol or typealias of the sources, with all its extensions.
package struct TypeDeclaration: Sendable {
  package internal(set) var ref: Ref
  package let kind: Node.Kind
  package let name: Name
  /// The enclosing type, if the type is nested; set for extensions' nested types as well.
  package internal(set) var parent: TypeID?
  /// The names of the attributes, such as `Model`.
  package let attributes: [Name]
  /// Whether other files can't name it.
  let isPrivate: Bool
  /// The extensions that name this type.
  package internal(set) var extensions: [Ref] = []
  package internal(set) var functions: [FunctionID] = []
  package internal(set) var properties: [PropertyID] = []
  package internal(set) var nested: [TypeID] = []
}

/// A parameter of a function.
package struct Parameter: Sendable {
  package let node: Int
  /// The argument label; `.none` where it is `_`.
  package let label: Name
  package let name: Name
  /// The type node, if there is one.
  package let type: Int?
  package let hasDefault: Bool
  package let isVariadic: Bool
}

/// A function, initializer, subscript or accessor of the sources.
package struct FunctionDeclaration: Sendable {
  package internal(set) var ref: Ref
  package let kind: Node.Kind
  package let name: Name
  package internal(set) var owner: TypeID?
  package let parameters: [Parameter]
  package let flags: Node.Flags
  package let isStatic: Bool
  package let isPrivate: Bool
  package let attributes: [Name]
  package let modifiers: [Name]
  /// The node of the result type, if one is written.
  package let result: Int?
  /// The block node, if there is a body.
  package let body: Int?
  package let returnsNever: Bool

  package var isThrowing: Bool { flags.contains(.isThrowing) }
  package var isAsync: Bool { flags.contains(.isAsync) }
}

/// A stored or computed property, or a variable at top level.
package struct PropertyDeclaration: Sendable {
  /// The binding node.
  package internal(set) var ref: Ref
  /// The `var` or `let` node around it.
  package let declaration: Int
  package let name: Name
  package internal(set) var owner: TypeID?
  package let type: Int?
  package let initializer: Int?
  package let accessors: Int?
  /// Has a getter in braces and so no storage.
  package let isComputed: Bool
  package let isStatic: Bool
  package let isLet: Bool
  package let attributes: [Name]
  package let modifiers: [Name]

  /// Whether other files can't name it.
  var isPrivate: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }
}
