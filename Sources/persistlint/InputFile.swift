import PersistIndex
import PersistProject
import PersistReport
import PersistSyntax

/// A file of the project, read whole.
struct InputFile: Sendable {
  /// What a file tells; known from its name.
  enum Kind: Sendable {
    case swift, dataModel, currentDataModel, mappingModel, project

    /// Nothing when the file is of no interest.
    init?(path: String) {
      if path.hasSuffix(".swift") {
        self = .swift
      } else if path.hasSuffix(".xcdatamodel/contents") {
        self = .dataModel
      } else if path.hasSuffix("/.xccurrentversion") {
        self = .currentDataModel
      } else if path.hasSuffix(".xcmappingmodel/xcmapping.xml") {
        self = .mappingModel
      } else if ProjectFile.kind(ofFileAt: path) != nil {
        self = .project
      } else {
        return nil
      }
    }
  }

  /// Relative to the root with `/` between; absolute when the file lies elsewhere.
  let path: String
  let kind: Kind
  let text: SourceText
  /// The outline of a Swift file, made while its bytes were at hand.
  var outline: Outline?

  init(path: String, kind: Kind, text: SourceText) {
    self.path = path
    self.kind = kind
    self.text = text
  }

  var bytes: [UInt8] { Array(text.bytes) }
}

extension InputFile {
  /// The files that `find` finds and that can be read, in the order of their paths, and a notice for
  /// each of the others; they are read while the search goes on.
  static func read(
    jobs: Int, atMost largestSize: Int, in session: ServerSession? = nil,
    find: (_ take: @escaping (FilePath) -> Void) throws(CommandError) -> Void
  ) throws(CommandError) -> (files: [InputFile], unread: [UnreadableFile]) {
    let pipeline = Pipeline(
      jobs: jobs, tool: { TokenMemory() },
      transform: { (path: FilePath, memory) in
        let outcome =
          session?.file(path) { read(path, $0, atMost: largestSize, in: memory) }
          ?? read(path, atMost: largestSize, in: memory)
        return (path.shown, outcome)
      })
    do {
      try find { pipeline.add($0) }
    } catch {
      _ = pipeline.finish()
      throw error
    }
    let outcomes = pipeline.finish().sorted { $0.0 < $1.0 }.map(\.1)
    var files: [InputFile] = []
    var unread: [UnreadableFile] = []
    for outcome in outcomes {
      switch outcome {
      case .success(let file): files.append(file)
      case .failure(let failure): unread.append(failure)
      }
    }
    return (files, unread)
  }

  /// Where the file's syntax is broken, so that it was read in part.
  var lostNotice: Notice? {
    outline?.lostPlace.map { lost in
      let before = text.bytes.prefix(lost.offset)
      let line = before.count { $0 == 0x0A } + 1
      let column = lost.offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
      return Notice(
        path: path,
        message:
          "\(path):\(line):\(column): the syntax is broken here, so this file is judged only in "
          + "part: \(lost.reason)")
    }
  }

  /// The file with these bytes, or why they can't be linted.
  static func make(
    path: String, kind: Kind, text: SourceText
  ) -> Result<InputFile, UnreadableFile> {
    guard isUTF8(UnsafeRawBufferPointer(text.bytes)) else {
      return .failure(UnreadableFile(path: path, reason: "not UTF-8; save it as UTF-8"))
    }
    return .success(InputFile(path: path, kind: kind, text: text))
  }

  /// Reads the file, or takes the text that stands in for it.
  private static func read(
    _ path: FilePath, _ text: SourceText? = nil, atMost largestSize: Int, in memory: TokenMemory
  ) -> Result<InputFile, UnreadableFile> {
    do {
      let outcome = try Timings.measure(.read) { () throws(SystemError) in
        if let text { return make(path: path.shown, kind: path.kind, text: text) }
        let read = try FileReader.text(of: path.absolute, atMost: largestSize)
        return make(path: path.shown, kind: path.kind, text: read)
      }
      guard case .success(var file) = outcome, file.kind == .swift else { return outcome }
      Defects.watch("the reading of \(path.shown)") {
        let tokens = Timings.measure(.lex) { TokenList.lex(file.text, in: memory).kept }
        file.outline = Timings.measure(.outline) { Outline(file.text, tokens: tokens) }
      }
      guard file.outline != nil else {
        return .failure(UnreadableFile(path: path.shown, reason: "a defect of persistlint"))
      }
      return .success(file)
    } catch {
      return .failure(UnreadableFile(path: path.shown, reason: error.reason))
    }
  }
}

/// A file that was left out, and why.
struct UnreadableFile: Error {
  let path: String
  let reason: String

  var notice: Notice { Notice(path: path, message: "\(path) was left out: \(reason)") }
}
