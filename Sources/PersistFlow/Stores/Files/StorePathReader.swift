import PersistIndex
import PersistSyntax

/// The files that an expression, chain or argument may name.
struct StorePathsOfValue: Query {
  let value: Ref

  static var provisional: [StorePath] { [.unknown] }
  func answer(in program: Program) -> [StorePath] {
    var reader = StorePathReader(program)
    return reader.find(value)
  }
}

/// Follows an expression to the files that it may name.
struct StorePathReader {
  let program: Program

  init(_ program: Program) { self.program = program }

  /// The files that an expression, chain or argument may name; `.unknown` where it can't be told.
  func read(_ ref: Ref) -> [StorePath] { program.answer(StorePathsOfValue(value: ref)) }

  fileprivate mutating func find(_ ref: Ref) -> [StorePath] {
    switch program.kind(ref) {
    case .argument, .tuple:
      return program.children(ref).first.map { read($0) } ?? [.unknown]
    case .expression: return readExpression(ref)
    case .chain: return readChain(ref)
    case .string: return readString(ref)
    case .array:
      return bounded(program.children(ref, .argument).flatMap { read($0) })
    case .name: return readName(ref)
    case .ifStatement, .switchStatement: return readBranches(ref)
    case .implicitMember: return [named(program.nameText(ref), key: program.text(ref), isURL: true)]
    default: return [.unknown]
    }
  }

  private mutating func readExpression(_ ref: Ref) -> [StorePath] {
    let parts = program.children(ref).filter {
      ![.tryMark, .awaitMark, .cast].contains(program.kind($0))
    }
    return readOperands(parts[...])
  }

  /// Reads operands with the operators between them, both sides of a choice for one that hangs on a
  /// condition.
  private mutating func readOperands(_ parts: ArraySlice<Ref>) -> [StorePath] {
    guard let first = parts.first else { return [.unknown] }
    if let question = parts.firstIndex(where: { isOperator($0, "?") }),
      let colon = parts[question...].firstIndex(where: { isOperator($0, ":") })
    {
      return merged(
        readOperands(parts[(question + 1)..<colon]), readOperands(parts[(colon + 1)...]))
    }
    var result = read(first)
    var isList = program.holdsList(first)
    var index = parts.startIndex + 1
    while index + 1 < parts.endIndex {
      let right = read(parts[index + 1])
      switch program.name(parts[index]) {
      case "+":
        isList = isList || program.holdsList(parts[index + 1])
        result = isList ? merged(result, right) : join(result, right)
      case "??":
        // A folder that stands in for another one never makes a path temporary.
        if result.allSatisfy(\.isUnknown), !right.allSatisfy(\.isPassing) { result = right }
      default: return [.unknown]
      }
      index += 2
    }
    return result
  }

  private func isOperator(_ ref: Ref, _ name: Name) -> Bool {
    program.kind(ref) == .binaryOperator && program.name(ref) == name
  }

  /// As many files as one value is taken to name.
  func bounded(_ paths: [StorePath]) -> [StorePath] {
    Array(program.first(.storePaths, of: paths))
  }

  func merged(_ left: [StorePath], _ right: [StorePath]) -> [StorePath] {
    var all = left
    for path in right where !all.contains(path) { all.append(path) }
    return bounded(all)
  }

  /// The values of an `if` or `switch` that is an expression.
  private mutating func readBranches(_ ref: Ref) -> [StorePath] {
    var found: [StorePath] = []
    for child in program.children(ref) {
      switch program.kind(child) {
      case .block, .switchCase:
        if let value = program.statements(in: child).last { found = merged(found, read(value)) }
      case .ifStatement: found = merged(found, readBranches(child))
      default: break
      }
    }
    return found.isEmpty ? [.unknown] : found
  }

  private func join(_ left: [StorePath], _ right: [StorePath]) -> [StorePath] {
    bounded(left.flatMap { head in right.map { join(head, $0) } })
  }

