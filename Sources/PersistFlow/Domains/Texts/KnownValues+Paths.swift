import PersistIndex
import PersistSyntax

// MARK: - Members and calls that make paths

extension KnownValues {
  /// What a framework's member makes of a path; nil where it has nothing to do with one.
  func pathMember(_ step: Instruction, _ node: Ref, of receiver: Known) -> Known? {
    guard followsTexts else { return nil }
    if !namesFiles, Frameworks.resourceFolders.contains(step.name),
      let first = program.parent(node).flatMap({ program.children($0).first }),
      program.name(first) == Frameworks.bundle
        || program.type(of: first).isExternal(Frameworks.bundle)
    {
      return .text("dir:" + Frameworks.resources)
    }
    guard let made = Frameworks.pathMembers[step.name] else { return nil }
    if case .folder = made { return folder(named: program.nameText(node)) }
    return texts(receiver) { self.path(made, $0, nil) }
  }

  /// The system's folder that `.name` stands for where a URL is wanted.
  func pathMember(of node: Ref) -> Known? {
    guard followsTexts, case .folder? = Frameworks.pathMembers[program.name(node)] else {
      return nil
    }
    return folder(named: program.nameText(node))
  }

  /// What a framework's call makes of a path or name; nil where it has nothing to do with one.
  func pathCall(_ site: CallSite, _ call: Ref, _ receiver: Known, _ arguments: [Known]) -> Known? {
    guard followsTexts else { return nil }
    if case .externalInitializer(.external(let type, _)) = flow.facts.target(call) {
      if Frameworks.storeOwners.contains(type) { return made(by: call, arguments) }
      if Frameworks.pathTypes.contains(type) {
        guard let first = site.arguments.first, Frameworks.pathLabels.contains(first.label) else {
          return nil
        }
        guard let base = site.arguments.firstIndex(where: { $0.label == Frameworks.relativeLabel }),
          arguments[base] != .none, arguments[0].knownText?.whole?.hasPrefix("/") != true
        else { return arguments[0] }
        return path(arguments[0], below: arguments[base])
      }
    }
    if site.name == "NSTemporaryDirectory" { return .text("dir:temporaryDirectory/") }
    guard let made = Frameworks.pathCalls[site.name] else { return nil }
    if site.arguments.first?.label == Frameworks.resourceLabel {
      let name = arguments.compactMap { $0.knownText?.whole }.joined(separator: ".")
      // Which store in use a resource stands for its variable's name tells; a log file tells itself.
      if !namesFiles || !StorePath(literal: name).logEnding.isEmpty {
        return Known(KnownText("dir:" + Frameworks.resources + name))
      }
    }
    switch made {
    case .namedFolder:
      guard let argument = program.arguments(call).first,
        ["for", Name.none].contains(site.arguments[0].label)
      else { return nil }
      let name = program.text(argument).split(separator: ".").last.map(String.init) ?? ""
      return name.hasSuffix("Directory") ? folder(named: name) : nil
    case .containerFolder: return folder(named: Frameworks.storeFolder)
    case .group:
      return arguments.first.flatMap { id in
        texts(id) { KnownText("group:").appending($0) }
          ?? (namesFiles ? nil : Known(KnownText("group:").appending(KnownText(heldBy: call))))
      }
    case .component:
      return zip(site.arguments, arguments).reduce(receiver) { path, given in
        // Of the path's name this changes the ending at most.
        guard !Frameworks.kindLabels.contains(given.0.label) else { return path }
        if namesFiles, site.name == Frameworks.appending, given.0.label == .none {
          return added(path, given.1)
        }
        return self.path(given.1, below: path)
      }
    default:
      guard let argument = arguments.first, made == .ending else {
        return texts(receiver) { self.path(made, $0, nil) }
      }
      return values(receiver, orUnknown: true) { path in
        self.texts(argument) { self.path(made, path, $0) }
      }
    }
  }

  /// A name below a folder.
  private func path(_ name: Known, below folder: Known) -> Known {
    values(folder, orUnknown: true) { folder in
      self.texts(name, orUnknown: true) { folder.below($0) }
    } ?? .other
  }

  private func path(_ step: Frameworks.PathStep, _ path: KnownText, _ name: KnownText?)
    -> KnownText?
  {
    switch step {
    case .itself: path
    case .component: name.map { path.below($0) }
    case .ending: name.map { path.appending(".").appending($0) }
    case .withoutComponent: namesFiles ? folder(around: path) : path.withoutComponent
    case .withoutEnding: path.withoutEnding ?? (namesFiles ? stem(of: path) : nil)
    case .lastComponent: path.lastComponent ?? (namesFiles ? path : nil)
    case .pathExtension: namesFiles ? pathExtension(of: path) : nil
    case .folder, .namedFolder, .group, .containerFolder: nil
    }
  }

  private func folder(around path: KnownText) -> KnownText {
    KnownText([.path(program.storePath(of: path).around)])
  }

  private func stem(of path: KnownText) -> KnownText {
    var file = program.storePath(of: path)
    file.text = file.text.stem
    return KnownText([.path(file)])
  }

  private func pathExtension(of path: KnownText) -> KnownText {
    var file = program.storePath(of: path)
    file.text = file.text.pathExtension
    return KnownText([.path(file)])
  }

  private func folder(named name: String) -> Known {
    .text("dir:" + (name == "documentDirectory" ? "documentsDirectory" : name))
  }

  /// What becomes of each text that a value may be; nil where it is none.
  private func texts(
    _ value: Known, orUnknown: Bool = false, _ change: (KnownText) -> KnownText?
  ) -> Known? {
    values(value, orUnknown: orUnknown) { text in change(text).map { Known($0) } ?? .other }
  }

  /// The same for what of a text isn't known where its name below a folder is.
  private func values(
    _ value: Known, orUnknown: Bool = false, _ change: (KnownText) -> Known?
  ) -> Known? {
    let unknown = orUnknown && namesFiles ? KnownText([.path(.unknown)]) : nil
    let all = value.choices.filter { $0 != .none }
    let made = all.map { ($0.knownText ?? unknown).flatMap(change) ?? .other }
    return made.allSatisfy { $0 == .other } ? nil : Known(oneOf: made)
  }
}
