import PersistIndex
import PersistSyntax
import PersistVersions

/// A synced relationship that is assumed to be set: it can arrive later, and the app crashes.
struct SyncedRelationshipUnwrapped: Rule {
  static let id: RuleID = "synced-relationship-unwrapped"

  func check(_ program: Program, into findings: inout Findings) {
    let synced = SyncedModels(program)
    guard !synced.isEmpty else { return }
    for id in synced.relationships {
      let property = program.properties[id]
      let name = program.nameText(property.ref)
      let model = property.owner.map { program.modelName($0) } ?? ""
      if isImplicitlyUnwrapped(property, program) {
        findings.report(.endsApp(model, name), at: property.ref)
        continue
      }
      for use in program.uses(of: [property.name]) {
        check(use, id, model, name, program, &findings)
      }
      for ending in guards(of: id, program) {
        findings.report(
          .endsApp(model, name), at: ending,
          related: [.init(property.ref, "CloudKit may bring the object before this is set")])
      }
    }
  }

  private func check(
    _ use: Ref, _ id: PropertyID, _ model: String, _ name: String, _ program: Program,
    _ findings: inout Findings
  ) {
    guard let chain = program.parent(use), program.kind(chain) == .chain,
      let place = program.children(chain).firstIndex(of: use),
      place + 1 < program.children(chain).count,
      program.kind(program.children(chain)[place + 1]) == .force,
      program.property(usedBy: use) == id, !isInPredicate(use, program)
    else { return }
    let path = program.pathText(program.children(chain)[...place])
    guard !isLookedAt(path, name, before: chain, program) else { return }
    findings.report(
      .endsApp(model, name), at: chain,
      related: [
        .init(
          program.properties[id].ref, "CloudKit may bring the object before this is set")
      ])
  }

  private func isImplicitlyUnwrapped(_ property: PropertyDeclaration, _ program: Program) -> Bool {
    guard let type = property.type else { return false }
    let written = program.written(Ref(file: Int(property.ref.file), node: type))
    return written?.plain.kind == .unwrappedType
  }

  /// Whether a node stands in a `#Predicate`, which is a query and no code that runs.
  private func isInPredicate(_ use: Ref, _ program: Program) -> Bool {
    program.ancestors(use).contains { node in
      guard program.kind(node) == .chain, let first = program.children(node).first else {
        return false
      }
      return program.kind(first) == .macro
        && ["Predicate", "Expression"].contains(program.nameText(first))
    }
  }

  // MARK: Looks before

  /// Whether the same relationship is compared with nil, unwrapped or set before a place.
  private func isLookedAt(_ path: String, _ name: String, before chain: Ref, _ program: Program)
    -> Bool
  {
    guard let body = program.enclosingBody(chain) ?? program.parent(chain) else { return false }
    var inner = chain
    for outer in program.ancestors(chain) {
      switch program.kind(outer) {
      case .expression:
        // A ternary or `&&` whose first part asks.
        let before = program.children(outer).filter { $0 < inner }
        if before.contains(where: { asks($0, path, program) }) { return true }
      case .closure:
        if isFiltered(outer, name, program) { return true }
      default: break
      }
      inner = outer
      if outer == body { break }
    }
    if program.conditions(before: chain, in: outermost(of: chain, program)).contains(where: {
      mentionsNil($0, path, program)
    }) {
      return true
    }
    return isSet(path, before: chain, program)
  }

  private func outermost(of node: Ref, _ program: Program) -> Ref {
    program.ancestors(node).last {
      [.functionDecl, .initDecl, .accessor].contains(program.kind($0))
    }
      ?? program.ancestors(node).last ?? node
  }

  /// Whether a part of an expression is the path, compared with nil.
  private func asks(_ part: Ref, _ path: String, _ program: Program) -> Bool {
    program.kind(part) == .chain && program.pathText(program.children(part)[...]) == path
      && program.nilComparison(of: part) != nil
  }