  private func join(_ head: StorePath, _ tail: StorePath) -> StorePath {
    var path = head.base == .unknown && tail.base != .unknown ? tail : head
    path.text = (head.text + tail.text).replacing(
      StorePath.ownStem + "." + StorePath.ownExtension, with: StorePath.ownName)
    path.saysStore = head.saysStore || tail.saysStore
    path.saysOther = head.saysOther || tail.saysOther
    path.isPassing = head.isPassing || tail.isPassing
    path.folder = head.isUnknown || tail.text.contains("/") ? nil : head.folder
    // Of a path whose folder isn't known the last component is.
    if path.base == .unknown, let slash = path.text.lastIndex(of: "/"), !path.text.hasSuffix("/") {
      path.text = String(path.text[path.text.index(after: slash)...])
    }
    return path
  }

  private mutating func readString(_ ref: Ref) -> [StorePath] {
    let source = program.text(ref)
    let interpolations = program.children(ref)
    if interpolations.isEmpty {
      let text = source.trimmingQuotes
      return [literal(text)]
    }
    var paths: [StorePath] = [literal("")]
    var at = program.outline(ref).byteRange(of: Int(ref.node)).lowerBound
    let bytes = program.outline(ref).text
    for interpolation in interpolations {
      let range = program.outline(ref).byteRange(of: Int(interpolation.node))
      let head = bytes[at..<range.lowerBound].trimmingInterpolation
      paths = join(join(paths, [literal(head)]), read(interpolation))
      at = range.upperBound
    }
    let end = program.outline(ref).byteRange(of: Int(ref.node)).upperBound
    paths = join(paths, [literal(bytes[at..<end].trimmingInterpolation)])
    return paths.map { path in
      var path = path
      if let slash = path.text.lastIndex(of: "/"), !path.text.hasSuffix("/") {
        path.text = String(path.text[path.text.index(after: slash)...])
      }
      return namingAnother(path)
    }
  }

  /// A path that has the text of a parameter in it and a store's ending of its own: the store of
  /// whoever the parameter names, as in `"\(user)_trips.sqlite"`.
  private func namingAnother(_ path: StorePath) -> StorePath {
    switch path.base {
    case .parameter, .closureParameter, .receiver: break
    default: return path
    }
    guard let own = path.text.lastIndex(where: { String($0) == StorePath.ownName }) else {
      return path
    }
    let name = path.text[path.text.index(after: own)...].dropLast(path.logEnding.count)
    guard Words.storeEndings.contains(where: { name.hasSuffix($0) }) else { return path }
    var other = path
    other.base = .unknown
    other.text = path.text.replacing(StorePath.ownName, with: StorePath.unknownText)
    return other
  }

  func literal(_ text: String) -> StorePath {
    StorePath(base: .unknown, text: text, saysStore: false, saysOther: text.saysNoStore)
  }

  // MARK: Chains

  /// Reads a chain, or what stands before one of its parts.
  mutating func readChain(_ ref: Ref, upTo limit: Ref? = nil) -> [StorePath] {
    let parts = program.children(ref).filter { limit == nil || $0 < limit ?? $0 }
    guard let primary = parts.first else { return [.unknown] }
    var paths: [StorePath]
    var index = 1
    if parts.count > 1, program.kind(parts[1]) == .call, program.kind(primary) == .array {
      // `[URL]()` holds nothing.
      return parts.count == 2 ? [] : [.unknown]
    } else if parts.count > 1, program.kind(parts[1]) == .call, program.kind(primary) == .name {
      paths = readCall(parts[1], of: primary)
      index = 2
    } else {
      paths = read(primary)
    }
    while index < parts.count {
      let suffix = parts[index]
      switch program.kind(suffix) {
      case .optionalChain, .force: break
      case .subscriptSuffix: break
      case .member:
        let call = index + 1 < parts.count && program.kind(parts[index + 1]) == .call
        if call {
          paths = readMethod(suffix, parts[index + 1], on: paths, in: ref)
          index += 1
        } else {
          paths = readMember(suffix, on: paths, in: ref)
        }
      default: return [.unknown]
      }
      index += 1
    }
    return paths
  }

