import PersistIndex
import PersistSyntax

// MARK: - Paths made of texts

extension Program {
  /// The files that a value may name; `.unknown` where that can't be told.
  func storePaths(of value: Known) -> [StorePath] {
    var found: [StorePath] = []
    func add(_ value: Known) {
      switch value {
      case .list(let elements): elements.forEach(add)
      case .either(let choices): choices.forEach(add)
      case .none: break
      case .literal(let text): found.append(StorePath(literal: text))
      default: found.append(value.knownText.map { storePath(of: $0) } ?? .unknown)
      }
    }
    add(value)
    if found.isEmpty { return value == .list([]) ? [] : [.unknown] }
    // A folder that stands in for another one never makes a path temporary.
    let lasting = found.contains { !$0.isPassing }
    var seen: Set<StorePath> = []
    found = found.filter { (!lasting || !$0.isPassing) && seen.insert($0).inserted }
    return Array(first(.storePaths, of: found))
  }

  /// The file that a text names, from the system's folder, or from what stands for a path, down.
  func storePath(of text: KnownText) -> StorePath {
    if text.pieces.contains(.aside) {
      return storePath(of: KnownText(text.pieces.filter { $0 != .aside })).sayingOther
    }
    let components = text.components
    guard let first = components.first else { return StorePath(literal: "") }
    var path: StorePath
    switch first[0] {
    case .known("dir:cachesDirectory"), .known("dir:cachesDirectoryURL"),
      .known("dir:temporaryDirectory"):
      path = .passingFolder
    case .known(let name) where name.hasPrefix("dir:"):
      path = .systemFolder(String(name.dropFirst(4)))
    case .known(let name) where name.hasPrefix("group:"):
      path = StorePath(
        base: .folder(joined(first).text), text: "", saysStore: false, saysOther: false)
    default:
      if let whole = text.whole { return StorePath(literal: whole) }
      path = joined(first)
    }
    for component in components.dropFirst() { path = place(joined(component), in: path) }
    return path
  }

  private func joined(_ pieces: [TextPiece]) -> StorePath {
    let paths = pieces.map { piece -> StorePath in
      switch piece {
      case .known(let text): StorePath(literal: text)
      case .path(let path): path
      default: .unknown
      }
    }
    return paths.dropFirst().reduce(paths[0]) { $0.joined(with: $1) }.namingAnother
  }

  /// A name below a folder, or below a path that is taken for one.
  private func place(_ name: StorePath, in path: StorePath) -> StorePath {
    if case .receiver(let member) = name.base, name.text == StorePath.ownName,
      enclosingType(member).map(isEnumOfTexts) ?? false
    {
      return name
    }
    return name.placed(in: path)
  }
}

extension KnownText {
  /// What stands between the slashes.
  fileprivate var components: [[TextPiece]] {
    var all: [[TextPiece]] = [[]]
    for piece in pieces {
      guard case .known(let text) = piece else {
        all[all.count - 1].append(piece)
        continue
      }
      for (index, part) in text.split(separator: "/", omittingEmptySubsequences: false).enumerated()
      {
        if index > 0 { all.append([]) }
        if !part.isEmpty { all[all.count - 1].append(.known(String(part))) }
      }
    }
    return all.filter { !$0.isEmpty }
  }
}

extension StorePath {
  /// What a name alone says: the store's URL when it says both store and URL, or its folder.
  init(named name: String, key: String, isURL: Bool) {
    self = .unknown
    if name.saysStore, isURL || name.saysPlace {
      base = name.saysFolder ? .folder(key) : .store(Self.toldByName + key)
      text = name.saysFolder ? "" : Self.ownName
      saysStore = !name.saysFolder
    }
    saysOther = name.saysNoStore
  }

  init(literal text: String) {
    self.init(base: .unknown, text: text, saysStore: false, saysOther: text.saysNoStore)
  }

  var sayingOther: StorePath {
    var path = self
    path.saysOther = true
    return path
  }

  fileprivate func joined(with tail: StorePath) -> StorePath {
    var path = base == .unknown && tail.base != .unknown ? tail : self
    path.text = (text + tail.text).replacing(
      Self.ownStem + "." + Self.ownExtension, with: Self.ownName)
    path.saysStore = saysStore || tail.saysStore
    path.saysOther = saysOther || tail.saysOther
    path.isPassing = isPassing || tail.isPassing
    path.folder = isUnknown ? nil : folder
    return path
  }

  /// A path that has the text of a parameter in it and a store's ending of its own: the store of
  /// whoever the parameter names, as in `"\(user)_trips.sqlite"`.
  fileprivate var namingAnother: StorePath {
    switch base {
    case .parameter, .closureParameter, .receiver: break
    default: return self
    }
    guard let own = text.lastIndex(where: { String($0) == Self.ownName }) else { return self }
    let name = text[text.index(after: own)...].dropLast(logEnding.count)
    guard Words.storeEndings.contains(where: { name.hasSuffix($0) }) else { return self }
    var other = self
    other.base = .unknown
    other.text = text.replacing(Self.ownName, with: Self.unknownText)
    return other
  }

