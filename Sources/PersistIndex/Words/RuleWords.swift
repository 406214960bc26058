/// The words by which rules find where to look, as a table that one step asks.
///
/// A file with one of them is outlined beside the others; a word that lacks costs time, no finding.
struct RuleWords: @unchecked Sendable {
  static let shared = RuleWords()

  private let slots: UnsafeMutablePointer<UInt64>
  private let mask: Int

  private init() {
    let words = Self.words
    var capacity = 64
    while capacity < words.count * 4 { capacity *= 2 }
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: 0, count: capacity)
    for word in words {
      var place = Int(truncatingIfNeeded: word.hash >> 20) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = word.hash
    }
  }

  @inline(__always)
  func contains(_ name: Name) -> Bool {
    var place = Int(truncatingIfNeeded: name.hash >> 20) & mask
    while slots[place] != 0 {
      if slots[place] == name.hash { return true }
      place = (place + 1) & mask
    }
    return false
  }

  private static var words: Set<Name> {
    Words.openingModules.union(Words.openingTypes.keys).union(Words.openingMethods.map(\.0))
      .union(["SwiftData", "CoreData", "NSManagedObject", "NSManagedObjectContext", "ModelContext"])
  }
}
