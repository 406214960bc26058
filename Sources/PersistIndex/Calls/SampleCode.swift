import PersistSyntax

/// Whether code that ships spells the name of a function or type, so that the word for samples in it
/// is one of the app's own words.
private struct IsNamedInShippingCode: Query {
  let name: Name

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findNamed(inShippingCode: name) }
}

// MARK: - Samples, previews and mocks

extension Program {
  /// Whether a declaration or an extension is made for previews, samples or mocks, by its name, and
  /// the code that ships doesn't use it.
  func isSample(_ ref: Ref, evenIfUsed: Bool) -> Bool {
    let isExtension = kind(ref) == .extensionDecl
    let text = isExtension ? child(ref, .type).map { self.text($0) } ?? "" : nameText(ref)
    // What a local is called says nothing of the code that it stands in.
    guard Self.mayHoldSampleWord(text), kind(ref) != .binding || property(declaredAt: ref) != nil
    else { return false }
    let words = text.camelWords
    let isView = !isExtension && self.isView(ref)
    let saysSample = words.contains {
      Self.sampleWords.contains($0) && !(isView && Self.wordsOfViews.contains($0))
    }
    let isSample = saysSample && !Self.saysReadings(words)
    guard isSample, !evenIfUsed, kind(ref) != .binding, !Self.saysData(words) else {
      return isSample
    }
    // A word alone names too much.
    if words.count == 1, kind(ref) == .functionDecl || !isExtension && isNested(ref) { return true }
    let type = isExtension ? child(ref, .type) : nil
    return !answer(IsNamedInShippingCode(name: type.map { writtenName($0) } ?? name(ref)))
  }

  /// Whether a name says that readings are handled, as `saveHeartRateSamples` does; `makeSamples` and
  /// `tripSamples` are sample data.
  private static func saysReadings(_ words: [String]) -> Bool {
    guard let verb = words.first, words.last == "samples" else { return false }
    return takingVerbs.contains(verb) || words.count > 2 && readingVerbs.contains(verb)
  }

  private static let readingVerbs: Set<String> = [
    "delete", "fetch", "get", "purge", "remove", "save", "store", "sync", "update", "upload",
  ]

  private static let takingVerbs: Set<String> = ["import", "merge", "process", "record"]

  /// Whether a declaration is a view, or what gives one: a preview of a document, say, which people
  /// see. What the previews of Xcode alone show, nothing else runs.
  private func isView(_ ref: Ref) -> Bool {
    let types = child(ref, .inheritance).map { children($0) } ?? children(ref)
    return types.contains { ["View", "AnyView", "ViewModifier"].contains(writtenName($0)) }
  }

  private func isNested(_ ref: Ref) -> Bool { parent(ref).map { kind($0) != .file } ?? false }

  /// Whether a name says that what has it is the data of samples, whoever shows them.
  private static func saysData(_ words: [String]) -> Bool {
    zip(words, words.dropFirst()).contains { sampleWords.contains($0) && $1 == "data" }
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

  private static let sampleWords: Set<String> = [
    "preview", "previews", "sample", "samples", "mock", "mocks", "mocked", "stub", "stubs", "fake",
  ]

  fileprivate func findNamed(inShippingCode name: Name) -> Bool {
    let declared = types(inFilesUsing: name).filter { types[$0].name == name }
    if declared.contains(where: { !Words.appAttributes.isDisjoint(with: types[$0].attributes) }) {
      return true
    }
    let own =
      declared.flatMap { [types[$0].ref] + types[$0].extensions }
      + functions(named: name).map { functions[$0].ref }
    return isNamed(name, outside: own) { !isChosenForSamples($0) }
  }

  /// Whether a node runs only where a condition asks for previews, tests or a store in memory.
  private func isChosenForSamples(_ node: Ref) -> Bool {
    ancestors(node).contains { scope in
      var condition: ArraySlice<Ref> = []
      if kind(scope) == .ifStatement { condition = children(scope).prefix { kind($0) != .block } }
      if kind(scope) == .ternary { condition = children(scope).prefix(1) }
      return condition.contains { part in
        words(in: part).contains { Self.conditionWords.contains($0) }
      }
    }
  }

  private static let conditionWords: Set<String> = sampleWords.union([
    "debug", "demo", "memory", "screenshot", "screenshots", "test", "testing", "tests", "uitest",
    "uitesting",
  ])
}
