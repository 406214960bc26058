import PersistIndex
import PersistSyntax

extension String {
  /// The text with every occurrence of another replaced.
  func replacing(_ old: String, with new: String) -> String {
    guard !old.isEmpty else { return self }
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: old) {
      result += rest[..<range.lowerBound] + new
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

extension Substring {
  fileprivate func firstRange(of other: String) -> Range<Index>? {
    var at = startIndex
    while at < endIndex {
      if self[at...].hasPrefix(other) {
        return at..<index(at, offsetBy: other.count)
      }
      at = index(after: at)
    }
    return nil
  }
}

/// Whether the sources bring no realm to another place.
private struct KeepsDefaultRealm: Query {
  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    !program.uses(of: ["fileURL"]).contains { program.isAssignmentTarget($0) }
      && !program.calls(named: "Configuration").contains {
        program.argument($0, "fileURL") != nil
      }
  }
}

// MARK: - Values behind names

extension Program {
  /// Whether a type's `url` is that of a store.
  func namesStore(_ type: SwiftType) -> Bool {
    [
      "ModelConfiguration", "NSPersistentStoreDescription", "NSPersistentStore",
      "NSPersistentStoreCoordinator",
    ].contains { type.isExternal($0) }
  }

  /// Whether the cases of an enum stand for texts.
  func isEnumOfTexts(_ type: TypeID) -> Bool {
    types[type].kind == .enumDecl && inherits(type, from: "String")
  }

  /// Whether a call is an initializer of the sources, which keeps the closures that it's given.
  func isKept(closureGivenTo call: Ref) -> Bool {
    if case .initializer = callTarget(call) { return true }
    return false
  }

  /// Whether the realm that the framework keeps by default lies where it does by itself.
  var keepsDefaultRealm: Bool { answer(KeepsDefaultRealm()) }

  /// What a chain up to a suffix stands for, as a key: the same local or property gives the same.
  func key(of chain: Ref, upTo suffix: Ref) -> String {
    let parts = children(chain).filter { $0 < suffix }
    if parts.count == 1, case .local(let local)? = declared(parts[0]) {
      return "\(local.file):\(local.node)"
    }
    return parts.map { text($0) }.joined()
  }

  /// Whether a chain up to a suffix is a configuration of Realm.
  func namesRealm(_ chain: Ref, upTo suffix: Ref) -> Bool {
    let receiver = type(ofChain: chain, upTo: suffix).unwrapped
    if receiver.isExternal("Realm") || receiver.isExternal("Configuration") { return true }
    let words = children(chain).filter { $0 < suffix }.flatMap { nameText($0).camelWords }
    return words.contains("realm") && words.contains("configuration")
      || words.contains("configuration") && files[Int(chain.file)].imports("RealmSwift")
  }

  // MARK: Entries of folders

  /// Whether a file lists the entries of folders.
  func listsFolders(inFile file: Int) -> Bool {
    !uses(of: ["contentsOfDirectory", "enumerator"], inFile: file).isEmpty
  }

  /// The store's main file that a name stands for: an entry of a folder that was picked by its
  /// ending.
  func pickedEntry(_ name: Ref) -> StorePath? {
    let found: (conditions: [Ref], list: Ref)?
    switch declared(name) {
    case .local(let local): found = picking(local, at: name)
    case .closureArgument(let closure, 0): found = picking(closure: closure)
    default: found = nil
    }
    guard let (conditions, list) = found, listsFolder(list) else { return nil }
    if let file = conditions.compactMap({ compared(with: name, in: $0) }).first {
      return storePaths(file).first { $0.isStoreFile }
    }
    let endings = conditions.flatMap { pickedEndings($0) }
    guard !endings.isEmpty, endings.allSatisfy({ Words.storeEndings.contains($0) }) else {
      return nil
    }
    let key = endings.allSatisfy { $0 == ".db" } ? StorePath.pickedDatabase : "entry "
    return StorePath(
      base: .store("\(key)\(list.file):\(list.node)"), text: StorePath.ownName, saysStore: true,
      saysOther: saysNoStore(list) || folderSaysOther(list))
  }

  /// What a condition says an entry's name is.
  private func compared(with entry: Ref, in condition: Ref) -> Ref? {
    let parts = children(condition)
    guard kind(condition) == .expression, parts.count == 3, name(parts[1]) == "==" else {
      return nil
    }
    let isFirst = [parts[0], parts[2]].map { side in
      let names = children(side)
      return names.first.map { name($0) } == name(entry)
        && names.dropFirst().allSatisfy { name($0) == "lastPathComponent" }
    }
    return isFirst[0] == isFirst[1] ? nil : isFirst[0] ? parts[2] : parts[0]
  }

