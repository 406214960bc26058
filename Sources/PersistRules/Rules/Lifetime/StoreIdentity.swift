import PersistIndex
import PersistSyntax

/// Which store a piece of code means: its file as far as the sources tell.
struct StoreIdentity: Hashable {
  /// The path, or the expression that stands for it.
  let text: String
  /// Whether nothing of the path stays open, so that two that differ are two files.
  let isCertain: Bool

  /// Whether both surely are one file.
  func isSame(as other: StoreIdentity) -> Bool { text == other.text }
  /// Whether both surely are different files.
  func differs(from other: StoreIdentity) -> Bool {
    isCertain && other.isCertain && text != other.text
  }

  /// The file that SwiftData takes when nothing names another.
  static let defaultStore = StoreIdentity(
    text: "dir:applicationSupportDirectory/default.store", isCertain: true)
}

/// Spells the file behind an expression, constants and functions with one value followed.
struct StoreIdentityReader {
  let program: Program

  init(_ program: Program) { self.program = program }

  /// The file that an expression of a URL or path means; nil where it is none.
  func file(_ expression: Ref) -> StoreIdentity? { read(expression, 0) }

  private func read(_ expression: Ref, _ depth: Int) -> StoreIdentity? {
    guard program.isWithin(depth, .fileConstants), let parts = program.chainParts(expression) else {
      return nil
    }
    guard let first = parts.first, var value = primary(first, parts, depth) else { return nil }
    var index = value.next
    while index < parts.count {
      let part = parts[index]
      switch program.kind(part) {
      case .force, .optionalChain: index += 1
      case .subscriptSuffix:
        // `urls(for:in:)[0]`
        index += 1
      case .member:
        let isCalled = index + 1 < parts.count && program.kind(parts[index + 1]) == .call
        guard
          let next = isCalled
            ? called(part, parts[index + 1], on: value.identity, depth)
            : member(part, of: value.identity, depth)
        else { return nil }
        value.identity = next
        index += isCalled ? 2 : 1
      default: return nil
      }
    }
    return value.identity
  }

  private struct Primary {
    var identity: StoreIdentity
    var next: Int
  }

  private func primary(_ first: Ref, _ parts: [Ref], _ depth: Int) -> Primary? {
    switch program.kind(first) {
    case .string: return literal(first).map { Primary(identity: $0, next: 1) }
    case .tuple:
      guard program.children(first, .argument).count == 1 else { return nil }
      return read(program.children(first)[0], depth + 1).map { Primary(identity: $0, next: 1) }
    case .implicitMember: return Primary(identity: plain("." + program.nameText(first)), next: 1)
    case .name: break
    default: return nil
    }
    if parts.count > 1, program.kind(parts[1]) == .call { return call(first, parts[1], depth) }
    switch program.declared(first) {
    case .local(let local):
      if let value = program.fixedValue(of: first), let found = read(value, depth + 1) {
        return Primary(identity: found, next: 1)
      }
      return Primary(identity: open("\(local.file):\(local.node)"), next: 1)
    case .property(let id):
      return property(id, depth).map { Primary(identity: $0, next: 1) }
    case .selfValue, .type:
      guard parts.count > 1, program.kind(parts[1]) == .member else { return nil }
      var index = 1
      while index + 1 < parts.count, program.property(usedBy: parts[index]) == nil,
        program.kind(parts[index + 1]) == .member
      {
        index += 1
      }
      if let id = program.property(usedBy: parts[index]) {
        return property(id, depth).map { Primary(identity: $0, next: index + 1) }
      }
      guard index + 1 < parts.count, program.kind(parts[index + 1]) == .call else { return nil }
      return result(of: parts[index + 1], depth).map { Primary(identity: $0, next: index + 2) }
    case nil: return Primary(identity: plain(program.nameText(first)), next: 1)
    default: return nil
    }
  }

  private func literal(_ string: Ref) -> StoreIdentity? {
    let text = program.text(string).trimmingQuotes
    return program.children(string).isEmpty ? plain(text) : open(text)
  }

  private func plain(_ text: String) -> StoreIdentity {
    StoreIdentity(text: text, isCertain: true)
  }
  private func open(_ text: String) -> StoreIdentity {
    StoreIdentity(text: text, isCertain: false)
  }

  private func property(_ id: PropertyID, _ depth: Int) -> StoreIdentity? {
    let property = program.properties[id]
    let file = Int(property.ref.file)
    let value =
      property.initializer.map { Ref(file: file, node: $0) }
      ?? (property.isComputed
        ? property.accessors.flatMap { program.onlyValue(in: Ref(file: file, node: $0)) } : nil)
    if let value, let found = read(value, depth + 1) { return found }
    return open("\(property.ref.file):\(property.ref.node)")
  }

