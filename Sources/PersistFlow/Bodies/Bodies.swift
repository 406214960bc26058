import PersistIndex
import PersistSyntax

/// The bodies of a program, lowered a unit at a time when one of it is asked for: a function or
/// variable that stands in no other one, with all in it, or the statements of a file.
///
/// What a body is follows from the program alone; the numbers follow from the order of the questions.
package final class Bodies {
  unowned let program: Program
  /// All that are lowered so far, those of closures too.
  @exclusivity(unchecked) private(set) var all: [Body] = []
  @exclusivity(unchecked) private var byPlace: [Ref: BodyID] = [:]
  @exclusivity(unchecked) private var idsOfFiles: [Int: [BodyID]] = [:]
  /// The unit that is lowered, and those of all bodies.
  @exclusivity(unchecked) private var current = Ref(file: 0, node: 0)
  @exclusivity(unchecked) private var unitsOfBodies: [Ref] = []
  /// Locals that a closure or a local function uses as well and that may change.
  @exclusivity(unchecked) var shared: Set<Ref> = []
  /// What functions that are declared in bodies take along.
  @exclusivity(unchecked) private var capturesOfLocals: [FunctionID: [Ref]] = [:]
  /// What of each file has not been lowered yet, by its units; nil for a file of which nothing was
  /// asked for.
  @exclusivity(unchecked) private var units: [[Ref: Unit]?]
  /// A place whose clauses of `#if` are lowered in place of those that are built.
  private let compiled: Ref?
  private let lowered: LoweredUnits

  package init(of program: Program, compiling place: Ref? = nil) {
    self.program = program
    compiled = place
    units = Array(repeating: nil, count: program.files.count)
    lowered = program.once(evenInQueries: true) { LoweredUnits(of: $0) }
  }

  /// The clause of an `#if` that is lowered.
  func clause(of config: Ref) -> Ref? {
    let own = compiled.flatMap { place in
      program.children(config, .ifConfigClause).first { program.contains($0, place) }
    }
    return own ?? program.activeClause(of: config)
  }

  /// The clauses of an `#if` that are lowered, of which one or the other runs.
  func clauses(of config: Ref) -> [Ref] {
    guard compiled == nil else { return clause(of: config).map { [$0] } ?? [] }
    return program.activeClauses(of: config)
  }

  subscript(id: BodyID) -> Body { all[Int(id)] }

  private struct Unit {
    var functions: [FunctionID] = []
    var properties: [PropertyID] = []
  }

  /// The body at a declaration, accessor, closure or initial value.
  func body(at place: Ref) -> BodyID? {
    if let known = byPlace[place] { return known }
    lower(unit: unit(of: place))
    return byPlace[place]
  }

  /// The body at a declaration whose unit has been lowered.
  func loweredBody(at place: Ref) -> BodyID? { byPlace[place] }

  /// The unit that a body stands in.
  func unit(ofBody id: BodyID) -> Ref { unitsOfBodies[Int(id)] }

  /// The unit that a node stands in.
  func unit(of place: Ref) -> Ref {
    var unit = Ref(file: Int(place.file), node: 0)
    var next: Ref? = place
    while let current = next {
      if !program.kind(current).holdsUnits { unit = current }
      next = program.parent(current)
    }
    return program.kind(unit).isStatement ? Ref(file: Int(place.file), node: 0) : unit
  }

  /// Lowers the code of a unit, unless that is done.
  func lower(unit: Ref) {
    let file = Int(unit.file)
    guard units.indices.contains(file) else { return }
    if units[file] == nil { units[file] = collectUnits(ofFile: file) }
    guard let found = units[file]?.removeValue(forKey: unit) else { return }
    let around = current
    current = unit
    defer { current = around }
    if compiled == nil, let known = lowered[unit] { return take(known) }
    let outer = shared
    let first = all.count
    shared = []
    for id in found.functions { lower(function: id) }
    for id in found.properties { lower(property: id) }
    if unit.node == 0 { lowerStatements(ofFile: file) }
    if compiled == nil {
      // A slice would share the storage of all, and have it copied with the next body.
      let unitBodies = Array(all[first...])
      lowered.keep(LoweredUnit(first: first, bodies: unitBodies, shared: shared), for: unit)
    }
    shared.formUnion(outer)
  }

  /// Takes in a unit that another table has lowered.
  private func take(_ unit: LoweredUnit) {
    let offset = BodyID(truncatingIfNeeded: all.count - unit.first)
    for body in unit.bodies {
      finish(reserve(body.place, body.kind), body.renumbered(by: offset))
    }
    shared.formUnion(unit.shared)
  }

  private func collectUnits(ofFile file: Int) -> [Ref: Unit] {
    var found = [Ref(file: file, node: 0): Unit()]
    for id in program.functions(inFile: file) {
      found[unit(of: program.functions[id].ref), default: Unit()].functions.append(id)
    }
    for id in program.properties(inFile: file) {
      found[unit(of: program.properties[id].ref), default: Unit()].properties.append(id)
    }
    return found
  }

  /// Lowers the code of a file, unless that is done.
  func lower(file: Int) {
    guard units.indices.contains(file) else { return }
    let open = units[file] ?? collectUnits(ofFile: file)
    for unit in open.keys.sorted() { lower(unit: unit) }
  }

  /// The bodies of one file.
  package func bodies(inFile file: Int) -> [Body] {
    numbered(inFile: file).map(\.1)
  }

  /// The bodies of one file with their numbers.
  func numbered(inFile file: Int) -> [(BodyID, Body)] {
    lower(file: file)
    return loweredBodies(inFile: file)
  }

  /// The bodies of one file that have been lowered, with their numbers.
  func loweredBodies(inFile file: Int) -> [(BodyID, Body)] {
    (idsOfFiles[file] ?? []).map { ($0, self[$0]) }
  }

  /// Whether nothing runs behind a call of that name.
  func endsProcess(_ name: Name) -> Bool { lowered.endingNames.contains(name) }

  /// Whether a method of that name may change the value that it is called on.
  func mayMutate(_ name: Name) -> Bool { lowered.mutatingNames.contains(name) }

  /// Reserves a number for a body, so that those inside of it come behind.
  func reserve(_ place: Ref, _ kind: Body.Kind) -> BodyID {
    let id = BodyID(truncatingIfNeeded: all.count)
    all.append(Body(place: place, kind: kind))
    unitsOfBodies.append(current)
    byPlace[place] = id
    idsOfFiles[Int(place.file), default: []].append(id)
    return id
  }

  func finish(_ id: BodyID, _ body: Body) { all[Int(id)] = body }

  /// The variables of the code around that a function takes along which is declared in a body, itself
  /// or by other such functions.
  func captures(ofLocal id: FunctionID) -> [Ref] {
    guard program.functions[id].owner == nil,
      program.enclosingBody(program.functions[id].ref) != nil
    else { return [] }
    if let known = capturesOfLocals[id] { return known }
    var functions: Set<FunctionID> = [id]
    var pending = [id]
    var found: Set<Ref> = []
    while let next = pending.popLast() {
      for name in program.descendants(program.functions[next].ref, .name) {
        switch program.declared(name) {
        case .local(let declaration): found.insert(declaration)
        case .functions(let others):
          let isLocal = { (other: FunctionID) in
            self.program.enclosingBody(self.program.functions[other].ref) != nil
          }
          pending += others.filter { isLocal($0) && functions.insert($0).inserted }
        default: continue
        }
      }
    }
    let captures = found.filter { declaration in
      !functions.contains { program.contains(program.functions[$0].ref, declaration) }
    }.sorted()
    capturesOfLocals[id] = captures
    return captures
  }

  private func lower(function id: FunctionID) {
    let function = program.functions[id]
    if function.kind == .subscriptDecl {
      for accessors in program.children(function.ref, .accessors) {
        lower(accessors: accessors, property: nil, owner: function.owner, function: id)
      }
      return
    }
    guard let block = function.body else { return }
    for parameter in function.parameters where parameter.hasDefault {
      let node = Ref(file: Int(function.ref.file), node: parameter.node)
      if let value = program.child(node, .expression) { lower(default: value, of: function) }
    }
    let kind: Body.Kind =
      switch function.kind {
      case .initDecl: .initializer
      case .deinitDecl: .deinitializer
      default: .function
      }
    let lowering = Lowering(program, self, root: function.ref, kind: kind)
    lowering.body.function = id
    lowering.body.owner = function.owner
    lowering.body.isStatic = function.isStatic
    lowering.body.isAsync = function.isAsync
    let number = reserve(function.ref, kind)
    lowering.lowerParameters(
      program.child(function.ref, .parameters).map { program.children($0, .parameter) } ?? [])
    lowering.lowerBody(Ref(file: Int(function.ref.file), node: block))
    finish(number, lowering.body)
  }

  /// Lowers the default of a parameter, which runs where the call is and has no instance.
  private func lower(default value: Ref, of function: FunctionDeclaration) {
    let lowering = Lowering(program, self, root: value, kind: .initialValue)
    lowering.body.owner = function.owner
    lowering.body.isStatic = true
    let number = reserve(value, .initialValue)
    lowering.end(.return(lowering.lower(value)))
    finish(number, lowering.body)
  }

  private func lower(property id: PropertyID) {
    let property = program.properties[id]
    let file = Int(property.ref.file)
    if let node = property.initializer, byPlace[Ref(file: file, node: node)] == nil {
      let place = Ref(file: file, node: node)
      let lowering = Lowering(program, self, root: place, kind: .initialValue)
      lowering.body.property = id
      lowering.body.owner = property.owner
      lowering.body.isStatic = property.isStatic
      let number = reserve(place, .initialValue)
      let value = lowering.lower(place)
      lowering.end(.return(value))
      finish(number, lowering.body)
    }
    if let node = property.accessors {
      lower(
        accessors: Ref(file: file, node: node), property: id, owner: property.owner, function: nil)
    }
  }

  private func lower(
    accessors: Ref, property: PropertyID?, owner: TypeID?, function: FunctionID?
  ) {
    for accessor in program.descendants(accessors, .accessor)
    where program.enclosingBody(accessor) == program.enclosingBody(accessors) {
      guard let block = program.child(accessor, .block) else { continue }
      let kind = Self.kind(ofAccessor: program.name(accessor))
      let lowering = Lowering(program, self, root: accessor, kind: kind)
      lowering.body.property = property
      lowering.body.function = function
      lowering.body.owner = owner
      lowering.body.isStatic = property.map { program.properties[$0].isStatic } ?? false
      lowering.body.isAsync = program.node(accessor).flags.contains(.isAsync)
      let number = reserve(accessor, kind)
      if kind == .setter || kind == .observer {
        lowering.body.parameterCount = 1
        lowering.bind(accessor, to: lowering.emit(.parameter, accessor, index: 0))
      } else if let function {
        let list = program.child(program.functions[function].ref, .parameters)
        lowering.lowerParameters(list.map { program.children($0, .parameter) } ?? [])
      }
      lowering.lowerBody(block)
      finish(number, lowering.body)
    }
  }

  private static func kind(ofAccessor name: Name) -> Body.Kind {
    switch name {
    case "set", "_modify", "modify": .setter
    case "willSet", "didSet": .observer
    default: .getter
    }
  }

  private func lowerStatements(ofFile file: Int) {
    let root = Ref(file: file, node: 0)
    let statements = program.children(root).filter { program.kind($0).isStatement }
    guard !statements.isEmpty else { return }
    let lowering = Lowering(program, self, root: root, kind: .file)
    let number = reserve(root, .file)
    for statement in statements { lowering.lowerStatement(statement) }
    lowering.end(.end)
    finish(number, lowering.body)
  }
}

extension Node.Kind {
  /// Whether units stand in such a node.
  fileprivate var holdsUnits: Bool {
    switch self {
    case .file, .members, .ifConfig, .ifConfigClause, .classDecl, .structDecl, .enumDecl,
      .actorDecl, .protocolDecl, .extensionDecl:
      true
    default: false
    }
  }

  /// Whether such a node at top level runs when the file does; variables have bodies of their own.
  fileprivate var isStatement: Bool {
    switch self {
    case .expression, .ifStatement, .guardStatement, .whileStatement, .repeatStatement,
      .forStatement, .switchStatement, .doStatement, .deferStatement:
      true
    default: false
    }
  }
}