  /// The conditions under which a name stands for an entry, and the list that the entry is of.
  private func picking(_ local: Ref, at name: Ref) -> (conditions: [Ref], list: Ref)? {
    if let list = parent(local), kind(list) == .parameters, let closure = parent(list),
      kind(closure) == .closure
    {
      return picking(closure: closure)
    }
    guard kind(local) == .boundName,
      let binder = ancestors(local).first(where: {
        [.binding, .optionalBinding, .forStatement].contains(kind($0))
      })
    else { return nil }
    guard kind(binder) == .forStatement else {
      guard let value = child(binder, .expression) else { return nil }
      return pickedList(value)
    }
    let header = children(binder, .expression)
    guard let list = header.first, let block = child(binder, .block), contains(block, name) else {
      return nil
    }
    let around = ancestors(name).prefix { $0 != block }.filter { kind($0) == .ifStatement }
      .flatMap { statement in children(statement).prefix { kind($0) != .block } }
    let guards = children(block).filter { kind($0) == .guardStatement && $0 < name }
      .flatMap { children($0).filter { kind($0) != .block } }
    let inner = pickedList(list)
    return (
      Array(header.dropFirst()) + around + guards + (inner?.conditions ?? []), inner?.list ?? list
    )
  }

  private func picking(closure: Ref) -> (conditions: [Ref], list: Ref)? {
    guard let (call, _) = callTaking(closure), calledName(call) == "forEach",
      let chain = parent(call)
    else { return nil }
    return pickedList(chain)
  }

  /// A list and the conditions of the `filter` or `first(where:)` behind it.
  private func pickedList(_ value: Ref) -> (conditions: [Ref], list: Ref)? {
    let calls = descendants(value, .call).filter {
      ["filter", "first"].contains(calledName($0))
    }
    let conditions = calls.flatMap { arguments($0).compactMap { closure(of: $0) } }
      .compactMap { onlyValue(of: $0) }
    if !conditions.isEmpty { return (conditions, value) }
    guard let chain = kind(value) == .chain ? value : child(value, .chain),
      let first = children(chain).first, kind(first) == .name,
      let made = fixedValue(of: first)
    else { return nil }
    return pickedList(made).map { ($0.conditions, made) }
  }

  /// The endings that a condition asks for, each with its period.
  private func pickedEndings(_ condition: Ref) -> [String] {
    guard names("pathExtension", in: condition) || names("hasSuffix", in: condition) else {
      return []
    }
    guard !negates(condition), !names("hasPrefix", in: condition) else { return ["!"] }
    return descendants(condition, .string).map { string in
      let text = stringText(string)
      return text.hasPrefix(".") ? text : "." + text
    }
  }

  /// Whether a condition holds for what something else doesn't hold for: `!a`, `a != b`,
  /// `a == false`.
  private func negates(_ condition: Ref) -> Bool {
    let view = view(condition)
    let node = view[node: Int(condition.node)]
    return (Int(node.first)..<Int(node.end)).contains { index in
      let token = view[token: index]
      switch token.kind {
      case .prefixOperator, .binaryOperator: return view.bytes[Int(token.offset)] == 0x21
      default: return token.keyword == .false
      }
    }
  }

  /// Whether a name or string in some code says that a file is no store in use.
  func saysNoStore(_ code: Ref) -> Bool {
    words(in: code).contains { Words.noStoreWords.contains($0) }
  }

  /// Whether an expression lists the entries of a folder, directly or by a constant.
  func listsFolder(_ expression: Ref) -> Bool {
    if names("contentsOfDirectory", in: expression)
      || descendants(expression, .call).contains(where: { calledName($0) == "enumerator" })
    {
      return true
    }
    guard let chain = kind(expression) == .chain ? expression : child(expression, .chain),
      let first = children(chain).first, kind(first) == .name,
      let value = fixedValue(of: first)
    else { return false }
    return self.names("contentsOfDirectory", in: value)
  }

  /// Whether the folder that is listed is one of files that are no stores in use.
  private func folderSaysOther(_ list: Ref) -> Bool {
    let made = descendants(list, .call).first { calledName($0) == "contentsOfDirectory" }
    if let call = made {
      return children(call, .argument).first.map { argument in
        storePaths(argument).contains(where: \.saysOther)
      } ?? false
    }
    guard let chain = kind(list) == .chain ? list : child(list, .chain),
      let first = children(chain).first, kind(first) == .name, let value = fixedValue(of: first),
      value != list
    else { return false }
    return descendants(value, .call).first { calledName($0) == "contentsOfDirectory" }
      .flatMap { children($0, .argument).first }
      .map { storePaths($0).contains(where: \.saysOther) } ?? false
  }
}