  private mutating func readCall(_ call: Ref, of name: Ref) -> [StorePath] {
    switch program.nameText(name) {
    case "URL", "NSURL", "FilePath", "NSString", "String":
      return program.children(call, .argument).first.map { read($0) } ?? [.unknown]
    case "NSTemporaryDirectory": return [.passingFolder]
    default:
      guard let own = program.ownPath(at: name), let chain = program.parent(call),
        program.functions(calledBy: call).isEmpty
      else { return readFunction(call) }
      return readMethod(name, call, on: [own], in: chain)
    }
  }

  /// What a function of the sources returns, its arguments put in.
  private mutating func readFunction(_ call: Ref) -> [StorePath] {
    let candidates = program.functions(calledBy: call)
    let text = program.calledText(call)
    let name = named(text, key: "\(text)()", isURL: program.resultType(ofCall: call).isURL)
    guard candidates.count == 1 else { return [name] }
    guard let value = program.onlyValue(of: candidates[0]) else {
      return readResults(of: candidates[0]).map { results in
        bounded(results.flatMap { substitute($0, call, candidates[0]) })
      } ?? [name]
    }
    return read(value).flatMap { substitute($0, call, candidates[0]) }
  }

  /// What a function with several results returns; nil where one of them can't be told.
  private mutating func readResults(of function: FunctionID) -> [StorePath]? {
    guard let body = program.body(of: function) else { return nil }
    var found: [StorePath] = []
    for value in program.results(of: body) where !program.isNil(value) {
      let paths = read(value)
      guard !paths.contains(where: \.isUnknown) else { return nil }
      found = merged(found, paths)
    }
    return found.isEmpty ? nil : found
  }

  /// Puts the argument of a call in the place of the parameter that a path was made from, and what
  /// its method is called on in the place of `self`.
  mutating func substitute(_ path: StorePath, _ call: Ref, _ function: FunctionID) -> [StorePath] {
    let declaration = program.functions[function]
    if path.stands(for: .receiver(declaration.ref)) {
      return readReceiver(of: call).map { put($0, in: path) }
    }
    let index = declaration.parameters.indices.first {
      path.stands(for: .parameter(function, $0))
    }
    guard let index, let argument = program.argument(of: call, for: index, of: declaration) else {
      return [path]
    }
    return read(argument).map { put($0, in: path) }
  }

  private mutating func readReceiver(of call: Ref) -> [StorePath] {
    guard let node = program.calledNode(call), let chain = program.parent(call) else {
      return [.unknown]
    }
    if program.kind(node) == .member { return readChain(chain, upTo: node) }
    return [program.ownPath(at: node) ?? .unknown]
  }

  /// A path with what was given in the place of its base.
  func put(_ given: StorePath, in path: StorePath) -> StorePath {
    if case .folder = path.base {
      var folder = given.around
      folder.saysOther = path.saysOther || given.saysOther
      return folder
    }
    var result = given
    if let folder = path.folder {
      // Below a known folder a name is given, and no folder of it counts.
      switch given.base {
      case .unknown where !given.isUnknown:
        result.folder = given.text.folders(below: folder)
        result.text = given.text.components.last ?? given.text
      case .parameter, .closureParameter: result.folder = folder
      default: return path
      }
    }
    let given = result
    result.text = path.text.replacing(StorePath.ownName, with: given.text)
    if path.text.contains(StorePath.ownStem) {
      result.text = path.text.replacing(StorePath.ownStem, with: given.text.stem)
    }
    result.text = result.text.replacing(StorePath.ownExtension, with: given.text.pathExtension)
    result.saysOther = path.saysOther || given.saysOther
    result.saysStore = path.saysStore || given.saysStore
    result.isPassing = path.isPassing || given.isPassing
    return result
  }

