import PersistIndex
import PersistSyntax

// MARK: - Settings and who writes them

extension Program {
  /// Whether a person decides what the settings have for a key: it says so, a control is bound to it,
  /// an action writes it, or nothing in the sources does.
  func isPersonal(setting key: Ref, readBy read: Ref) -> Bool {
    let wanted = keyText(key)
    if wanted.camelWords.contains(where: { Words.askedWords.contains($0) }) { return true }
    let writers = Frameworks.settingWriters.flatMap { calls(named: $0) }.filter { call in
      argument(call, "forKey").map { keyText($0) } == wanted
    }
    // Launch arguments and the settings of the system write what nothing here does.
    if writers.isEmpty, calledName(read) == "bool" { return true }
    return isBound(key: wanted)
      || writers.contains { call in
        // What the same body writes, it writes because it has done the work.
        !isExempt(call) && enclosingBody(call) != enclosingBody(read)
          && (callPath(to: call, from: [.action]) != nil || isViewCode(call))
      }
  }

  /// Whether a wrapper of a property keeps its value under a key.
  private func isBound(key wanted: String) -> Bool {
    files.indices.contains { file in
      Frameworks.settingWrappers.contains { files[file].spells($0) }
        && descendants(Ref(file: file, node: 0), .attribute).contains {
          Frameworks.settingWrappers.contains(name($0))
            && children($0, .argument).first.map { keyText($0) == wanted } ?? false
        }
    }
  }

  /// The text of a key, behind the constant that names it; `#function` is what it stands in.
  private func keyText(_ key: Ref) -> String {
    if let text = manifestText(key) { return text }
    guard descendants(key, .macro).contains(where: { name($0) == "function" }) else {
      return text(key)
    }
    let holder = ancestors(key).first {
      property(declaredAt: $0) != nil || function(declaredAt: $0) != nil
    }
    return holder.map { property(declaredAt: $0) == nil ? symbol($0) : nameText($0) } ?? text(key)
  }
}
