import PersistSyntax

/// The words of one file as its tokens tell them, so that files without a word need no outline.
///
/// It may hold more than the outline would tell, never less.
package struct FileWords: Sendable {
  /// A name by which other files may ask for this one.
  struct Declared: Sendable {
    enum Kind: UInt8, Sendable, CaseIterable {
      case function
      /// A function that may belong to no type.
      case freeFunction
      /// A class, struct, enum, actor, protocol or typealias outside of braces.
      case type
      /// What an extension extends, or a typealias stands for.
      case extended
      /// What a type or extension inherits from, or a typealias stands for.
      case inherited
      /// A variable outside of braces.
      case variable
    }

    let name: Name
    let kind: Kind
  }

  /// Stands for an `init` that is called on a value, such as a metatype in a variable.
  static let initOfValue = Name(").init")

  /// From so many words on it pays to sort them.
  private static let manyWords = 4_000

  /// The number of different bits that the words have.
  static let bitCount = 4096

  /// Two bits for each word.
  private(set) var bits: [UInt64] = []
  /// The lower halves of the words' hashes, some more than once; sorted where there are many.
  private var halves: [UInt32] = []
  private(set) var declared: [Declared] = []
  /// The functions with a closure among their parameters.
  private(set) var closureTakers: [Name] = []
  /// The typealiases that stand for a closure, or for something with one in it.
  private(set) var closureAliases: [Name] = []
  /// Some word is one of those by which rules find where to look, or the words don't tell all.
  package private(set) var mayMatter = false
  /// Some declaration has `async let`.
  private(set) var hasAsyncLet = false
  /// Some comment begins with the mark of a suppression.
  private(set) var hasSuppression = false
  /// Some brace has no partner, so that the tokens don't tell what stands outside of braces.
  private(set) var hasLooseBraces = false

  /// Reads the words of a text whose tokens are known.
  package init(_ text: SourceText, _ tokens: TokenList, in memory: WordMemory = WordMemory()) {
    var scan = WordScan(text, tokens, memory)
    scan.run(into: &self)
    (bits, halves) = (memory.bitArray, memory.halfArray)
    if halves.count > Self.manyWords { halves.sort() }
    hasSuppression = tokens.comments.contains { Self.isSuppression($0, text) }
  }

  /// The two bits of a word.
  static func places(of name: Name) -> (Int, Int) {
    let mask = UInt64(bitCount - 1)
    return (Int(name.hash >> 52 & mask), Int(name.hash >> 34 & mask))
  }

  /// False when no token of the file is spelled so.
  func mayHold(_ name: Name) -> Bool {
    let (first, second) = Self.places(of: name)
    return bits[first >> 6] >> UInt64(first & 63) & 1 == 1
      && bits[second >> 6] >> UInt64(second & 63) & 1 == 1 && hasHalf(of: name)
  }

  /// Whether a token says SwiftData, as every import of it does.
  package var mayUseSwiftData: Bool { mayHold("SwiftData") }

  /// Whether some token has the lower half of a name's hash; true by chance once in millions.
  func hasHalf(of name: Name) -> Bool {
    let half = UInt32(truncatingIfNeeded: name.hash)
    guard halves.count > Self.manyWords else { return halves.contains(half) }
    var low = 0
    var high = halves.count
    while low < high {
      let middle = (low + high) / 2
      if halves[middle] < half { low = middle + 1 } else { high = middle }
    }
    return low < halves.count && halves[low] == half
  }

  /// Adds the lower halves of all words.
  func addHalves(to all: inout Set<UInt32>) { all.formUnion(halves) }

  /// Whether the file declares a function that may take a closure, and of which the name has one of
  /// the lower halves; `throughAlias` where the closure may hide behind another name.
  func mayTakeClosure(in halves: Set<UInt32>, throughAlias: Bool) -> Bool {
    if closureTakers.contains(where: { halves.contains(UInt32(truncatingIfNeeded: $0.hash)) }) {
      return true
    }
    return throughAlias
      && declared.contains {
        $0.kind == .function && halves.contains(UInt32(truncatingIfNeeded: $0.name.hash))
      }
  }

  private static func isSuppression(_ comment: Comment, _ text: SourceText) -> Bool {
    var offset = Int(comment.offset)
    let end = min(offset + Int(comment.length), text.count)
    while offset < end, SourceFile.isCommentMark(text.start[offset]) { offset += 1 }
    let marker = SourceFile.suppressionMarker
    guard end - offset >= marker.utf8CodeUnitCount else { return false }
    return (0..<marker.utf8CodeUnitCount).allSatisfy {
      text.start[offset + $0] == marker.utf8Start[$0]
    }
  }

  mutating func declare(_ name: Name, _ kind: Declared.Kind) {
    declared.append(Declared(name: name, kind: kind))
  }

  mutating func noteClosureTaker(_ name: Name) { closureTakers.append(name) }
  mutating func noteClosureAlias(_ name: Name) { closureAliases.append(name) }
  mutating func noteThatItMatters() { mayMatter = true }
  mutating func noteAsyncLet() { hasAsyncLet = true }
  mutating func noteLooseBrace() {
    hasLooseBraces = true
    mayMatter = true
  }
}
