import PersistIndex
import PersistSyntax

// MARK: - The files of containers

extension KnownText {
  /// The file that a container of Core Data takes by its name alone.
  package static func store(ofContainer name: KnownText) -> KnownText {
    KnownText("dir:\(Frameworks.storeFolder)/").appending(name).appending(".sqlite")
  }

  /// Whether it lies where an app and its extensions have folders of their own.
  package var isInOwnFolder: Bool { beginning.hasPrefix("dir:\(Frameworks.storeFolder)") }
}

extension Program {
  /// The store that a `ModelConfiguration(…)` describes; nil where it is in memory or untold.
  package func store(ofConfiguration call: Ref) -> KnownText? {
    let stores = openedStores(by: call)
    return stores.count == 1 && stores[0].isInMemory != true ? stores[0].file : nil
  }

  /// The stores that a `ModelContainer(…)` opens on disk; nil where one of them can't be told.
  package func stores(ofContainer call: Ref) -> [KnownText]? {
    let stores = openedStores(by: call).filter { $0.isInMemory != true }
    let files = stores.compactMap(\.file)
    return files.count == stores.count ? files : nil
  }

  /// The file that a container of SwiftData takes when nothing names another.
  func defaultStore(of call: Ref) -> KnownText {
    usualFolder(at: call).below(KnownText("default.store"))
  }

  /// The folder that SwiftData takes when nothing names another: that of the group where the
  /// entitlements name one.
  private func usualFolder(at call: Ref) -> KnownText {
    let isInGroup = projects.entitlements(of: files[Int(call.file)].path).contains(
      where: \.namesAppGroup)
    return KnownText(isInGroup ? "group:" : "dir:\(Frameworks.storeFolder)")
  }

  /// The store of a configuration that is known.
  func store(described value: Known) -> KnownText? {
    guard case .made(let call, let values) = value else { return nil }
    let arguments = Array(zip(self.arguments(call), values))
    func given(_ label: Name) -> (Ref, Known)? {
      arguments.first { kind($0.0) == .argument && self.label($0.0) == label }
    }
    if let url = given("url") { return url.1.knownText }
    var name = KnownText("default")
    if let first = given(.none), first.1 != .none {
      guard let told = first.1.knownText else { return nil }
      name = told
    }
    var folder = usualFolder(at: call)
    if let group = given("groupContainer"), lastName(of: group.0) != "automatic" {
      folder = KnownText("dir:\(Frameworks.storeFolder)")
      if lastName(of: group.0) != "none" {
        folder = group.1.knownText ?? KnownText("group:").appending(KnownText(heldBy: group.0))
      }
    }
    return folder.below(name).appending(".store")
  }
}
