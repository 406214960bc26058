import PersistIndex
import PersistSyntax

/// Where the code mentions functions, properties and types, by name and by what is meant.
///
/// A name is resolved when it is asked for first: most of them never are.
final class Mentions {
  /// The bodies that mention one name, by what they mean.
  struct Resolved {
    var properties: [PropertyID: [BodyID]] = [:]
    var functions: [FunctionID: [BodyID]] = [:]
    /// Those of which nobody can tell what they mean.
    var unknown: [BodyID] = []
  }

  private struct Site {
    let body: BodyID
    let step: Value
  }

  private let program: Program
  private let table: Bodies
  private var reads: [Name: [Site]] = [:]
  private var writes: [Name: [Site]] = [:]
  private var resolvedReads: [Name: Resolved] = [:]
  private var resolvedWrites: [Name: Resolved] = [:]
  private var makersOfClosures: [BodyID: BodyID] = [:]
  /// How many bodies have been looked through.
  private var known = 0

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

  /// Has all code that may mention a name looked through.
  private func lowerFiles(using name: Name) {
    for file in program.files(using: name) { table.lower(file: file) }
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
  func bodies(naming name: Name) -> [BodyID] {
    lowerFiles(using: name)
    return unique((reads[name] ?? []).map(\.body))
  }

  /// The bodies that may mean a property, or only those that assign to it.
  func bodies(ofProperty property: PropertyID, writing: Bool = false) -> [BodyID] {
    let declaration = program.properties[property]
    let known = resolved(declaration.name, writing: writing)
    var found = known.unknown
    for (other, bodies) in known.properties
    where isSame(declaration.owner, program.properties[other].owner) { found += bodies }
    return unique(found)
  }

  /// The bodies that may mean a function.
  func bodies(ofFunction function: FunctionID) -> [BodyID] {
    let declaration = program.functions[function]
    let known = resolved(declaration.name, writing: false)
    var found = known.unknown
    for (other, bodies) in known.functions
    where isSame(declaration.owner, program.functions[other].owner) { found += bodies }
    // A property or case that holds the function has a name of its own.
    return unique(found)
  }

  /// Whether members of one name may be the same: of one type, a requirement, an override.
  private func isSame(_ left: TypeID?, _ right: TypeID?) -> Bool {
    guard let left, let right else { return left == right }
    if left == right { return true }
    if [left, right].contains(where: { program.types[$0].kind == .protocolDecl }) { return true }
    return program.lineage(of: left).contains(right) || program.lineage(of: right).contains(left)
  }

  private func unique(_ bodies: [BodyID]) -> [BodyID] { Set(bodies).sorted() }

  private func resolved(_ name: Name, writing: Bool) -> Resolved {
    if let known = writing ? resolvedWrites[name] : resolvedReads[name] { return known }
    lowerFiles(using: name)
    var found = Resolved()
    for site in (writing ? writes[name] : reads[name]) ?? [] { resolve(site, into: &found) }
    if writing { resolvedWrites[name] = found } else { resolvedReads[name] = found }
    return found
  }

  private func resolve(_ site: Site, into found: inout Resolved) {
    let body = table[site.body]
    let step = body.steps[Int(site.step)]
    let node = body.ref(step)
    let meant: Declared?
    switch step.operation {
    case .get, .set:
      switch program.kind(node) {
      case .name: meant = program.declared(node)
      case .member:
        guard let chain = program.parent(node) else { return found.unknown.append(site.body) }
        var type = program.type(ofChain: chain, upTo: node).unwrapped
        if case .metatype(let base) = type { type = base }
        switch type {
        case .declared(let id, _): meant = program.member(step.name, of: id)
        case .external(let name, _):
          guard let foreign = program.foreignType(named: name) else { return }
          meant = program.member(step.name, of: foreign)
          if meant == nil { return }
        case .array, .set, .dictionary: return
        default: meant = nil
        }
      default: meant = nil
      }
    case .call:
      switch program.callTarget(node) {
      case .functions(let ids): meant = .functions(ids)
      case .closure(let held): meant = held
      case .initializer, .externalInitializer, .externalFunction: return
      case .externalMethod(let type, _):
        // A framework's type has the methods that the sources don't add.
        if case .external(let name, _) = type.unwrapped, program.foreignType(named: name) == nil {
          return
        }
        meant = nil
      case .unknownMethod, .unknown: meant = nil
      }
    default: meant = nil
    }
    switch meant {
    case .property(let id): found.properties[id, default: []].append(site.body)
    case .functions(let ids):
      for id in ids { found.functions[id, default: []].append(site.body) }
    case nil, .selfValue: found.unknown.append(site.body)
    case .local, .closureArgument, .type: break
    }
  }
}
