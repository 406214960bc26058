import PersistIndex
import PersistSyntax

// MARK: - Files that whole texts name, and the system's folders

extension StorePathReader {
  /// The paths that a value may be; nil where not all of them are known.
  func paths(of value: Known) -> [StorePath]? {
    let texts = (value.elements ?? [value]).flatMap(\.choices).filter { $0 != .none }
      .map { $0.knownText?.whole }
    guard !texts.isEmpty, texts.allSatisfy({ $0?.isEmpty == false }) else { return nil }
    return bounded(texts.compactMap { $0 }.map { path(spelled: $0) })
  }

  private func path(spelled text: String) -> StorePath {
    let components = text.components
    guard let first = components.first else { return .unknown }
    var path: StorePath
    switch first {
    case "dir:cachesDirectory", "dir:temporaryDirectory": path = .passingFolder
    case _ where first.hasPrefix("dir:"): path = .systemFolder(String(first.dropFirst(4)))
    case _ where first.hasPrefix("group:"):
      path = StorePath(base: .folder(first), text: "", saysStore: false, saysOther: false)
    default: return literal(text)
    }
    for component in components.dropFirst() { path = place(literal(component), in: path) }
    return path
  }

  /// The system's folder that an argument names.
  func systemFolder(namedIn argument: Ref) -> [String]? {
    program.descendants(argument, .implicitMember).first.flatMap {
      StorePath.systemFolder(program.nameText($0)).folder
    }
  }
}
