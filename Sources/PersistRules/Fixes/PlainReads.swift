import PersistFlow
import PersistIndex
import PersistSyntax

/// A place that reads one property of a model.
struct PlainRead: Sendable {
  /// The property's name.
  let property: String
  /// The model as it is written there, such as `self.trip`; "" for a property of `self`.
  let model: String
  /// The bytes from the model to the property.
  let range: Range<Int>
}

// MARK: - Values that can be taken out of a closure

extension Program {
  private static var mostReads: Int { 200 }

  /// The reads of a captured model, when a closure does nothing else with it and all that it reads
  /// are values that any thread may have; nil otherwise.
  func plainReads(of capture: Capture) -> [PlainRead]? {
    let body = capture.body
    guard kind(body) == .closure, case .declared(let model, _) = capture.type else { return nil }
    var reads: [PlainRead] = []
    let uses = capture.neighbors
    guard uses.count <= Self.mostReads else { return nil }
    let places = Set(capture.uses.map(\.place))
    for use in uses where sharesValue(use, with: capture) {
      guard use.source == capture.source || capture.value == "self", places.contains(use.place),
        let name = chainBegin(of: use.place), !isBound(name, in: body),
        let read = plainRead(use, begin: name, of: model)
      else { return nil }
      reads.append(read)
    }
    guard !reads.isEmpty, Set(reads.map(\.model)).count == 1,
      !capturesByName(reads[0].model.prefix { $0 != "." }, body)
    else { return nil }
    return reads
  }

  private func sharesValue(_ use: ValueUse, with capture: Capture) -> Bool {
    use.value == capture.value || use.source == capture.source
  }

  /// Whether the closure itself gives a name its meaning, as `guard let self` does.
  private func isBound(_ name: Ref, in body: Ref) -> Bool {
    if case .local(let local)? = declared(name) { return contains(body, local) }
    return false
  }

  /// Whether the capture list of a closure names the value, and would name it for nothing then.
  private func capturesByName(_ name: Substring, _ closure: Ref) -> Bool {
    guard let captures = child(closure, .captures) else { return false }
    return name.isEmpty || names(Name(String(name)), in: captures)
  }

  private func plainRead(_ use: ValueUse, begin: Ref, of model: TypeID) -> PlainRead? {
    guard !use.isElement, use.type == .declared(model), let chain = parent(begin) else {
      return nil
    }
    let parts = children(chain)
    let start = byteRange(begin).lowerBound
    guard let index = parts.firstIndex(of: use.place) else { return nil }
    let isOwn = use.value == "self" && nameText(begin) != "self"
    let last = isOwn ? index : index + 1
    guard last < parts.count, isOwn || kind(parts[last]) == .member,
      parts[..<last].dropFirst().allSatisfy({ kind($0) == .member }),
      !isChanged(chain, parts, behind: last), !hasAddressTaken(begin),
      isValue(nameText(parts[last]), of: model), !spelledName(parts[last]).hasPrefix("`")
    else { return nil }
    let token = outline(chain).tokens[Int(node(parts[last]).name)]
    let text = pathText(Array(parts[..<last])) ?? ""
    guard isOwn || !text.isEmpty, !hasComment(start..<token.end, chain) else { return nil }
    return PlainRead(
      property: nameText(parts[last]), model: text, range: start..<token.end)
  }

  private func hasComment(_ range: Range<Int>, _ place: Ref) -> Bool {
    outline(place).tokens.comments.contains { range.contains(Int($0.offset)) }
  }

  /// Whether a chain changes the value that it reads: by an assignment to a part, or a method.
  private func isChanged(_ chain: Ref, _ parts: [Ref], behind last: Int) -> Bool {
    let rest = parts[(last + 1)...]
    if let first = rest.first, kind(first) == .call { return true }
    if let expression = parent(chain), kind(expression) == .expression {
      let siblings = children(expression)
      if let place = siblings.firstIndex(of: chain), place + 1 < siblings.count,
        isAssigningOperator(siblings[place + 1])
      {
        return true
      }
    }
    return rest.contains { kind($0) == .member && Words.changingMethods.contains(name($0)) }
  }

  private func hasAddressTaken(_ begin: Ref) -> Bool {
    let first = Int(node(begin).first)
    return first > 0 && outline(begin).tokens[first - 1].kind == .prefixAmpersand
  }

  /// Whether a property of a model gives a value that any thread may have.
  private func isValue(_ property: String, of model: TypeID) -> Bool {
    let name = Name(property)
    if Words.identifierMembers.contains(name), member(name, of: model) == nil { return true }
    guard case .property(let id)? = member(name, of: model), !properties[id].isStatic,
      isValue(type(ofProperty: id))
    else { return false }
    guard properties[id].isComputed, let accessors = properties[id].accessors else { return true }
    let body = Ref(file: Int(properties[id].ref.file), node: accessors)
    return children(body, .accessor).allSatisfy {
      node($0).flags.isDisjoint(with: [.isAsync, .isThrowing])
    }
  }

  private func isValue(_ type: SwiftType) -> Bool {
    switch type {
    case .external(let name, let arguments):
      return arguments.isEmpty && Words.sendableValues.contains(name)
    case .optional(let inner), .array(let inner), .set(let inner):
      return isValue(inner)
    case .dictionary(let key, let value):
      return isValue(key) && isValue(value)
    case .declared(let id, _): return isValue(resolveAlias(id))
    default: return false
    }
  }

  /// Whether a type of the sources is one that says that it is Sendable, or an enum without
  /// payloads.
  private func isValue(_ type: TypeID) -> Bool {
    guard [.structDecl, .enumDecl].contains(types[type].kind) else { return false }
    if inherits(type, from: "Sendable") { return true }
    let ref = types[type].ref
    let isPublic = children(ref, .modifier).contains { ["public", "open"].contains(name($0)) }
    return types[type].kind == .enumDecl && !isPublic
      && descendants(ref, .enumElement).allSatisfy { child($0, .parameters) == nil }
  }
}
