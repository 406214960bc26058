import PersistIndex
import PersistSyntax

/// Where a file lies, as far as the sources tell: the last part of its path, and whether that is a
/// store's.
package struct StorePath: Hashable, Sendable {
  /// What the path was made from.
  package enum Base: Hashable, Sendable {
    case unknown
    /// The file that something of the sources names as its store, by a key for that.
    case store(String)
    /// The folder of such a store.
    case folder(String)
    /// A parameter of a function.
    case parameter(FunctionID, Int)
    /// A parameter of a closure that something holds.
    case closureParameter(Ref, Int)
    /// The `URL` that a method or property of an extension belongs to, by its declaration.
    case receiver(Ref)
  }

  /// Which of a store's files a path names.
  package enum Part: Hashable, Sendable {
    case main, writeAheadLog, sharedMemory
    /// A file that SQLite does not know, though the name is meant for one of its log files.
    case misnamed(String)
    case other
  }

  package var base: Base
  /// The last component; `ownName`, `ownStem` and `ownExtension` stand for the base's name, that
  /// without its extension, and the extension.
  package var text: String
  /// A name on the way says store or database, or the base is one.
  package var saysStore: Bool
  /// A name on the way says cache, temporary, export, backup and the like.
  package var saysOther: Bool
  /// The system may empty the folder on the way: the temporary one, or that of caches.
  package var isPassing = false
  /// The literal name of the base's file, where what owns the file is made with one.
  var givenName: String?
  /// The folder that holds it, from one of the system's folders down, where all names are told.
  var folder: [String]?
  /// The parameter that stands for that folder, beside the one that names the file.
  var folderParameter: Int?

  /// The name of the one realm that the framework keeps by default.
  package static let realmKey = "realm"
  /// The beginning of the key of a file that only its name calls a store.
  package static let toldByName = "name "
  /// The beginning of the key of an entry of a folder that was picked by the ending `.db`.
  package static let pickedDatabase = "entry .db "
  static let ownName = "\u{1}"
  static let ownStem = "\u{2}"
  static let ownExtension = "\u{4}"
  /// What stands for a part of a path of which nothing is known.
  package static let unknownText = "\u{3}"

  package static let unknown = StorePath(
    base: .unknown, text: unknownText, saysStore: false, saysOther: false)

  /// One of the system's folders that the app's files lie in.
  static func systemFolder(_ name: String) -> StorePath {
    var path = unknown
    path.folder = [name == "documentDirectory" ? "documentsDirectory" : name]
    return path
  }

  /// The folder that the system empties when it likes.
  static let passingFolder = StorePath(
    base: .unknown, text: "", saysStore: false, saysOther: true, isPassing: true)

  /// A file of unknown name in such a folder.
  static let passingFile = StorePath(
    base: .unknown, text: unknownText, saysStore: false, saysOther: true, isPassing: true)

  /// Whether the path is a file of a store that is in use.
  package var isStoreFile: Bool {
    guard !saysOther else { return false }
    switch part {
    case .main: return saysStore || hasStoreEnding
    case .writeAheadLog, .sharedMemory, .misnamed: return true
    case .other: return false
    }
  }

  /// Whether the path is the main file of a store, in use or not.
  package var namesStoreFile: Bool { part == .main && (saysStore || hasStoreEnding) }

  /// What names one of the log files at the end of the text; empty for the main file.
  var logEnding: String { ["-wal", "-shm"].first { text.hasSuffix($0) } ?? "" }

  /// The text without what names a log file.
  package var mainText: String { String(text.dropLast(logEnding.count)) }

  private var hasStoreEnding: Bool {
    Words.storeEndings.contains { mainText.hasSuffix($0) && mainText.count > $0.count }
  }

  private var namesMain: Bool {
    let text = mainText
    if text == Self.ownName { return true }
    return hasStoreEnding && !text.hasPrefix(Self.ownName)
  }

  package var part: Part {
    for word in ["wal", "shm"] {
      if text == "-\(word)" || text.hasSuffix("/-\(word)") || text.hasSuffix(".\(word)")
        || text == Self.ownStem + "-\(word)"
      {
        return .misnamed(word)
      }
    }
    guard namesMain else { return .other }
    if text.hasSuffix("-wal") { return .writeAheadLog }
    return text.hasSuffix("-shm") ? .sharedMemory : .main
  }

  /// The literal name of the store's main file; nil where only its owner tells it.
  package var literalName: String? {
    let text = mainText
    if text == Self.ownName { return givenName }
    return hasStoreEnding && text.isSpelled ? text : nil
  }

  /// Whether it is a file that a parameter names in a folder that is told.
  var isPlaced: Bool {
    if case .parameter = base { folder != nil && text == Self.ownName } else { false }
  }

  /// The file that a parameter names in a known folder, as a variable's name takes it for a store's.
  var namedStore: StorePath {
    var path = self
    path.saysStore = saysStore || isPlaced
    return path
  }

  /// A path where a text in its name is replaced by another.
  func replacing(_ old: String, with new: String) -> StorePath {
    var path = self
    if text.contains(old) {
      path.text = text.replacing(old, with: new)
    } else if text == Self.ownName {
      path.text = Self.ownStem + new
    }
    return path
  }

  /// Whether two paths may be files of one store: no two names or folders that differ.
  package func maySharesStore(with other: StorePath) -> Bool {
    guard let name = literalName, let otherName = other.literalName else { return true }
    return name == otherName && mayLie(beside: other)
  }

  /// Whether two paths may lie in one folder.
  func mayLie(beside other: StorePath) -> Bool {
    folder == nil || other.folder == nil || folder == other.folder
  }

  /// Whether the name and all folders of a store's file are told.
  package var isTold: Bool { folder != nil && literalName != nil }

  /// Whether the path is a store's file, whatever its name, in a folder that is told.
  package var isStoreInKnownFolder: Bool { folder != nil && isStoreFile }

  /// Whether nothing is known of the file's name.
  package var isUnknown: Bool {
    var path = self
    path.folder = nil
    return path == .unknown
  }

  /// The folders that lead to what lies below the path, where all names are told.
  var foldersBelow: [String]? {
    if isUnknown || text.isEmpty { return folder }
    return folder.flatMap { (text + "/-").folders(below: $0) }
  }

  /// Whether a path is made from what a base stands for, or is its folder.
  func stands(for other: Base) -> Bool {
    let whole = Self(base: other, text: "", saysStore: false, saysOther: false)
    return base == other || base == whole.around.base
  }

  /// Whether a path is the folder that some files lie in.
  package func isFolder(ofAll files: [StorePath]) -> Bool {
    guard case .folder = base, text.isEmpty, !saysOther else { return false }
    return files.isEmpty || files.contains { $0.around.base == base }
  }

  /// The folder that the file lies in.
  package var around: StorePath {
    let key: String
    switch base {
    case .store(let store): key = store
    case .parameter(let function, let index): key = "\(function):\(index)"
    case .closureParameter(let closure, let index): key = "\(closure.file):\(closure.node):\(index)"
    case .receiver(let member): key = "\(member.file):\(member.node)"
    case .folder, .unknown: key = text
    }
    return StorePath(
      base: .folder(key), text: "", saysStore: false, saysOther: saysOther, isPassing: isPassing)
  }

}

