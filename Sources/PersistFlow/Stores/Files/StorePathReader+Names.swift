import PersistIndex
import PersistSyntax

// MARK: - Files behind names

extension StorePathReader {
  mutating func readName(_ ref: Ref) -> [StorePath] {
    let text = program.nameText(ref)
    let isURL = program.type(of: ref).isURL
    if let entry = program.pickedEntry(ref) { return [entry] }
    switch program.declared(ref) {
    case .local(let local):
      let found = readLocal(local, isURL: isURL)
      return text.saysNoStore ? found.map { $0.sayingOther } : found
    case .property(let id): return read(id, of: program.ownPath(at: ref).map { [$0] } ?? [])
    case .closureArgument(let closure, let index):
      return readElements(closure, at: index)
    case .selfValue, nil:
      if Words.namesOfOwnPath.contains(program.name(ref)), let own = program.ownPath(at: ref) {
        return [own]
      }
      return [named(text, key: text, isURL: isURL)]
    default: return [named(text, key: text, isURL: isURL)]
    }
  }

  private mutating func readLocal(_ local: Ref, isURL: Bool) -> [StorePath] {
    let text = program.nameText(local)
    let key = "\(local.file):\(local.node)"
    switch program.kind(local) {
    case .parameter:
      if let list = program.parent(local), let owner = program.parent(list),
        let function = program.function(declaredAt: owner),
        let index = program.functions[function].parameters.firstIndex(where: {
          $0.node == Int(local.node)
        })
      {
        return [
          StorePath(
            base: .parameter(function, index), text: StorePath.ownName,
            saysStore: text.saysStore && (isURL || text.saysPlace) && !text.saysFolder,
            saysOther: text.saysNoStore)
        ]
      }
      if let list = program.parent(local), let closure = program.parent(list),
        let index = program.children(list, .parameter).firstIndex(of: local)
      {
        return readElements(closure, at: index)
      }
    case .boundName:
      guard
        let binder = program.ancestors(local).first(where: {
          [.binding, .optionalBinding, .forStatement, .caseCondition, .caseItem].contains(
            program.kind($0))
        })
      else { break }
      let values = program.children(binder).filter { program.kind($0) == .expression }
      if let value = values.first {
        let added = program.kind(binder) == .binding ? program.appendedValues(to: local) : []
        let found = added.reduce(read(value)) { merged($0, read($1)) }
        if found.isEmpty || found.contains(where: { !$0.isUnknown }) {
          return isURL && text.saysStore ? found.map { $0.namedStore } : found
        }
        return named(text, key: key, isURL: isURL, insteadOf: found)
      } else if program.kind(binder) == .binding, let assigned = program.assignedValues(of: local) {
        let found = bounded(assigned.flatMap { read($0) })
        if found.contains(where: { !$0.isUnknown }) { return found }
      } else if program.kind(binder) == .optionalBinding {
        switch program.lookUp(program.name(local), from: binder) {
        case .local(let outer) where outer != local: return readLocal(outer, isURL: isURL)
        case .property(let id): return read(property: id)
        default: break
        }
      }
    default: break
    }
    return [named(text, key: key, isURL: isURL)]
  }

  /// The elements that a closure of `forEach` and its like gets.
  private mutating func readElements(_ closure: Ref, at index: Int) -> [StorePath] {
    guard let (call, _) = program.callTaking(closure), let chain = program.parent(call),
      !program.isKept(closureGivenTo: call)
    else {
      return [
        StorePath(
          base: .closureParameter(closure, index), text: StorePath.ownName, saysStore: false,
          saysOther: false)
      ]
    }
    guard index == 0 else { return [.unknown] }
    if program.calledName(call) == "coordinate" {
      return program.children(call, .argument).first.map { read($0) } ?? [.unknown]
    }
    guard
      ["forEach", "map", "compactMap", "flatMap", "filter", "contains"].contains(
        program.calledName(call)),
      let member = program.calledNode(call)
    else { return [.unknown] }
    return readChain(chain, upTo: member)
  }

  /// What a property of the sources holds, or makes of the paths whose property it is.
  mutating func read(_ id: PropertyID, of owners: [StorePath]) -> [StorePath] {
    let base = StorePath.Base.receiver(program.properties[id].ref)
    return bounded(
      read(property: id).flatMap { path in
        owners.isEmpty || !path.stands(for: base) ? [path] : owners.map { put($0, in: path) }
      })
  }

  mutating func read(property id: PropertyID) -> [StorePath] {
    let property = program.properties[id]
    let text = program.nameText(property.ref)
    let file = Int(property.ref.file)
    var found: [StorePath] = [.unknown]
    if let initializer = property.initializer {
      found = read(Ref(file: file, node: initializer))
    } else if let accessors = property.accessors,
      let value = program.onlyValue(in: Ref(file: file, node: accessors))
    {
      found = read(value)
    } else if let given = program.givenValues(of: id) {
      found = given.reduce([]) { merged($0, read($1)) }
    }
    if found.allSatisfy(\.isUnknown), !found.isEmpty || property.initializer == nil {
      found = named(
        text, key: "P\(id)", isURL: program.type(ofProperty: id).isURL, insteadOf: found)
    }
    return text.saysNoStore ? found.map { $0.sayingOther } : found
  }

  /// What a name says of values that tell no more than their folder.
  private func named(_ text: String, key: String, isURL: Bool, insteadOf found: [StorePath])
    -> [StorePath]
  {
    var own = named(text, key: key, isURL: isURL)
    guard found.count == 1 else { return [own] }
    if own.isUnknown { return found }
    own.folder = found[0].folder
    return [own]
  }

  /// What a name alone says: the store's URL when it says both store and URL.
  func named(_ text: String, key: String, isURL: Bool) -> StorePath {
    guard text.saysStore, isURL || text.saysPlace else {
      return text.saysNoStore ? StorePath.unknown.sayingOther : .unknown
    }
    guard !text.saysFolder else {
      return StorePath(base: .folder(key), text: "", saysStore: false, saysOther: text.saysNoStore)
    }
    return StorePath(
      base: .store(StorePath.toldByName + key), text: StorePath.ownName, saysStore: true,
      saysOther: text.saysNoStore)
  }
}

extension StorePath {
  /// The path of a parameter below a known folder, as a local's name takes it for a store's.
  fileprivate var namedStore: StorePath {
    guard folder != nil, case .parameter = base, text == Self.ownName else { return self }
    var path = self
    path.saysStore = true
    return path
  }

  var sayingOther: StorePath {
    var path = self
    path.saysOther = true
    return path
  }
}

extension SwiftType {
  var isURL: Bool {
    isExternal("URL") || isExternal("NSURL") || element.isExternalURL
  }

  private var isExternalURL: Bool { isExternal("URL") }
}
