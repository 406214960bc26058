import PersistIndex
import PersistSyntax

// MARK: - Files that configurations, descriptions and containers name

extension StorePathReader {
  /// The name of the file whose owner is asked for its `url`, as far as what makes the owner says.
  mutating func fileName(ofOwner chain: Ref, upTo suffix: Ref) -> String? {
    let parts = program.children(chain).filter { part in
      part < suffix && [.name, .member, .call].contains(program.kind(part))
        && !["persistentStoreDescriptions", "first", "last"].contains(program.name(part))
    }
    return parts.last.flatMap { program.maker(of: $0, depth: 0) }.flatMap { fileName(madeBy: $0) }
  }

  fileprivate mutating func fileName(madeBy call: Ref) -> String? {
    guard case .externalInitializer(.external(let type, _)) = program.callTarget(call) else {
      return nil
    }
    if let url = program.argument(call, "url") { return read(url).first?.literalName }
    switch type {
    case "ModelConfiguration":
      guard let first = program.arguments(call).first, program.label(first) == .none else {
        return "default.store"
      }
      let name = program.children(first).first.flatMap { program.manifestText($0) }
      return name.map { $0 + ".store" }
    case "NSPersistentContainer", "NSPersistentCloudKitContainer":
      let name = program.argument(call, "name").flatMap { program.manifestText($0) }
      return name.map { $0 + ".sqlite" }
    default: return nil
    }
  }
}

extension Program {
  /// The name of the file that a configuration, description or container keeps, as far as the call that
  /// makes it says.
  package func fileName(madeBy call: Ref) -> String? {
    var reader = StorePathReader(self)
    return reader.fileName(madeBy: call)
  }

  /// The call of an initializer whose result a name, member or call stands for.
  func maker(of part: Ref, depth: Int) -> Ref? {
    guard isWithin(depth, .storeOwners) else { return nil }
    var value = fixedValue(of: part)
    if kind(part) == .call {
      let made = functions(calledBy: part)
      guard made.count == 1, functions[made[0]].kind == .functionDecl else { return part }
      value = onlyValue(of: made[0])
    }
    if kind(part) == .member, let id = property(usedBy: part) {
      value = properties[id].initializer.map { Ref(file: Int(properties[id].ref.file), node: $0) }
    }
    guard let value, let chain = kind(value) == .chain ? value : child(value, .chain),
      isOnlyPart(chain, of: value), let last = children(chain).last
    else { return nil }
    return maker(of: last, depth: depth + 1)
  }
}
