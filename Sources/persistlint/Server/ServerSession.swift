import PersistIndex
import PersistSyntax

/// What outlives a run when a server makes many of them: the files, as they were read or are being
/// edited.
///
/// The lock guards what varies.
final class ServerSession: @unchecked Sendable {
  /// What was made of a file, and of which state of it.
  private struct Kept {
    let stamp: FileStamp?
    let file: InputFile
    let isBroken: Bool
    /// The last state of the file whose syntax was whole, where this one's is broken.
    let whole: InputFile?

    var lastWhole: InputFile? { isBroken ? whole : file }
  }

  /// Whether a file whose syntax is broken is taken as it was before, because it is being typed.
  private let forgivesBrokenSyntax: Bool
  private let lock = Lock()
  private var kept: [String: Kept] = [:]
  /// What each file says by itself, and for which depth of the root; by paths as they are shown.
  private var sources: [String: (source: SourceFile, rootDepth: Int)] = [:]
  /// The texts that stand in for files, by resolved paths.
  private var texts: [String: [UInt8]] = [:]
  private var cancellation = Cancellation()
  /// What the last run needs no more, but takes long to free.
  private var spent: [AnyObject] = []

  init(forgivesBrokenSyntax: Bool) { self.forgivesBrokenSyntax = forgivesBrokenSyntax }

  /// Begins a run in which these texts stand in for files; `cancellation` ends it early.
  func begin(texts: [String: [UInt8]], _ cancellation: Cancellation) {
    lock.whileHeld {
      self.texts = texts
      self.cancellation = cancellation
    }
  }

  /// Whether nobody wants the outcome of the run any more.
  var isCancelled: Bool { lock.whileHeld { cancellation }.isCancelled }

  /// The resolved paths of the texts that stand in for files that aren't there; sorted.
  var newFiles: [String] {
    lock.whileHeld { texts.keys.sorted() }.filter { !System.hasEntry($0) }
  }

  /// Whether a text stands in for the file.
  func edits(_ path: String) -> Bool { lock.whileHeld { texts[path] != nil } }

  /// Frees a program of this run only when its outcome has been told.
  func keepUntilAnswered(_ program: AnyObject) { lock.whileHeld { spent.append(program) } }

  /// Frees what the last run has left.
  func freeSpent() {
    // Freed behind the lock, which others may want meanwhile.
    let old = lock.whileHeld {
      defer { spent = [] }
      return spent
    }
    withExtendedLifetime(old) {}
  }

  /// What was made of the same text at the same place before.
  func source(of file: InputFile, _ rootDepth: Int) -> SourceFile? {
    guard let known = lock.whileHeld({ sources[file.path] }), known.rootDepth == rootDepth,
      known.source.text === file.text
    else { return nil }
    return known.source
  }

  func keep(_ source: SourceFile, _ rootDepth: Int) {
    lock.whileHeld { sources[source.path] = (source, rootDepth) }
  }

  /// The file as it was read before, if it is the same still; else as `read` reads it.
  func file(
    _ path: FilePath, read: (SourceText?) -> Result<InputFile, UnreadableFile>
  ) -> Result<InputFile, UnreadableFile> {
    let (text, kept) = lock.whileHeld { (texts[path.absolute], self.kept[path.absolute]) }
    let stamp = text == nil ? FileStamp(path.absolute) : nil
    if let kept {
      let isSame =
        text.map { $0.elementsEqual(kept.file.text.bytes) }
        ?? (stamp?.isSettled == true && stamp == kept.stamp)
      if isSame { return .success((kept.whole ?? kept.file).named(path.shown)) }
    }
    let outcome = read(text.map { SourceText($0) })
    guard case .success(let file) = outcome else { return outcome }
    let isBroken = forgivesBrokenSyntax && file.outline?.lostPlace != nil
    let whole = isBroken ? kept?.lastWhole : nil
    lock.whileHeld {
      self.kept[path.absolute] = Kept(
        stamp: stamp, file: file, isBroken: isBroken, whole: whole)
    }
    return .success((whole ?? file).named(path.shown))
  }
}

/// Whether somebody still waits for what is being done.
final class Cancellation: @unchecked Sendable {
  private let lock = Lock()
  private var value = false

  var isCancelled: Bool { lock.whileHeld { value } }

  func cancel() { lock.whileHeld { value = true } }
}

extension InputFile {
  /// The same file under another name.
  fileprivate func named(_ path: String) -> InputFile {
    guard path != self.path else { return self }
    var file = InputFile(path: path, kind: kind, text: text)
    file.outline = outline
    return file
  }
}

extension String {
  /// The path with all links resolved; of what isn't there yet, the place that it would take.
  var resolvedOrPlanned: String? {
    if let path = System.resolve(self) { return path }
    let name = lastPart
    guard !name.isEmpty, name != ".", name != "..", !System.hasEntry(self) else { return nil }
    let folder = dropLast(name.count)
    return System.resolve(folder.isEmpty ? "." : String(folder))?.inner(name)
  }
}
