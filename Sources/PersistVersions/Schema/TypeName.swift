import PersistIndex
import PersistSyntax

/// A type as it is written, with what schemas ask of it.
indirect enum TypeName: Hashable {
  /// `A.B<C>`: the names, and the generic arguments of the last one.
  case named([String], [TypeName])
  case optional(TypeName)
  case array(TypeName)
  case dictionary(TypeName, TypeName)
  /// A tuple, a function or whatever else; by its text.
  case other(String)

  /// The type that a node spells.
  init(_ node: NodeView) {
    self = TypeView(node).map { TypeName($0) } ?? .other(node.text)
  }

  /// The type that an expression such as `[A.B<C>]` spells.
  init?(expression: NodeView) {
    guard let chain = expression.onlyChain else { return nil }
    let steps = chain.children.filter { $0.kind != .optionalChain }
    guard let type = TypeName(steps: steps) else { return nil }
    self = chain.child(.optionalChain) == nil ? type : .optional(type)
  }

  /// The type that the parts of a chain spell.
  init?(steps: [NodeView]) {
    guard let last = steps.last else { return nil }
    if steps.count == 1, last.kind == .array || last.kind == .dictionary {
      let elements = last.arguments.compactMap(\.value)
        .compactMap { TypeName(expression: $0) }
      switch (last.kind, elements.count) {
      case (.array, 1): self = .array(elements[0])
      case (.dictionary, 2): self = .dictionary(elements[0], elements[1])
      default: return nil
      }
      return
    }
    guard steps[0].kind == .name, let names = NodeView.names(of: steps[...]) else { return nil }
    self.init(names, last.children(TypeView.self).map { TypeName($0) })
  }

  private init(_ names: [String], _ arguments: [TypeName]) {
    switch (names.last, arguments.count) {
    case ("Optional", 1): self = .optional(arguments[0])
    case ("Array", 1), ("Set", 1): self = .array(arguments[0])
    case ("Dictionary", 2): self = .dictionary(arguments[0], arguments[1])
    default: self = .named(names, arguments)
    }
  }

  init(_ written: TypeView) {
    let type = written.withoutParentheses
    func inner(_ type: TypeView?) -> TypeName { type.map { TypeName($0) } ?? .other("") }
    switch type.kind {
    case .optionalType, .unwrappedType:
      let wrapped = inner(type.base)
      if case .optional = wrapped { self = wrapped } else { self = .optional(wrapped) }
    case .arrayType: self = .array(inner(type.base))
    case .dictionaryType:
      self = .dictionary(inner(type.keyAndValue?.key), inner(type.keyAndValue?.value))
    case .someType, .anyType, .attributedType: self = inner(type.base)
    case .namedType, .memberType:
      let names = type.path.map(\.text)
      let isPlain = type.base?.hasGenericArguments != true
      guard !names.isEmpty, isPlain else {
        self = .other(type.text)
        return
      }
      self.init(names, type.genericArguments.map { inner($0) })
    default: self = .other(type.text)
    }
  }

  /// The text of the type in its usual spelling.
  var text: String {
    switch self {
    case .named(let names, let arguments):
      names.joined(separator: ".")
        + (arguments.isEmpty ? "" : "<\(arguments.map(\.text).joined(separator: ", "))>")
    case .optional(let type): type.text + "?"
    case .array(let type): "[\(type.text)]"
    case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
    case .other(let text): text
    }
  }
}

extension TypeView {
  /// The type without parentheses around it.
  fileprivate var withoutParentheses: TypeView {
    var type = self
    while type.elements.count == 1, type.elements[0].label == nil, let inner = type.elements[0].type
    {
      type = inner
    }
    return type
  }

  /// Whether a name before the last one has generic arguments.
  fileprivate var hasGenericArguments: Bool {
    var type: TypeView? = self
    while let next = type {
      if !next.genericArguments.isEmpty { return true }
      type = next.base
    }
    return false
  }
}
