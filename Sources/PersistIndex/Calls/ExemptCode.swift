import PersistSyntax

// MARK: - Silent places

extension Program {
  /// Whether a node stands where no rule speaks: tests, previews, sample data, `#if DEBUG`,
  /// documentation catalogs, files that are never compiled.
  package func isExempt(_ ref: Ref) -> Bool {
    isReplaced(ref.file) || isOfTestTarget(ref.file) || isExemptByItself(ref)
  }

  /// Whether a node stands where no rule speaks, whatever the project's files say: these can be read
  /// only when types are known.
  func isExemptByItself(_ ref: Ref) -> Bool {
    let file = files[Int(ref.file)]
    if file.isTest || file.isDocumentation { return true }
    var inner = ref
    var next: Ref? = ref
    while let current = next {
      if isExemptScope(current, holding: inner) { return true }
      inner = current
      next = parent(current)
    }
    return false
  }

  private func isExemptScope(_ ref: Ref, holding inner: Ref) -> Bool {
    switch kind(ref) {
    case .ifConfigClause: return isDebug(ref) || isNeverBuilt(ref)
    case .chain:
      guard let macro = children(ref).first, kind(macro) == .macro else { return false }
      return name(macro) == "Preview"
    case .binding where isTestValue(ref): return true
    case .functionDecl, .binding, .classDecl, .structDecl, .enumDecl, .actorDecl:
      return Self.saysSample(nameText(ref), ofView: isView(ref)) || inheritsPreview(ref)
        || isDeveloperScreen(ref)
    case .extensionDecl:
      return child(ref, .type).map { Self.saysSample(text($0)) } ?? false
    default: return false
    }
  }

  /// Whether a property is what tests get of a dependency: the `testValue` of a
  /// `TestDependencyKey`.
  private func isTestValue(_ binding: Ref) -> Bool {
    guard nameText(binding) == "testValue",
      let declaration = ancestors(binding).first(where: { child($0, .inheritance) != nil }),
      let clause = child(declaration, .inheritance)
    else { return false }
    return children(clause).contains {
      ["TestDependencyKey", "DependencyKey"].contains(writtenName($0))
    }
  }

  private static let previewTypes: [Name] = ["PreviewProvider", "PreviewModifier", "XCTestCase"]

  private func inheritsPreview(_ ref: Ref) -> Bool {
    guard let clause = child(ref, .inheritance) else { return false }
    return children(clause).contains {
      Self.previewTypes.contains(writtenName($0))
    }
  }

  /// Whether a declaration is a screen that only the app's developers see, by its name.
  private func isDeveloperScreen(_ ref: Ref) -> Bool {
    guard let clause = child(ref, .inheritance),
      children(clause).contains(where: { type in
        let name = writtenName(type)
        return name == "View" || Words.viewClasses.contains(name)
      })
    else { return false }
    return nameText(ref).camelWords.contains { Self.developerWords.contains($0) }
  }

  private static let developerWords: Set<String> = ["debug", "debugging", "developer"]

  /// Whether a declaration is a view, or what gives one: a preview of a document, say, which people
  /// see. What the previews of Xcode alone show, nothing else runs.
  private func isView(_ ref: Ref) -> Bool {
    let types = child(ref, .inheritance).map { children($0) } ?? children(ref)
    return types.contains { ["View", "AnyView", "ViewModifier"].contains(writtenName($0)) }
  }

  /// Whether a name has a word for previews, samples or mocks in it; views show previews and samples.
  static func saysSample(_ name: String, ofView isView: @autoclosure () -> Bool = false) -> Bool {
    guard mayHoldSampleWord(name) else { return false }
    let words = name.camelWords
    let isView = isView()
    return words.indices.contains { index in
      if isView, wordsOfViews.contains(words[index]) { return false }
      // `getHeartRateSamples` works on readings; `makeSamples` and `tripSamples` are sample data.
      let isReading =
        words[index] == "samples" && index == words.count - 1
        && (index > 1 || index == 1 && takingVerbs.contains(words[0]))
        && (readingVerbs.contains(words[0]) || takingVerbs.contains(words[0]))
      return sampleWords.contains(words[index]) && !isReading
    }
  }

