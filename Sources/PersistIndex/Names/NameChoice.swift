/// What a name means in a file where several declarations have it.
package enum NameChoice<Meant: Equatable>: Equatable {
  case found(Meant)
  /// Several declarations, and no way to tell which is meant; none where a part of a path is so.
  case ambiguous([Meant])
  case absent

  /// The one that was found.
  package var only: Meant? {
    if case .found(let meant) = self { return meant }
    return nil
  }

  /// The same choice of something else.
  func map<Other>(_ transform: (Meant) -> Other) -> NameChoice<Other> {
    switch self {
    case .found(let meant): .found(transform(meant))
    case .ambiguous(let all): .ambiguous(all.map(transform))
    case .absent: .absent
    }
  }
}

extension SourceFile {
  /// How near a declaration of another file stands to this one, the nearest first.
  private enum Nearness: Int {
    case sameFile, sameModule, importedModule, unknownModule, otherModule
  }

  /// Which declaration a name of this file means, by the files that hold them: that of the file
  /// itself, of its module, of a module that it imports; then that of the nearest folder.
  ///
  /// What is private to another file can't be meant, nor what tests declare by code that ships, nor
  /// what Xcode would generate where the sources have the class.
  func choice(among files: [SourceFile], isPrivate: (Int) -> Bool) -> NameChoice<Int> {
    var best: [Int] = []
    var nearest = Nearness.otherModule
    let isWritten = files.contains { !$0.isGenerated && (isTest || !$0.isTest) }
    for (index, file) in files.enumerated() {
      if isWritten, file.isGenerated { continue }
      guard file === self || !isPrivate(index) && (isTest || !file.isTest) else { continue }
      let nearness = files.count == 1 ? nearest : self.nearness(of: file)
      if nearness.rawValue < nearest.rawValue { best = [] }
      guard nearness.rawValue <= nearest.rawValue else { continue }
      nearest = nearness
      best.append(index)
    }
    guard best.count > 1 else { return best.first.map { .found($0) } ?? .absent }
    guard nearest == .sameModule || nearest == .unknownModule else { return .ambiguous(best) }
    let shared = best.map { sharedFolders(with: files[$0]) }
    let most = shared.max() ?? 0
    let closest = zip(best, shared).filter { $0.1 == most }.map(\.0)
    return closest.count == 1 ? .found(closest[0]) : .ambiguous(closest)
  }

  private func nearness(of other: SourceFile) -> Nearness {
    if other === self { return .sameFile }
    if other.module == module { return .sameModule }
    guard let target = other.target else { return .unknownModule }
    return imports(target) ? .importedModule : .otherModule
  }

  /// How many folders two files have in common, from the root on.
  private func sharedFolders(with other: SourceFile) -> Int {
    var count = 0
    for (left, right) in zip(path.utf8, other.path.utf8) {
      guard left == right else { break }
      if left == UInt8(ascii: "/") { count += 1 }
    }
    return count
  }

  /// Whether a name before a period can be that of the module which a file belongs to: the target of
  /// a package, or the folder of an app's target, whose own files don't import it.
  func isModule(_ name: Name, of other: SourceFile) -> Bool {
    if let target = other.target { return target == name }
    return !other.imports(name) && other.folderNames.contains(name)
  }
}