  private func mentionsNil(_ condition: Ref, _ path: String, _ program: Program) -> Bool {
    if program.kind(condition) == .optionalBinding {
      if let value = program.child(condition, .expression) {
        guard let chain = program.child(value, .chain) else { return false }
        let parts = program.children(chain)
        return parts.indices.contains { program.pathText(parts[...$0]) == path }
      }
      return program.child(condition, .boundName).map { program.nameText($0) == path } ?? false
    }
    return program.descendants(condition, .chain).contains { asks($0, path, program) }
  }

  /// Whether the elements that a closure gets were filtered by the relationship before.
  private func isFiltered(_ closure: Ref, _ name: String, _ program: Program) -> Bool {
    guard let (call, _) = program.callTaking(closure), let chain = program.parent(call) else {
      return false
    }
    return program.children(chain).contains { part in
      part < call && program.kind(part) == .call
        && ["filter", "where"].contains(program.calledName(part))
        && keepsThose(with: name, part, program)
    }
  }

  /// Whether a call keeps those elements alone of which a property isn't nil: by a closure, or by
  /// the text of a predicate.
  private func keepsThose(with name: String, _ call: Ref, _ program: Program) -> Bool {
    let wanted = Name(name)
    let asks = program.nilComparisons(in: call).contains { comparison in
      guard !comparison.isEqual, program.kind(comparison.subject) == .chain else { return false }
      let parts = program.children(comparison.subject)
      guard parts.count == 2, program.name(parts[1]) == wanted else { return false }
      return switch program.declared(parts[0]) {
      case .closureArgument(let closure, _)?: program.contains(call, closure)
      case .local(let local)?: program.kind(local) == .parameter && program.contains(call, local)
      default: false
      }
    }
    return asks
      || program.holdsString(in: call) { text in
        let words = text.split { $0.isWhitespace || "\"()".contains($0) }
        return words.indices.dropLast(2).contains { index in
          words[index] == name && words[index + 1] == "!=" && words[index + 2] == "nil"
        }
      }
  }

  /// Whether the path is assigned earlier in the same body.
  private func isSet(_ path: String, before chain: Ref, _ program: Program) -> Bool {
    let body = outermost(of: chain, program)
    return program.descendants(body, .expression).contains { expression in
      guard expression < chain, let assignment = program.assignment(expression) else {
        return false
      }
      let target = assignment.target
      return program.kind(target) == .chain && target < chain && !program.contains(target, chain)
        && program.pathText(program.children(target)[...]) == path
        && !program.isNil(assignment.right[0])
    }
  }

  // MARK: Guards that end the process

  /// The ends of the process in a `guard let relationship else`.
  private func guards(of id: PropertyID, _ program: Program) -> [Ref] {
    let name = program.properties[id].name
    return program.files(using: name).flatMap { file -> [Ref] in
      program.descendants(Ref(file: file, node: 0), .guardStatement).compactMap { statement in
        guard let block = program.child(statement, .block),
          program.children(statement, .optionalBinding).contains(where: {
            binds($0, id, program)
          })
        else { return nil }
        let end = program.descendants(block, .call).first { call in
          ["fatalError", "preconditionFailure", "exit", "abort"].contains(
            program.calledText(call))
        }
        return end.map { program.chain(of: $0) }
      }
    }
  }

  private func binds(_ binding: Ref, _ id: PropertyID, _ program: Program) -> Bool {
    if let value = program.child(binding, .expression) {
      guard let last = program.chainParts(value)?.last else { return false }
      return program.property(usedBy: last) == id
    }
    guard let bound = program.child(binding, .boundName) else { return false }
    return program.lookUp(program.name(bound), from: binding) == .property(id)
  }
}

/// The models of stores that surely sync, and their optional relationships to one object.
private struct SyncedModels {
  private(set) var relationships: [PropertyID] = []
  var isEmpty: Bool { relationships.isEmpty }

