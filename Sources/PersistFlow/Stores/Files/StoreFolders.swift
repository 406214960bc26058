import PersistIndex

/// The files of the stores that frameworks open on disk, where their folders are told.
private final class PlacedStores {
  let files: [StorePath]

  init(_ program: Program) {
    var found: Set<StorePath> = []
    for (call, _) in program.frameworkOpenings() where !program.isExempt(call) {
      for store in program.openedStores(by: call) where store.isInMemory != true {
        guard let file = store.file.map({ program.storePath(of: $0) }), file.isTold else {
          continue
        }
        found.insert(file)
      }
    }
    files = found.sorted { ($0.folderText, $0.text) < ($1.folderText, $1.text) }
  }
}

extension Program {
  /// The stores that lie below folders of told names: what takes a folder takes them whole.
  func storesBelow(_ folders: [StorePath]) -> [StorePath] {
    // What has a store's ending is a file, and what nothing is known of may be one.
    let named = folders.filter {
      !$0.isUnknown && !$0.text.isEmpty && $0.folder != nil && $0.literalName == nil
    }
    guard !named.isEmpty else { return [] }
    let stores = once(evenInQueries: true) { PlacedStores($0) }.files
    return named.flatMap { folder -> [StorePath] in
      guard let below = folder.foldersBelow else { return [] }
      return stores.filter { $0.folder?.starts(with: below) ?? false }.map { store in
        folder.saysOther ? store.sayingOther : store
      }
    }
  }
}

extension StorePath {
  fileprivate var folderText: String { (folder ?? []).joined(separator: "/") }
}
