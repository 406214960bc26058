import PersistSyntax

// MARK: - Silent places

extension Program {
  /// Whether a node stands where no rule speaks: tests, previews, sample data, `#if DEBUG`,
  /// documentation catalogs, files that are never compiled.
  package func isExempt(_ ref: Ref) -> Bool {
    isReplaced(ref.file) || isOfTestTarget(ref.file)
      || isExempt(ref, evenIfUsed: false)
  }

  /// Whether a node stands where no rule speaks, whatever the project's files and the code that uses
  /// samples say: these can be read only when types are known.
  func isExemptByItself(_ ref: Ref) -> Bool { isExempt(ref, evenIfUsed: true) }

  private func isExempt(_ ref: Ref, evenIfUsed: Bool) -> Bool {
    let file = files[Int(ref.file)]
    if file.isTest || file.isDocumentation { return true }
    var next: Ref? = ref
    while let current = next {
      if isExemptScope(current, evenIfUsed: evenIfUsed) { return true }
      next = parent(current)
    }
    return false
  }

  private func isExemptScope(_ ref: Ref, evenIfUsed: Bool) -> Bool {
    switch kind(ref) {
    case .ifConfigClause: return isDebug(ref) || isNeverBuilt(ref)
    case .chain:
      guard let macro = children(ref).first, kind(macro) == .macro else { return false }
      return name(macro) == "Preview"
    case .binding where isTestValue(ref): return true
    case .functionDecl, .binding, .classDecl, .structDecl, .enumDecl, .actorDecl:
      return isSample(ref, evenIfUsed: evenIfUsed) || inheritsPreview(ref)
        || isDeveloperScreen(ref)
    case .extensionDecl: return isSample(ref, evenIfUsed: evenIfUsed)
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
