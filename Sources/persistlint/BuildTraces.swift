import PersistSchema

/// What a run leaves for a build system.
struct BuildTraces {
  /// Changes with all that a run depends on.
  private let fingerprint: String
  private let usesSettings: Bool
  private let options: Options

  /// Nothing where no build system asks.
  init?(_ input: LintInput, _ options: Options, lock: String) {
    guard options.stamp != nil || options.runs != nil else { return nil }
    let configurations = [input.configuration] + input.configuration.nested
    let settings =
      configurations.flatMap(\.files) + [lock].filter(System.hasEntry)
      + [options.baseline].compactMap { $0 }
    var sum = Fingerprint()
    for text in [Persistlint.title] + CommandLine.arguments { sum.combine(text) }
    for file in input.files {
      sum.combine(file.path)
      sum.combine(String(decoding: file.text.bytes, as: UTF8.self))
    }
    for path in settings + [options.filesFrom].compactMap({ $0 }) {
      sum.combine(path)
      let bytes = (try? FileReader.read(path, atMost: FileReader.Limit.record)) ?? []
      sum.combine(String(decoding: bytes, as: UTF8.self))
    }
    fingerprint = sum.description
    usesSettings = !settings.isEmpty
    self.options = options
  }

  /// Whether the last run looked at the same, and let the build go on.
  var isKnown: Bool {
    guard let runs = options.runs, let stamp = options.stamp, System.hasEntry(stamp),
      let bytes = try? FileReader.read(runs, atMost: FileReader.Limit.record)
    else { return false }
    return String(decoding: bytes, as: UTF8.self) == fingerprint + "\n"
  }

  /// Leaves the stamp, and remembers the run. A file that is written while a command runs is newer
  /// than what the build saw, so that the next build runs the command again.
  func leave(_ code: ExitCode) throws(CommandError) {
    if let runs = options.runs, usesSettings || !isEmpty(runs) {
      let text = code == .clean && usesSettings ? fingerprint + "\n" : ""
      try write(text, to: runs)
    }
    guard let stamp = options.stamp else { return }
    let text = "// Linted by persistlint.\n"
    // A new one would be compiled again.
    if (try? FileReader.read(stamp, atMost: FileReader.Limit.record)) == Array(text.utf8) { return }
    try write(text, to: stamp)
  }

  private func isEmpty(_ path: String) -> Bool { (try? System.status(of: path))?.size == 0 }

  private func write(_ text: String, to path: String) throws(CommandError) {
    do {
      try FileWriter.write(Array(text.utf8), to: path)
    } catch {
      throw .refusal("\(path): \(error.reason)")
    }
  }
}

extension Configuration {
  /// The files that the configuration was read from.
  fileprivate var files: [String] { [file].compactMap { $0 } + bases.flatMap(\.files) }
}
