import PersistIndex

// MARK: - What conditions look at

extension Frameworks {
  /// The types that say how the process was started.
  static let launchValues: Set<Name> = ["CommandLine", "ProcessInfo"]
  /// The question whether a file is there.
  static let fileQuestion: Name = "fileExists"
  /// The question whether code runs on the main thread.
  static let mainThreadQuestion: Name = "isMainThread"
  /// The wrappers that keep a property's value in the settings.
  static let settingWrappers: Set<Name> = ["AppStorage"]
  /// Methods that write a value into the settings.
  static let settingWriters: [Name] = ["set", "setValue"]
}