  /// Puts the argument of a call in the place of the parameter of the closure that it runs.
  mutating func substitute(_ path: StorePath, _ call: Ref, closure: Ref) -> [StorePath] {
    let arguments = program.arguments(call)
    let index = arguments.indices.first { path.stands(for: .closureParameter(closure, $0)) }
    return index.map { read(arguments[$0]).map { put($0, in: path) } } ?? [path]
  }

  /// Puts the elements of a list in the place of the parameter of code that is run for each.
  mutating func substitute(
    _ path: StorePath, elementsIn call: Ref, _ code: NamedCode
  ) -> [StorePath] {
    let base: StorePath.Base =
      switch code {
      case .function(let id): .parameter(id, 0)
      case .closure(let closure): .closureParameter(closure, 0)
      }
    let names: Set<Name> = ["forEach", "map", "compactMap", "flatMap"]
    guard path.base == base, names.contains(program.calledName(call)),
      let member = program.calledNode(call), let chain = program.parent(member)
    else { return [path] }
    return readChain(chain, upTo: member).map { put($0, in: path) }
  }

  private mutating func readMember(_ suffix: Ref, on paths: [StorePath], in chain: Ref)
    -> [StorePath]
  {
    let name = program.name(suffix)
    switch name {
    case "path", "absoluteString", "relativePath", "absoluteURL", "standardizedFileURL",
      "lastPathComponent", "standardized", "first", "last",
      "fileSystemRepresentation",
      "wrappedValue", "rawValue", "absolutePath":
      return paths
    case "pathExtension":
      return paths.map { path in
        var path = path
        path.text = path.text.pathExtension
        return path
      }
    case "url":
      let receiver = program.type(ofChain: chain, upTo: suffix).unwrapped
      if program.namesStore(receiver) {
        return [
          StorePath(
            base: .store(program.key(of: chain, upTo: suffix)), text: StorePath.ownName,
            saysStore: true, saysOther: program.saysNoStore(chain),
            givenName: fileName(ofOwner: chain, upTo: suffix))
        ]
      }
    case "temporaryDirectory", "cachesDirectory", "cachesDirectoryURL": return [.passingFolder]
    case "fileURL" where program.namesRealm(chain, upTo: suffix):
      return [
        StorePath(
          base: .store(StorePath.realmKey), text: StorePath.ownName, saysStore: true,
          saysOther: program.saysNoStore(chain),
          givenName: program.keepsDefaultRealm ? "default.realm" : nil)
      ]
    case "self": return paths
    default: break
    }
    if let property = program.property(usedBy: suffix) { return read(property, of: paths) }
    if Words.systemFolders.contains(name) { return [.systemFolder(program.nameText(suffix))] }
    if let text = program.textOfCase(suffix, in: chain) { return [literal(text)] }
    guard program.type(ofChain: chain, upTo: nil).isURL else { return [.unknown] }
    return [named(program.nameText(suffix), key: program.text(chain), isURL: true)]
  }

  private mutating func readMethod(
    _ suffix: Ref, _ call: Ref, on paths: [StorePath], in chain: Ref
  ) -> [StorePath] {
    let argument = program.children(call, .argument).first
    switch program.name(suffix) {
    case "deletingLastPathComponent":
      return paths.map(\.around)
    case "deletingPathExtension":
      return paths.map { path in
        var path = path
        path.text = path.text.stem
        return path
      }
    case "appendingPathComponent", "appending":
      guard let argument else { return [.unknown] }
      if program.name(suffix) == "appending", program.label(argument) == .none {
        return join(paths, read(argument))
      }
      let added = read(argument)
      return bounded(paths.flatMap { path in added.map { place($0, in: path) } })
    case "appendingPathExtension":
      guard let argument else { return [.unknown] }
      return join(join(paths, [literal(".")]), read(argument))
    case "path", "standardizedFileURL", "resolvingSymlinksInPath", "absoluteString": return paths
    case "replacingOccurrences":
      return replace(paths, call)
    case "urls" where program.names("cachesDirectory", in: call),
      "url" where program.names("cachesDirectory", in: call):
      return [.passingFolder]
    case "urls" where isFileManagers(call), "url" where isFileManagers(call),
      "containerURL" where isFileManagers(call):
      var path = StorePath(
        base: .folder(program.text(chain)), text: "", saysStore: false, saysOther: false)
      path.folder = program.argument(call, "for").flatMap { systemFolder(namedIn: $0) }
      return [path]
    case "url" where program.namesStore(program.receiverType(ofCall: call).unwrapped):
      return [
        StorePath(
          base: .store(program.text(chain)), text: StorePath.ownName, saysStore: true,
          saysOther: false)
      ]
    case "map", "compactMap", "flatMap":
      guard let closure = program.arguments(call).first.flatMap({ program.closure(of: $0) }),
        let value = program.onlyValue(of: closure)
      else { return paths }
      return read(value)
    case "first": return paths
    default: return readFunction(call)
    }
  }

