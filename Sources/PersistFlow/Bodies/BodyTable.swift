import PersistIndex
import PersistSyntax

/// Collects the bodies of a program while they are lowered.
final class BodyTable {
  private let program: Program
  let operators: OperatorTable
  var bodies = Bodies()
  var shared: Set<Ref> = []
  private var mutatingNames: Set<Name>
  private var endingNames: Set<Name>

  init(_ program: Program) {
    self.program = program
    var operators = OperatorTable.standard
    for file in program.files { operators.add(declarationsOf: file.outline) }
    self.operators = operators
    mutatingNames = Frameworks.mutatingMethods
    for function in program.functions where function.modifiers.contains("mutating") {
      mutatingNames.insert(function.name)
    }
    endingNames = Frameworks.endingFunctions
    let ending = Dictionary(grouping: program.functions, by: \.name)
    for (name, functions) in ending where functions.allSatisfy(\.returnsNever) {
      endingNames.insert(name)
    }
  }

  /// Whether nothing runs behind a call of that name.
  func endsProcess(_ name: Name) -> Bool { endingNames.contains(name) }

  /// Whether a method of that name may change the value that it is called on.
  func mayMutate(_ name: Name) -> Bool { mutatingNames.contains(name) }

  /// Reserves a number for a body, so that those inside of it come behind.
  func reserve(_ place: Ref, _ kind: Body.Kind) -> BodyID {
    let id = BodyID(truncatingIfNeeded: bodies.all.count)
    bodies.all.append(Body(place: place, kind: kind))
    bodies.byPlace[place] = id
    return id
  }

  func finish(_ id: BodyID, _ body: Body) { bodies.all[Int(id)] = body }

  /// Lowers all bodies, by their files and places.
  func lowerAll() -> Bodies {
    for id in program.functions.indices { lower(function: id) }
    for id in program.properties.indices { lower(property: id) }
    for file in program.files.indices { lowerStatements(ofFile: file) }
    bodies.shared = shared
    return bodies
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
    if let node = property.initializer, bodies.byPlace[Ref(file: file, node: node)] == nil {
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

extension Bodies {
  /// Lowers all code of a program; a pure function of it.
  package init(of program: Program) { self = BodyTable(program).lowerAll() }
}