  init(_ program: Program) {
    var models: Set<TypeID> = []
    for sync in program.cloudSyncs where sync.isCertain {
      if let place = sync.place, let configuration = Self.configuration(around: place, program),
        let schema = program.argument(configuration, "schema")
      {
        models.formUnion(Self.models(in: schema, program))
      } else if let held = sync.models, sync.versions.isEmpty {
        guard sync.place.map({ Self.isAlone($0, program) }) ?? true else { continue }
        models.formUnion(held)
      } else if sync.models == nil {
        models.formUnion(
          program.schema.models.filter { !$0.isTest }.compactMap { model in
            model.place.ref.flatMap { program.type(declaredAt: $0) }
          })
      }
    }
    for sync in program.syncingDataModels {
      models.formUnion(
        sync.entities.sorted().compactMap { entity in
          let named = program.topLevelTypes(named: Name(entity))
          return named.count == 1 && program.isManagedClass(named[0]) ? named[0] : nil
        })
    }
    var queue = models.sorted()
    while let model = queue.popLast() {
      for id in program.modelProperties(of: model) {
        guard let other = program.destination(of: id) else { continue }
        if models.insert(other).inserted { queue.append(other) }
      }
    }
    relationships =
      models.sorted().flatMap { program.types[$0].properties }.filter { id in
        guard program.destination(of: id) != nil, !program.isToMany(id),
          !program.isExempt(program.properties[id].ref),
          case .optional = program.type(ofProperty: id)
        else { return false }
        return true
      } + Self.syncedLinks(program)
    relationships.sort { program.properties[$0].ref < program.properties[$1].ref }
  }

  /// The links of Realm objects that say that they are records of CloudKit.
  private static func syncedLinks(_ program: Program) -> [PropertyID] {
    program.types(inheritingFrom: ["CKRecordConvertible"]).filter {
      program.types[$0].kind == .classDecl && program.inherits($0, from: "Object")
    }.flatMap { program.types[$0].properties }.filter { id in
      guard program.properties[id].attributes.contains("Persisted"),
        !program.isExempt(program.properties[id].ref),
        case .optional(.declared(let other, _)) = program.type(ofProperty: id)
      else { return false }
      return program.inherits(other, from: "Object")
    }
  }
}
extension SyncedModels {
  private static func configuration(around place: Ref, _ program: Program) -> Ref? {
    ([place] + program.ancestors(place)).first {
      program.kind($0) == .call && program.calledName($0) == "ModelConfiguration"
    }
  }

  /// The models that an expression names, one constant followed.
  private static func models(in expression: Ref, _ program: Program) -> [TypeID] {
    let named = program.metatypes(in: expression)
    if !named.isEmpty { return named }
    return program.descendants(expression, .name).lazy.compactMap { program.fixedValue(of: $0) }
      .first.map { program.metatypes(in: $0) } ?? []
  }

  /// Whether the function or property around a configuration makes no other one.
  private static func isAlone(_ place: Ref, _ program: Program) -> Bool {
    let scope = program.ancestors(place).first {
      program.function(declaredAt: $0) != nil || program.property(declaredAt: $0) != nil
    }
    guard let scope else { return true }
    return program.descendants(scope, .call).count {
      program.calledName($0) == "ModelConfiguration"
    } < 2
  }
}

extension Program {
  /// The models whose types an expression names, as in `[Trip.self, Stop.self]`.
  func metatypes(in expression: Ref) -> [TypeID] {
    descendants(expression, .member).compactMap { member in
      guard name(member) == "self", let chain = parent(member),
        case .metatype(.declared(let type, _)) = type(of: chain), isModel(type)
      else { return nil }
      return resolveAlias(type)
    }
  }
}

extension Finding.Message {
  fileprivate static func endsApp(_ model: String, _ relationship: String) -> Self {
    """
    the app crashes here on a second device, because CloudKit can import \(model.withArticle) \
    before its `\(relationship)` and the relationship is nil until then; unwrap it with `if let` \
    or `??`
    """
  }
}