  /// What a function of the sources without arguments gives.
  private func result(of call: Ref, _ depth: Int) -> StoreIdentity? {
    guard program.arguments(call).isEmpty,
      case .functions(let candidates) = program.callTarget(call), candidates.count == 1,
      let value = program.onlyValue(of: candidates[0])
    else { return nil }
    return read(value, depth + 1)
  }

  private func call(_ name: Ref, _ call: Ref, _ depth: Int) -> Primary? {
    if case .functions = program.callTarget(call) {
      return result(of: call, depth).map { Primary(identity: $0, next: 2) }
    }
    guard program.nameText(name) == "URL", let argument = program.child(call, .argument),
      ["fileURLWithPath", "filePath", "string"].contains(argumentLabel(argument))
    else { return nil }
    return read(argument, depth + 1).map { Primary(identity: $0, next: 2) }
  }

  private func argumentLabel(_ argument: Ref) -> String {
    let token = program.node(argument).label
    return token == Node.noToken ? "" : program.outline(argument).text(ofToken: Int(token))
  }

  private func member(_ member: Ref, of base: StoreIdentity, _ depth: Int) -> StoreIdentity? {
    let name = program.nameText(member)
    if let id = program.property(usedBy: member) { return property(id, depth) }
    switch name {
    case "first", "path", "absoluteURL", "standardizedFileURL": return base
    default: break
    }
    if base.text == "URL" { return plain("dir:" + name) }
    return StoreIdentity(text: base.text + "." + name, isCertain: base.isCertain)
  }

  private func called(_ member: Ref, _ call: Ref, on base: StoreIdentity, _ depth: Int)
    -> StoreIdentity?
  {
    let name = program.nameText(member)
    if case .functions = program.callTarget(call) { return result(of: call, depth) }
    let argument = program.child(call, .argument)
    switch name {
    case "appendingPathComponent", "appending":
      guard let argument, let part = read(argument, depth + 1) else { return nil }
      return StoreIdentity(
        text: base.text + "/" + part.text, isCertain: base.isCertain && part.isCertain)
    case "appendingPathExtension":
      guard let argument, let part = read(argument, depth + 1) else { return nil }
      return StoreIdentity(
        text: base.text + "." + part.text, isCertain: base.isCertain && part.isCertain)
    case "containerURL":
      guard let argument, let group = read(argument, depth + 1) else { return nil }
      return StoreIdentity(text: "group:" + group.text, isCertain: group.isCertain)
    case "urls", "url":
      guard let argument = program.argument(call, "for"), let folder = read(argument, depth + 1)
      else { return nil }
      return plain("dir:" + folder.text.drop { $0 == "." })
    case "standardized", "resolvingSymlinksInPath": return base
    default: return nil
    }
  }
}

// MARK: - Stores of containers

extension Program {
  /// The store that a `ModelConfiguration(…)` describes; nil where it is in memory or untold.
  func store(ofConfiguration call: Ref) -> StoreIdentity? {
    guard !opensInMemory(call) else { return nil }
    let reader = StoreIdentityReader(self)
    if let url = argument(call, "url") { return reader.file(url) }
    var name = StoreIdentity(text: "default", isCertain: true)
    if let first = children(call, .argument).first, label(first) == .none {
      guard let read = reader.file(first) else { return nil }
      name = read
    }
    var folder = StoreIdentity(text: "dir:applicationSupportDirectory", isCertain: true)
    if let group = argument(call, "groupContainer"),
      !["none", "automatic"].contains(lastName(of: group))
    {
      folder = StoreIdentity(text: text(group), isCertain: true)
      if let identifier = descendants(group, .argument).first {
        guard let read = reader.file(identifier) else { return nil }
        folder = StoreIdentity(text: "group:" + read.text, isCertain: read.isCertain)
      }
    }
    return StoreIdentity(
      text: "\(folder.text)/\(name.text).store", isCertain: folder.isCertain && name.isCertain)
  }

  /// The stores that a `ModelContainer(…)` opens; nil where one of them can't be told.
  func stores(ofContainer call: Ref) -> [StoreIdentity]? {
    let given = children(call, .argument).drop { label($0) != "configurations" }
    guard !given.isEmpty else { return opensInMemory(call) ? [] : [.defaultStore] }
    var found: [StoreIdentity] = []
    for argument in given {
      guard let made = configurationCalls(in: argument, depth: 0), !made.isEmpty else { return nil }
      for configuration in made where !opensInMemory(configuration) {
        guard let store = store(ofConfiguration: configuration) else { return nil }
        found.append(store)
      }
    }
    return found
  }
}
