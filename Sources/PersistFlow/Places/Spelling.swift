import PersistIndex
import PersistSyntax

// MARK: - How the code spells what it uses

extension Program {
  /// The chain that a call ends or stands in, so that its receiver is shown as well.
  package func chain(of call: Ref) -> Ref { whole(call) }

  /// The chain that a member, name or call stands in, else the node itself.
  package func whole(_ node: Ref) -> Ref {
    guard kind(node) != .chain, let chain = parent(node), kind(chain) == .chain else { return node }
    return chain
  }

  /// A chain as a message names it, without the arguments of long calls.
  package func shortText(_ chain: Ref) -> String {
    kind(chain) == .chain ? pathText(children(chain)[...]) : text(chain)
  }

  /// What a call is made on, as a message names it.
  package func receiverText(ofCall call: Ref) -> String {
    let called = calledNode(call) ?? call
    return pathText(callee(call).filter { $0 < called }[...])
  }

  /// The names of a chain joined with periods, marks for optionals and a leading `self` left out.
  package func pathText(_ parts: ArraySlice<Ref>) -> String {
    let words = parts.filter { ![.optionalChain, .force].contains(kind($0)) }
    let isOwn = words.count > 1 && name(words[0]) == "self"
    return words.dropFirst(isOwn ? 1 : 0).reduce(into: "") { path, part in
      switch kind(part) {
      case .call, .subscriptSuffix: path += suffixText(part)
      default: path += (path.isEmpty ? "" : ".") + text(part).trimmedDot
      }
    }
  }

  /// What stands in the brackets of a call or subscript, as far as it is short.
  private func suffixText(_ part: Ref) -> String {
    let text = text(part)
    guard text.contains("{") || text.contains("\n") || text.utf8.count > Self.longSuffix else {
      return text
    }
    return kind(part) == .call ? "(…)" : "[…]"
  }

  private static let longSuffix = 24

  /// The text before a member, where it is a short one: `trip` in `trip.title`.
  package func valueText(before node: Ref) -> String? {
    guard kind(node) == .member, let chain = parent(node), kind(chain) == .chain else { return nil }
    var parts: [String] = []
    for part in children(chain) {
      if part == node { break }
      switch kind(part) {
      case .name, .member: parts.append(nameText(part))
      case .optionalChain, .force: continue
      default: return nil
      }
    }
    if parts.count > 1, parts[0] == "self" { parts.removeFirst() }
    return parts.isEmpty || parts.count > 3 ? nil : parts.joined(separator: ".")
  }

  /// What a member is read of, as the last name of it; a name by itself where nothing stands before.
  package func holder(ofMember member: Ref) -> Ref {
    guard let chain = parent(member), kind(chain) == .chain else { return member }
    return children(chain).last { $0 < member && [.name, .member].contains(kind($0)) } ?? member
  }

  /// The name with which the chain around a node begins; "" where it begins with none.
  package func headText(of node: Ref) -> String {
    parent(node).flatMap { firstChild($0) }.map { nameText($0) } ?? ""
  }

  /// What is assigned to what ends with a node, as it is written.
  package func textAssigned(to node: Ref) -> String? {
    valueAssigned(to: node)?.first.map { text($0) }
  }

  /// The names that tell what a place is for: those of the declarations around it, and of the local
  /// that it is a value of.
  package func namesAround(_ place: Ref) -> [String] {
    let holder = ancestors(place).first { kind($0) == .binding }
    return [symbol(place)] + (holder.map { [nameText($0)] } ?? [])
  }
}

extension String {
  fileprivate var trimmedDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}

// MARK: - Parts of a chain

extension Program {
  /// The name or member that stands right before a member: `trip` in `trip.title`.
  package func nameBefore(member: Ref) -> Ref? {
    guard kind(member) == .member, let chain = parent(member), kind(chain) == .chain else {
      return nil
    }
    let before = children(chain).prefix { $0 != member }.last {
      kind($0) != .optionalChain && kind($0) != .force
    }
    return before.flatMap { [.name, .member, .implicitMember].contains(kind($0)) ? $0 : nil }
  }

  /// Whether a chain may stop at a `?` before one of its parts.
  package func mayStop(before part: Ref) -> Bool {
    parent(part).map { children($0, .optionalChain).contains { $0 < part } } ?? false
  }

  /// Whether a method is called without arguments for what it returns.
  package func isAskedForResult(_ method: Ref) -> Bool {
    guard let chain = parent(method),
      let call = children(chain, .call).first(where: { $0 > method }), firstChild(call) == nil,
      let holder = parent(chain).flatMap({ parent($0) })
    else { return false }
    return kind(holder) != .block && kind(holder) != .closure
  }

  /// Whether some code names types and their members alone, which mean the same in each file.
  package func namesOnlyTypes(in code: Ref) -> Bool {
    descendants(code, .name).allSatisfy { nameText($0).first?.isUppercase == true }
  }
}