  /// Whether the beginning of a word for samples stands somewhere in a name.
  private static func mayHoldSampleWord(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { bytes in
      guard bytes.count >= 4 else { return false }
      return (0...bytes.count - 3).contains { at in
        switch (bytes[at] | 0x20, bytes[at + 1] | 0x20, bytes[at + 2] | 0x20) {
        case (0x70, 0x72, 0x65), (0x73, 0x61, 0x6D), (0x6D, 0x6F, 0x63), (0x73, 0x74, 0x75),
          (0x66, 0x61, 0x6B):
          true  // pre, sam, moc, stu, fak
        default: false
        }
      }
    }
  }

  private static let wordsOfViews: Set<String> = ["preview", "previews", "sample", "samples"]

  private static let readingVerbs: Set<String> = [
    "delete", "fetch", "get", "purge", "remove", "save", "store", "sync", "update", "upload",
  ]

  private static let takingVerbs: Set<String> = ["import", "merge", "process", "record"]

  private static let sampleWords: Set<String> = [
    "preview", "previews", "sample", "samples", "mock", "mocks", "mocked", "stub", "stubs", "fake",
  ]

  /// Whether a clause of `#if` is compiled only in debug builds.
  package func isDebug(_ clause: Ref) -> Bool {
    let outline = outline(clause)
    let node = node(clause)
    switch outline.tokens[Int(node.first)].kind {
    case .poundIf, .poundElseif:
      return condition(of: clause).map { $0.requires && !$0.negated } ?? false
    case .poundElse:
      guard let config = parent(clause), let first = children(config, .ifConfigClause).first,
        children(config, .ifConfigClause).count == 2
      else { return false }
      return condition(of: first).map { $0.requires && $0.negated } ?? false
    default: return false
    }
  }

  /// Whether the condition of a clause asks for `DEBUG` or a build of tests, alone or with `&&`.
  private func condition(of clause: Ref) -> (requires: Bool, negated: Bool)? {
    let outline = outline(clause)
    let node = node(clause)
    guard node.label != Node.noToken else { return nil }
    var requires = false
    var negated = false
    for token in Int(node.first) + 1..<max(Int(node.label), Int(node.first) + 1) {
      let name = outline.name(ofToken: token)
      if name == "||" { return (false, false) }
      if Words.namesOfTestFlags.contains(name) {
        requires = true
        negated = outline.name(ofToken: token - 1) == "!"
      }
    }
    return (requires, negated)
  }
}

extension String {
  /// The lower-case words of a camel-case or snake-case name.
  package var camelWords: [String] {
    utf8.allSatisfy { $0 < 0x80 } ? plainCamelWords : otherCamelWords
  }

  /// The words of a name of ASCII letters, digits and marks.
  private var plainCamelWords: [String] {
    var words: [String] = []
    var current: [UInt8] = []
    var previousIsLower = false
    func end() {
      if !current.isEmpty { words.append(String(decoding: current, as: UTF8.self)) }
      current.removeAll(keepingCapacity: true)
    }
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        current.append(byte)
        previousIsLower = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if previousIsLower { end() }
        current.append(byte | 0x20)
        previousIsLower = false
      default:
        end()
        previousIsLower = false
      }
    }
    end()
    return words
  }

  private var otherCamelWords: [String] {
    var words: [String] = []
    var current = ""
    var previousIsLower = false
    for character in self {
      if character == "_" || !character.isLetter {
        if !current.isEmpty { words.append(current) }
        current = ""
        previousIsLower = false
        continue
      }
      if character.isUppercase, previousIsLower {
        words.append(current)
        current = ""
      }
      current.append(contentsOf: character.lowercased())
      previousIsLower = character.isLowercase
    }
    if !current.isEmpty { words.append(current) }
    return words
  }
}