  fileprivate func placed(in path: StorePath) -> StorePath {
    if base != .unknown {
      if case .folder(let key) = path.base, around.base == .folder(key) { return self }
      if path.isPassing { return .passingFile }
      if case .parameter = base, text == Self.ownName, let folder = path.foldersBelow {
        var placed = self
        placed.folder = folder
        placed.saysOther = saysOther || path.saysOther
        return placed
      }
      if case .parameter(let function, _) = base, mainText == Self.ownName,
        case .parameter(function, let index) = path.base, path.text == Self.ownName
      {
        var placed = self
        placed.folderParameter = index
        placed.saysOther = saysOther || path.saysOther
        return placed
      }
      // A name that is made from the store's is no store in use.
      let isMade = text.contains(Self.ownName) && !text.hasPrefix(Self.ownName)
      return isMade ? Self.unknown.sayingOther : otherKind ?? .unknown
    }
    let isFile = path.text == Self.ownName && path.saysStore || path.part == .main
    let isBeside = [.main, .writeAheadLog, .sharedMemory].contains(part)
    if isFile, text.hasPrefix("-") || !isBeside {
      var inside = path
      inside.text += "/" + text
      inside.saysOther = path.saysOther || text.saysNoStore
      return inside
    }
    var placed = self
    placed.folder = path.foldersBelow
    placed.saysOther = saysOther || path.saysOther
    placed.isPassing = isPassing || path.isPassing
    return placed
  }

  /// The file that a name with an ending of its own stands for, if that is no store's: a film, a
  /// picture.
  private var otherKind: StorePath? {
    guard let own = text.lastIndex(where: { String($0) == Self.ownName }) else { return nil }
    let ending = text[text.index(after: own)...]
    guard let dot = ending.lastIndex(of: "."), ending.index(after: dot) != ending.endIndex,
      part == .other, !ending.contains(where: { "\u{1}\u{2}\u{3}\u{4}".contains($0) }),
      !Words.storeEndings.contains(where: { ending.hasPrefix($0 + "-") || ending.hasSuffix($0) })
    else { return nil }
    return StorePath(
      base: .unknown, text: Self.unknownText + ending, saysStore: false, saysOther: saysOther)
  }

  /// The path in a folder that was given.
  fileprivate func lying(in given: StorePath) -> StorePath {
    var placed = self
    placed.folder = given.foldersBelow
    placed.folderParameter = nil
    if case .parameter(_, let index) = given.base, given.text == Self.ownName {
      placed.folderParameter = index
    }
    placed.saysOther = saysOther || given.saysOther
    placed.isPassing = isPassing || given.isPassing
    return placed
  }

  /// A path with what was given in the place of its base.
  fileprivate func putting(_ given: StorePath) -> StorePath {
    if case .folder = base {
      var folder = given.around
      folder.saysOther = saysOther || given.saysOther
      return folder
    }
    var result = given
    if let folder {
      // Below a known folder a name is given, and no folder of it counts.
      switch given.base {
      case .unknown where !given.isUnknown:
        result.folder = given.text.folders(below: folder)
        result.text = given.text.components.last ?? given.text
      case .parameter, .closureParameter: result.folder = folder
      default: return self
      }
    }
    let name = result.text
    result.text = text.replacing(Self.ownName, with: name)
    if text.contains(Self.ownStem) { result.text = text.replacing(Self.ownStem, with: name.stem) }
    result.text = result.text.replacing(Self.ownExtension, with: name.pathExtension)
    result.saysOther = saysOther || given.saysOther
    result.saysStore = saysStore || given.saysStore
    result.isPassing = isPassing || given.isPassing
    return result
  }
}

// MARK: - Paths that a call hands over

extension Program {
  /// Puts the argument of a call in the place of the parameter that a path was made from, and what
  /// its method is called on in the place of `self`.
  func substitute(_ path: StorePath, _ call: Ref, _ function: FunctionID) -> [StorePath] {
    let declaration = functions[function]
    if path.stands(for: .receiver(declaration.ref)) {
      return storePaths(receiverOf: call).map { path.putting($0) }
    }
    let index = declaration.parameters.indices.first { path.stands(for: .parameter(function, $0)) }
    guard let index, let argument = argument(of: call, for: index, of: declaration) else {
      return [path]
    }
    let files = storePaths(argument).map { path.putting($0) }
    guard let folder = path.folderParameter,
      let place = self.argument(of: call, for: folder, of: declaration)
    else { return files }
    return storePaths(place).flatMap { folder in files.map { $0.lying(in: folder) } }
  }

  /// Puts the argument of a call in the place of the parameter of the closure that it runs.
  func substitute(_ path: StorePath, _ call: Ref, closure: Ref) -> [StorePath] {
    let arguments = arguments(call)
    let index = arguments.indices.first { path.stands(for: .closureParameter(closure, $0)) }
    return index.map { storePaths(arguments[$0]).map { path.putting($0) } } ?? [path]
  }

  /// Puts the elements of a list in the place of the parameter of code that is run for each.
  func substitute(_ path: StorePath, elementsIn call: Ref, _ code: NamedCode) -> [StorePath] {
    let base: StorePath.Base =
      switch code {
      case .function(let id): .parameter(id, 0)
      case .closure(let closure): .closureParameter(closure, 0)
      }
    guard path.base == base, Frameworks.elementMethods.contains(calledName(call)) else {
      return [path]
    }
    return storePaths(receiverOf: call).map { path.putting($0) }
  }
}
