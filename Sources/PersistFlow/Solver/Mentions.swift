import PersistIndex
import PersistSyntax

/// Where the code mentions functions, properties and types, by name and by what is meant.
///
/// A name is resolved when it is asked for first: most of them never are. Only units in which some
/// node may stand for what is asked for are lowered.
final class Mentions {
  /// The bodies that mention one name, by what they mean.
  private struct Resolved {
    var properties: [PropertyID: [BodyID]] = [:]
    var functions: [FunctionID: [BodyID]] = [:]
    /// Those of which nobody can tell what they mean, with the call where one is made.
    var unknown: [(body: BodyID, call: Ref?)] = []
    /// How many of the steps that mention the name have been looked at.
    var known = 0
  }

  /// What nodes that spell one name stand for, by the units that they stand in.
  private struct Meanings {
    var properties: [PropertyID: Set<Ref>] = [:]
    var functions: [FunctionID: Set<Ref>] = [:]
    /// The units with nodes of which nobody can tell what they stand for, with the calls of them.
    var unknown: [(unit: Ref, call: Ref?)] = []
  }

  private struct Site {
    let body: BodyID
    let step: Value
  }

  private let program: Program
  private let table: Bodies
  @exclusivity(unchecked) private var reads: [Name: [Site]] = [:]
  @exclusivity(unchecked) private var writes: [Name: [Site]] = [:]
  @exclusivity(unchecked) private var resolvedReads: [Name: Resolved] = [:]
  @exclusivity(unchecked) private var resolvedWrites: [Name: Resolved] = [:]
  @exclusivity(unchecked) private var meanings: [Name: Meanings] = [:]
  @exclusivity(unchecked) private var units: [Name: Set<Ref>] = [:]
  @exclusivity(unchecked) private var exemptFiles: [Int: Bool] = [:]
  @exclusivity(unchecked) private var makersOfClosures: [BodyID: BodyID] = [:]
  /// How many bodies have been looked through.
  @exclusivity(unchecked) private var known = 0

  init(_ program: Program, _ table: Bodies) {
    self.program = program
    self.table = table
  }

  /// The body that makes a closure.
  func maker(ofClosure body: BodyID) -> BodyID? {
    guard table[body].kind == .closure else { return nil }
    collectFresh()
    return makersOfClosures[body]
  }

  /// Looks through the bodies that were lowered since.
  private func collectFresh() {
    while known < table.all.count {
      collect(table.all[known], BodyID(truncatingIfNeeded: known))
      known += 1
    }
  }

  /// Has the code of some units looked through.
  private func lower(_ units: Set<Ref>) {
    for unit in units.sorted() { table.lower(unit: unit) }
    collectFresh()
  }

  private func collect(_ body: Body, _ id: BodyID) {
    for (index, step) in body.steps.enumerated() {
      let site = Site(body: id, step: Value(truncatingIfNeeded: index))
      switch step.operation {
      case .set where !step.isWriteBack:
        writes[step.name, default: []].append(site)
        fallthrough
      case .get, .type, .function, .implicitMember, .call:
        if step.name != .none { reads[step.name, default: []].append(site) }
      case .closure: makersOfClosures[step.index] = id
      default: break
      }
    }
  }

  /// The bodies that mention a name, whatever they mean.
  func bodies(naming name: Name) -> [BodyID] { bodies(namingAny: [name]) }

  /// The bodies that mention one of some names; those of some files where these are given.
  func bodies(namingAny names: Set<Name>, in files: Set<Int>? = nil) -> [BodyID] {
    var units: Set<Ref> = []
    for name in names { units.formUnion(uses(of: name)) }
    if let files { units = units.filter { files.contains(Int($0.file)) } }
    lower(units)
    return unique(names.flatMap { (reads[$0] ?? []).map(\.body) }, in: units)
  }

  /// The bodies that may mean a property, or only those that assign to it.
  func bodies(ofProperty property: PropertyID, writing: Bool = false) -> [BodyID] {
    let declaration = program.properties[property]
    let isMeant = { (other: PropertyID) in
      self.isSame(declaration.owner, self.program.properties[other].owner)
    }
    var units = units(ofProperty: property)
    if !declaration.attributes.isEmpty {
      // What wraps it goes by another name.
      units.formUnion(uses(of: Name("_" + program.nameText(declaration.ref))))
    }
    lower(units)
    let known = resolved(declaration.name, writing: writing)
    var found = known.unknown.filter { mayBeValue($0.call) }.map(\.body)
    for (other, bodies) in known.properties where isMeant(other) { found += bodies }
    return unique(found, in: units)
  }