  /// Whether a call asks the file manager, which knows folders.
  private func isFileManagers(_ call: Ref) -> Bool {
    program.receiverType(ofCall: call).unwrapped.isExternal("FileManager")
  }

  /// A name below a folder, or below a path that is taken for one.
  func place(_ name: StorePath, in path: StorePath) -> StorePath {
    if case .receiver(let member) = name.base, name.text == StorePath.ownName,
      program.enclosingType(member).map(program.isEnumOfTexts) ?? false
    {
      return name
    }
    if name.base != .unknown {
      if case .folder(let key) = path.base, name.around.base == .folder(key) { return name }
      if path.isPassing { return .passingFile }
      if case .parameter = name.base, name.text == StorePath.ownName,
        let folder = path.foldersBelow
      {
        var placed = name
        placed.folder = folder
        placed.saysOther = name.saysOther || path.saysOther
        return placed
      }
      // A name that is made from the store's is no store in use.
      let isMade = name.text.contains(StorePath.ownName) && !name.text.hasPrefix(StorePath.ownName)
      return isMade ? StorePath.unknown.sayingOther : otherKind(name) ?? .unknown
    }
    let isFile = path.text == StorePath.ownName && path.saysStore || path.part == .main
    if isFile, name.text.hasPrefix("-") || name.part != .main {
      return path.appending("/" + name.text)
    }
    var placed = name
    placed.folder = path.foldersBelow.flatMap { name.text.folders(below: $0) }
    if let slash = name.text.lastIndex(of: "/"), !name.text.hasSuffix("/") {
      placed.text = String(name.text[name.text.index(after: slash)...])
    }
    placed.saysOther = name.saysOther || path.saysOther
    placed.isPassing = name.isPassing || path.isPassing
    return placed
  }

  /// The file that a name with an ending of its own stands for, if that is no store's: a film, a
  /// picture.
  private func otherKind(_ name: StorePath) -> StorePath? {
    guard let own = name.text.lastIndex(where: { String($0) == StorePath.ownName }) else {
      return nil
    }
    let ending = name.text[name.text.index(after: own)...]
    guard let dot = ending.lastIndex(of: "."), ending.index(after: dot) != ending.endIndex,
      name.part == .other, !ending.contains(where: { "\u{1}\u{2}\u{3}\u{4}".contains($0) }),
      !Words.storeEndings.contains(where: { ending.hasPrefix($0 + "-") || ending.hasSuffix($0) })
    else { return nil }
    return StorePath(
      base: .unknown, text: StorePath.unknownText + ending, saysStore: false,
      saysOther: name.saysOther)
  }

  private mutating func replace(_ paths: [StorePath], _ call: Ref) -> [StorePath] {
    let list = program.children(call, .argument)
    guard list.count > 1, let old = read(list[0]).first, let new = read(list[1]).first else {
      return [.unknown]
    }
    return paths.map { path in
      var path = path
      if path.text.contains(old.text) {
        path.text = path.text.replacing(old.text, with: new.text)
      } else if path.text == StorePath.ownName {
        path.text = StorePath.ownStem + new.text
      }
      return path
    }
  }
}