extension String {
  /// The names between slashes.
  var components: [String] { split(separator: "/").map(String.init) }

  /// The folders of a path below others; nil where one isn't told.
  func folders(below outer: [String]) -> [String]? {
    let own = components.dropLast()
    return own.allSatisfy(\.isSpelled) ? outer + own : nil
  }

  /// Whether no part of the text stands for something else.
  fileprivate var isSpelled: Bool { !contains { "\u{1}\u{2}\u{3}\u{4}".contains($0) } }

  /// Whether a name has a word for caches, temporary files, backups and the like.
  var saysNoStore: Bool {
    let words = camelWords
    // The identifier of a bundle is no place in one.
    let isText = words.last.map { Words.textsOfBundles.contains($0) } ?? false
    return words.contains { Words.noStoreWords.contains($0) && !(isText && $0 == "bundle") }
  }

  /// Whether a name has a word for stores, and none behind it for what describes one.
  var saysStore: Bool {
    let words = camelWords
    guard let word = words.lastIndex(where: { Words.storeWords.contains($0) }) else { return false }
    return !words[word...].contains { Words.descriptionWords.contains($0) }
  }

  /// Whether a name is that of a folder, such as `storeDirectoryURL`.
  var saysFolder: Bool {
    let words = camelWords
    return words.last { !["url", "path", "location"].contains($0) }
      .map { ["directory", "folder", "dir"].contains($0) } ?? false
  }

  /// Whether a name has a word for URLs and paths.
  var saysPlace: Bool { camelWords.contains { Words.placeWords.contains($0) } }
}

extension String {
  /// The extension alone.
  var pathExtension: String {
    if self == StorePath.ownName { return StorePath.ownExtension }
    guard let dot = lastIndex(of: "."), dot != startIndex else { return "" }
    return String(self[index(after: dot)...])
  }

  /// The text without its path extension.
  var stem: String {
    if self == StorePath.ownName { return StorePath.ownStem }
    guard let dot = lastIndex(of: "."), dot != startIndex else { return self }
    return String(self[..<dot])
  }
}