  /// The bodies that may mean a function.
  func bodies(ofFunction function: FunctionID) -> [BodyID] {
    let name = program.functions[function].name
    let units = units(ofFunction: function)
    lower(units)
    let known = resolved(name, writing: false)
    var found = known.unknown.filter { mayCall(function, $0.call) }.map(\.body)
    for (other, bodies) in known.functions where isSame(function, other) { found += bodies }
    // A property or case that holds the function has a name of its own.
    return unique(found, in: units)
  }

  private func units(ofProperty property: PropertyID) -> Set<Ref> {
    let declaration = program.properties[property]
    let meanings = meanings(of: declaration.name)
    var units = Set(meanings.unknown.lazy.filter { self.mayBeValue($0.call) }.map(\.unit))
    for (other, holding) in meanings.properties
    where isSame(declaration.owner, program.properties[other].owner) {
      units.formUnion(holding)
    }
    return units
  }

  /// Whether some node may stand for a property.
  func isMentioned(property: PropertyID) -> Bool { !units(ofProperty: property).isEmpty }

  /// Whether some node may stand for a function.
  func isMentioned(_ function: FunctionID) -> Bool { !units(ofFunction: function).isEmpty }

  private func units(ofFunction function: FunctionID) -> Set<Ref> {
    let meanings = meanings(of: program.functions[function].name)
    var units = Set(meanings.unknown.lazy.filter { self.mayCall(function, $0.call) }.map(\.unit))
    for (other, holding) in meanings.functions where isSame(function, other) {
      units.formUnion(holding)
    }
    return units
  }

  /// Whether a call whose target nobody can tell may call a function, by its labels.
  private func mayCall(_ function: FunctionID, _ call: Ref?) -> Bool {
    call.map { program.matching(program.functions[function], $0) != nil } ?? true
  }

  /// Whether what a call names may be the value of a property: such a call has no labels.
  private func mayBeValue(_ call: Ref?) -> Bool {
    call.map { call in
      program.children(call, .argument).allSatisfy { program.label($0) == .none }
    } ?? true
  }

  private func isSame(_ function: FunctionID, _ other: FunctionID) -> Bool {
    isSame(program.functions[function].owner, program.functions[other].owner)
  }

  /// Whether members of one name may be the same: of one type, a requirement, an override.
  private func isSame(_ left: TypeID?, _ right: TypeID?) -> Bool {
    guard let left, let right else { return left == right }
    if left == right { return true }
    if [left, right].contains(where: { program.types[$0].kind == .protocolDecl }) { return true }
    return program.lineage(of: left).contains(right) || program.lineage(of: right).contains(left)
  }

  /// Each body once, if it stands in one of the units; what else has been lowered doesn't matter.
  private func unique(_ bodies: [BodyID], in units: Set<Ref>) -> [BodyID] {
    Set(bodies).filter { units.contains(table.unit(ofBody: $0)) }.sorted()
  }

  /// The nodes that spell a name or bind what it means (`if let name`), those in code of tests left
  /// out.
  private func nodes(naming name: Name) -> [Ref] {
    let bound = program.files(using: name).flatMap { program.shorthandBindings(of: name, in: $0) }
    return (program.uses(of: [name]) + bound).filter { !isExempt(Int($0.file)) }
  }

  /// The units in which nodes spell a name, those in code of tests left out.
  private func uses(of name: Name) -> Set<Ref> {
    if let known = units[name] { return known }
    let found = Set(nodes(naming: name).map { table.unit(of: $0) })
    units[name] = found
    return found
  }

  /// What the nodes that spell a name stand for, those in code of tests left out.
  private func meanings(of name: Name) -> Meanings {
    if let known = meanings[name] { return known }
    var found = Meanings()
    for node in nodes(naming: name) {
      let unit = table.unit(of: node)
      switch meaning(of: node, name) {
      case .property(let id): found.properties[id, default: []].insert(unit)
      case .functions(let ids): for id in ids { found.functions[id, default: []].insert(unit) }
      case nil, .selfValue: found.unknown.append((unit, call(of: node)))
      case .local, .closureArgument, .type: break
      }
    }
    meanings[name] = found
    return found
  }

