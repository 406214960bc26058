import PersistSyntax

// MARK: - Expressions of one literal, and names in code

extension Program {
  /// Whether an expression is `nil` and nothing else.
  package func isNil(_ ref: Ref) -> Bool { nodeView(ref).isNil }

  /// What an expression is that is `true` or `false`; nil for any other.
  package func booleanLiteral(_ ref: Ref) -> Bool? { nodeView(ref).booleanLiteral }

  /// Whether a value is `false`, by itself, with a cast, or as `NSNumber(value: false)`.
  package func isFalse(_ value: Ref) -> Bool {
    switch kind(value) {
    case .argument, .expression: return children(value).first.map { isFalse($0) } ?? false
    case .chain:
      let parts = children(value, atMost: 3)
      guard parts.count == 2, kind(parts[1]) == .call, name(parts[0]) == "NSNumber" else {
        return booleanLiteral(value) == false
      }
      return child(parts[1], .argument).map { isFalse($0) } ?? false
    default: return booleanLiteral(value) == false
    }
  }

  /// Whether a name stands anywhere in the code of a node, as a word of its own.
  package func names(_ name: Name, in ref: Ref) -> Bool {
    let outline = outline(ref)
    let node = node(ref)
    return (Int(node.first)..<Int(node.end)).contains { outline.name(ofToken: $0) == name }
  }

  /// The name with which the code of a node begins; `.none` where it begins with none.
  package func firstName(of ref: Ref) -> Name { outline(ref).name(ofToken: Int(node(ref).first)) }

  /// The name with which the code of a node ends, as `automatic` of `.automatic`.
  package func lastName(of ref: Ref) -> Name { outline(ref).name(ofToken: Int(node(ref).end) - 1) }

  /// The string literal without interpolations that an expression or argument is; nil for anything
  /// else.
  package func stringLiteral(_ value: Ref) -> Ref? {
    switch kind(value) {
    case .argument, .expression, .chain:
      let parts = children(value, atMost: 2)
      return parts.count == 1 ? stringLiteral(parts[0]) : nil
    case .string: return children(value, atMost: 1).isEmpty ? value : nil
    default: return nil
    }
  }

  /// The text between the quotes of a string on one line.
  package func stringText(_ string: Ref) -> String {
    let text = text(string)
    return text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      ? String(text.dropFirst().dropLast()) : text
  }

  /// Whether an expression or pattern is `_` and nothing else.
  package func isWildcard(_ ref: Ref) -> Bool { nodeView(ref).onlyToken?.kind == .wildcard }

  /// Whether the code of a node is these names with periods between them and nothing else.
  package func spells(_ names: [Name], _ ref: Ref) -> Bool {
    let outline = outline(ref)
    let node = node(ref)
    guard Int(node.end - node.first) == names.count * 2 - 1 else { return false }
    return names.indices.allSatisfy { index in
      let token = Int(node.first) + index * 2
      return outline.name(ofToken: token) == names[index]
        && (index == 0 || outline.tokens[token - 1].kind == .period)
    }
  }

  /// Whether a keyword stands anywhere in the code of a node.
  package func holds(_ keyword: Keyword, in ref: Ref) -> Bool {
    let view = view(ref)
    let node = view[node: Int(ref.node)]
    return (Int(node.first)..<Int(node.end)).contains { view[token: $0].keyword == keyword }
  }

  /// The numbers in the code of a node, in source order.
  package func numbers(in ref: Ref) -> [Double] {
    let outline = outline(ref)
    let node = node(ref)
    return (Int(node.first)..<Int(node.end)).compactMap { index in
      switch outline.tokens[index].kind {
      case .integer, .float: Double(outline.text(ofToken: index).filter { $0 != "_" })
      default: nil
      }
    }
  }

  /// Whether a string literal in the code of a node holds a text.
  package func holdsString(in ref: Ref, where holds: (String) -> Bool) -> Bool {
    let outline = outline(ref)
    let node = node(ref)
    return (Int(node.first)..<Int(node.end)).contains {
      outline.tokens[$0].kind.isOfString && holds(outline.text(ofToken: $0))
    }
  }

  /// The words of the names and string literals in the code of a node.
  package func words(in ref: Ref) -> [String] {
    let outline = outline(ref)
    let node = node(ref)
    return (Int(node.first)..<Int(node.end)).flatMap { index in
      let kind = outline.tokens[index].kind
      return kind == .identifier || kind.isOfString ? outline.text(ofToken: index).camelWords : []
    }
  }

  /// Whether a name in the code of a node has the word `error`, as `loadError` and `NSError` do.
  package func namesError(in ref: Ref) -> Bool {
    let view = view(ref)
    let node = view[node: Int(ref.node)]
    return (Int(node.first)..<Int(node.end)).contains { view.saysError(token: $0) }
  }
}

extension NodeView {
  /// Whether the node is `nil` and nothing else.
  package var isNil: Bool { onlyToken?.keyword == .nil }

  /// What a node is that is `true` or `false`; nil for any other.
  package var booleanLiteral: Bool? {
    switch onlyToken?.keyword {
    case .true: true
    case .false: false
    default: nil
    }
  }
}

extension OutlineView {
  /// Whether a token is a name with the word `error` or `errors`, if asked for as its last one;
  /// `mirror` has it not.
  package func saysError(token index: Int, atEnd: Bool = false) -> Bool {
    let token = self[token: index]
    guard token.kind == .identifier, token.length >= Self.error.count else { return false }
    let name = UnsafeBufferPointer(start: bytes + Int(token.offset), count: token.length)
    return (0...name.count - Self.error.count).contains { start in
      guard name[start] | 0x20 == Self.error[0],
        (1..<Self.error.count).allSatisfy({ name[start + $0] == Self.error[$0] }),
        // A lower-case word begins the name, or stands behind something that is no letter.
        name[start] < 0x60 || start == 0 || !name[start - 1].isLetter
      else { return false }
      var end = start + Self.error.count
      if end < name.count, name[end] == UInt8(ascii: "s") { end += 1 }
      return end == name.count || !atEnd && !name[end].isLowercase
    }
  }

  private static let error: [UInt8] = Array("error".utf8)
}

extension UInt8 {
  fileprivate var isLowercase: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
  fileprivate var isLetter: Bool { (self | 0x20).isLowercase || self >= 0x80 }
}

extension Token.Kind {
  /// Whether the token is a string literal or a part of one.
  var isOfString: Bool {
    switch self {
    case .string, .stringStart, .stringMiddle, .stringEnd: true
    default: false
    }
  }
}
