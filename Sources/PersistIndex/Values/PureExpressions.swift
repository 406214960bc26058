import PersistSyntax

// MARK: - Expressions that may be written again

extension Program {
  /// The text of an argument's or expression's path to a value, such as `self.storage.url`; nil
  /// where something is called or indexed, so that to evaluate it again could do something else.
  package func pathText(_ ref: Ref) -> String? {
    switch kind(ref) {
    case .argument:
      return children(ref).count == 1 ? children(ref).first.flatMap { pathText($0) } : nil
    case .expression:
      let parts = children(ref)
      return parts.count == 1 ? pathText(parts[0]) : nil
    case .chain:
      guard let first = children(ref).first,
        byteRange(first).lowerBound == byteRange(ref).lowerBound
      else { return nil }
      return pathText(children(ref))
    default: return nil
    }
  }

  /// The text of the parts of a chain; nil as for `pathText` of a whole chain.
  package func pathText(_ parts: [Ref]) -> String? {
    var text = ""
    for (index, part) in parts.enumerated() {
      switch kind(part) {
      case .name where index == 0 && isName(part): text += self.text(part)
      case .member where index > 0 && isName(part): text += "." + spelledName(part)
      case .force where index > 0: text += "!"
      default: return nil
      }
    }
    return text.isEmpty ? nil : text
  }

  /// Whether a node is a name without generic arguments that holds the same value when asked again.
  private func isName(_ part: Ref) -> Bool {
    guard part.node >= 0, isPlainName(part) else { return false }
    guard let id = property(usedBy: part), properties[id].isComputed else { return true }
    return isPlainGetter(id)
  }

  /// Whether a computed property calls nothing that makes something new each time.
  private func isPlainGetter(_ id: PropertyID) -> Bool {
    guard let accessors = properties[id].accessors else { return false }
    let body = Ref(file: Int(properties[id].ref.file), node: accessors)
    guard descendants(body, .binaryOperator).allSatisfy({ !isAssigningOperator($0) }) else {
      return false
    }
    return !descendants(body, .call).contains {
      ["UUID", "Date", "random", "randomElement", "now", "next"].contains(calledName($0))
    } && !descendants(body, .member).contains { name($0) == "now" }
  }

  /// Whether a name stands without generic arguments or labels, and isn't `$0` or `$name`.
  private func isPlainName(_ part: Ref) -> Bool {
    let view = view(part)
    let node = view[node: Int(part.node)]
    return (Int(node.first)..<Int(node.end)).allSatisfy { index in
      let token = view[token: index]
      switch token.kind {
      case .leftParen, .binaryOperator, .prefixOperator, .postfixOperator, .dollarIdentifier:
        return false
      default: return view.bytes[Int(token.offset)] != UInt8(ascii: "$")
      }
    }
  }

  /// The code of a node token by token: equal where two nodes are written alike, whatever stands
  /// between their tokens.
  package func tokens(of ref: Ref) -> [Name] {
    let outline = outline(ref)
    return (Int(node(ref).first)..<Int(node(ref).end)).map { outline.name(ofToken: $0) }
  }

  /// The names and signs of a path, token by token, a leading `self` and the marks of optionals left
  /// out: equal where two paths are, whatever stands between their parts.
  package func tokens(ofPath parts: [Ref]) -> [Name] {
    let parts = parts.filter { ![.optionalChain, .force].contains(kind($0)) }
    let isOwn =
      parts.first.map { node($0).end == node($0).first + 1 && name($0) == "self" } ?? false
    var found: [Name] = []
    for part in parts.dropFirst(isOwn ? 1 : 0) {
      let outline = outline(part)
      for token in Int(node(part).first)..<Int(node(part).end)
      where !found.isEmpty || outline.tokens[token].kind != .period {
        found.append(outline.name(ofToken: token))
      }
    }
    return found
  }

  /// A node's name as it is written, backticks with it.
  package func spelledName(_ ref: Ref) -> String {
    let token = node(ref).name
    return token == Node.noToken ? "" : outline(ref).text(ofToken: Int(token))
  }
}