  private func isExempt(_ file: Int) -> Bool {
    if let known = exemptFiles[file] { return known }
    let isExempt = program.isExempt(Ref(file: file, node: 0))
    exemptFiles[file] = isExempt
    return isExempt
  }

  private func resolved(_ name: Name, writing: Bool) -> Resolved {
    let sites = (writing ? writes[name] : reads[name]) ?? []
    if let known = writing ? resolvedWrites[name] : resolvedReads[name],
      known.known == sites.count
    {
      return known
    }
    // What stays in the table would be copied with each change.
    let before =
      writing
      ? resolvedWrites.removeValue(forKey: name) : resolvedReads.removeValue(forKey: name)
    var found = before ?? Resolved()
    for site in sites[found.known...] {
      let body = table[site.body]
      let step = body.steps[Int(site.step)]
      switch meaning(of: step, at: body.ref(step)) {
      case .property(let id): found.properties[id, default: []].append(site.body)
      case .functions(let ids):
        for id in ids { found.functions[id, default: []].append(site.body) }
      case nil, .selfValue:
        found.unknown.append((site.body, step.operation == .call ? body.ref(step) : nil))
      case .local, .closureArgument, .type: break
      }
    }
    found.known = sites.count
    if writing { resolvedWrites[name] = found } else { resolvedReads[name] = found }
    return found
  }

  /// What a step stands for that names something; nil where nobody can tell.
  private func meaning(of step: Instruction, at node: Ref) -> Declared? {
    switch step.operation {
    case .get, .set, .function: meaning(ofMember: node, step.name)
    case .call: meaning(ofCall: node)
    case .type: Self.nothing
    default: nil
    }
  }

  /// What a node stands for that spells a name; nil where nobody can tell.
  private func meaning(of node: Ref, _ name: Name) -> Declared? {
    if let call = call(of: node) { return meaning(ofCall: call) }
    return meaning(ofMember: node, name)
  }

  /// The call of what a node names.
  private func call(of node: Ref) -> Ref? {
    guard let chain = program.parent(node), program.kind(chain) == .chain else { return nil }
    var next = program.sibling(after: node)
    while let suffix = next, [.optionalChain, .force].contains(program.kind(suffix)) {
      next = program.sibling(after: suffix)
    }
    guard let call = next, program.kind(call) == .call else { return nil }
    return call
  }

  private func meaning(ofMember node: Ref, _ name: Name) -> Declared? {
    switch program.kind(node) {
    case .name: return program.declared(node)
    case .optionalBinding: return program.lookUp(name, from: node)
    case .boundName: return program.parent(node).flatMap { program.lookUp(name, from: $0) }
    case .member:
      guard let chain = program.parent(node) else { return nil }
      let type = program.type(ofChain: chain, upTo: node).unwrapped
      switch type {
      case .declared, .metatype(.declared): return program.member(name, of: type)
      case .external, .metatype(.external): return program.member(name, of: type) ?? Self.nothing
      case .array, .set, .dictionary: return Self.nothing
      default:
        return typeElsewhere(before: node).map { type in
          program.foreignType(named: type).flatMap { program.member(name, of: $0) } ?? Self.nothing
        }
      }
    default: return nil
    }
  }

  /// The type that stands before a member, which no file of the sources declares.
  private func typeElsewhere(before member: Ref) -> Name? {
    guard let chain = program.parent(member), let first = program.children(chain).first,
      program.sibling(after: first) == member, program.kind(first) == .name,
      program.nameText(first).first?.isUppercase ?? false, program.declared(first) == nil,
      program.topLevelTypes(named: program.name(first)).isEmpty
    else { return nil }
    return program.name(first)
  }

  private func meaning(ofCall call: Ref) -> Declared? {
    switch program.callTarget(call) {
    case .functions(let ids): return .functions(ids)
    case .closure(let held): return held
    case .initializer, .externalInitializer, .externalFunction: return Self.nothing
    case .externalMethod(let type, _):
      // A framework's type has the methods that the sources don't add.
      if case .external(let name, _) = type.unwrapped, program.foreignType(named: name) == nil {
        return Self.nothing
      }
      return nil
    case .unknownMethod, .unknown: return nil
    }
  }

  /// What is declared in no file.
  private static let nothing = Declared.functions([])
}
