import PersistReport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Configuration {
  /// The configuration of a file that is named, or of the one nearest above the paths, or the
  /// one that holds where there is none.
  static func load(
    named name: String?, forPaths paths: [String]
  ) throws(CommandError) -> Configuration {
    let start = commonFolder(of: paths)
    var strangers: [Notice] = []
    if let name {
      guard let file = System.resolve(name) else {
        throw .refusal("\(name): \(SystemError.last.reason)")
      }
      return try read(file, shownAs: name)
    }
    var folder: String? = start
    while let current = folder {
      strangers += Configuration(folder: current).strangersThere
      let file = (current == "/" ? "" : current) + "/" + fileName
      if System.hasEntry(file) {
        var found = try read(
          file, shownAs: Configuration(folder: current).placed(fileName)
        ).outermost
        found.strangers = strangers
        return found
      }
      folder = parentFolder(of: current)
    }
    var none = Configuration(folder: start)
    none.strangers = strangers
    return none
  }

  /// Files of this folder that look like configurations of persistlint's.
  private var strangersThere: [Notice] {
    ["yml", "yaml", "jsonc", "json5", "toml"].compactMap { ending in
      let name = ".persistlint.\(ending)"
      guard System.hasEntry(folder.inner(name)) else { return nil }
      return Notice(
        path: placed(name),
        message:
          "\(placed(name)) isn't read, because settings lie in \(Configuration.fileName), which "
          + "may have comments and trailing commas; move them there")
    }
  }

  /// The configuration for a run with these options.
  static func load(for options: Options) throws(CommandError) -> Configuration {
    guard let project = options.project, options.configuration == nil else {
      return try load(
        named: options.configuration, forPaths: options.operands.filter { $0 != "-" })
    }
    guard let folder = System.resolve(project) else {
      throw .refusal("\(project): \(SystemError.last.reason)")
    }
    guard System.hasEntry(folder.inner(fileName)) else { return Configuration(folder: folder) }
    return try read(
      folder.inner(fileName), shownAs: Configuration(folder: folder).placed(fileName))
  }

  /// The deepest folder in which all paths lie; the current one when there are none.
  private static func commonFolder(of paths: [String]) -> String {
    let folders = (paths.isEmpty ? ["."] : paths).compactMap { path -> [Substring]? in
      guard let resolved = System.resolve(path) else { return nil }
      let isFolder = (try? System.status(of: resolved))?.kind == .folder
      return Array((isFolder ? resolved : parentFolder(of: resolved) ?? "/").split(separator: "/"))
    }
    guard var common = folders.first else { return System.resolve(".") ?? "/" }
    for folder in folders.dropFirst() {
      common = zip(common, folder).prefix { $0 == $1 }.map { $0.0 }
    }
    return "/" + common.joined(separator: "/")
  }

  /// Reads a file and those that it goes on from; `readers` are the files that led to it.
  static func read(
    _ file: String, shownAs name: String, for readers: [String] = []
  ) throws(CommandError) -> Configuration {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.read(file, atMost: FileReader.Limit.configuration)
    } catch {
      throw .refusal("\(name): \(error.reason)")
    }
    guard isUTF8(bytes) else { throw .refusal("\(name): not UTF-8; save it as UTF-8") }
    if let mistake = JSON5Mistake(in: String(decoding: bytes, as: UTF8.self)) {
      throw .refusal(
        "\(name):\(mistake.line):\(mistake.column): expected \(mistake.expected)")
    }
    let value: ConfigurationValue
    do {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      value = try decoder.decode(ConfigurationValue.self, from: Data(bytes))
    } catch {
      throw .refusal("\(name): this is not JSON")
    }
    do throws(ConfigurationMistake) {
      try value.check(.record(ConfigurationKey.all))
    } catch {
      let place = ConfigurationPlace(
        of: error.path, value: error.value, in: String(decoding: bytes, as: UTF8.self))
      throw .refusal("\(name):\(place.line):\(place.column): \(error.reason)")
    }
    var configuration = Configuration(folder: parentFolder(of: file) ?? "/")
    configuration.file = file
    configuration.text = String(decoding: bytes, as: UTF8.self)
    for key in ConfigurationKey.all {
      if let member = value[key.name] { key.set(&configuration, member) }
    }
    configuration.keys = Set(value.members.keys)
    try configuration.checkPlaces()
    try configuration.goOn(for: readers)
    return configuration
  }
}

extension Configuration {
  /// Refuses files outside of the configuration's folder.
  private func checkPlaces() throws(CommandError) {
    let root = ProjectRoot(path: folder)
    let named =
      [("lock", lock), ("baseline", baseline)] + formats.map { ("formats", $0.file) }
    for (key, path) in named {
      guard let path else { continue }
      do {
        let whole = path.hasPrefix("/") ? path : folder.inner(path)
        try Destination(path: whole, naming: .project(root), content: .new).place(in: root)
      } catch {
        throw .refusal(
          "\(place(key, path)): \(path) leads out of \(folder); only an argument may name a file "
            + "there")
      }
    }
  }
}

extension ConfigurationValue: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([ConfigurationValue].self) {
      self = .list(value)
    } else {
      self = .record(try container.decode([String: ConfigurationValue].self))
    }
  }
}

/// Where a key stands in the text of a configuration, found by looking for its names in turn.
struct ConfigurationPlace: Equatable {
  let line: Int
  let column: Int

  /// `value` is a string in the value of the last key; "" for the key itself.
  init(of path: [String], value: String = "", in text: String) {
    var found = text.startIndex
    var rest = text[...]
    for name in path where Int(name) == nil {
      guard let place = ConfigurationPlace.find(name, in: rest) else { break }
      found = place.lowerBound
      rest = rest[place.upperBound...]
    }
    if !value.isEmpty, let place = rest.firstRange(of: value) {
      found = text.index(before: place.lowerBound)
    }
    let before = text[..<found]
    line = before.count { $0.isNewline } + 1
    column = before.reversed().prefix { !$0.isNewline }.count + 1
  }

  /// The name as a key: with or without quotes, a colon behind it.
  private static func find(_ name: String, in text: Substring) -> Range<Substring.Index>? {
    var rest = text
    while let match = rest.firstRange(of: name) {
      let before = text[..<match.lowerBound].last
      let after = rest[match.upperBound...].drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
      let beginsName = before.map { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" } ?? true
      if beginsName, after.first == ":" { return match }
      rest = rest[match.upperBound...]
    }
    return nil
  }
}
