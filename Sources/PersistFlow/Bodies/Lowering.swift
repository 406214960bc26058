import PersistIndex
import PersistSyntax

/// Turns the code of one declaration, closure or initial value into a body.
final class Lowering {
  let program: Program
  let table: Bodies
  /// The node whose code this is.
  let root: Ref
  @exclusivity(unchecked) var body: Body
  /// The block that steps go to.
  @exclusivity(unchecked) var block: Int32 = 0
  @exclusivity(unchecked) var scopes: [Scope] = []
  /// Where an error goes that a call under `try` throws; nil where no `try` stands around.
  @exclusivity(unchecked) var catcher: Catcher?
  @exclusivity(unchecked) var isAwaiting = false
  /// What the call around tells of an event, and whose method a selector names.
  var selectorOwner: Value?
  @exclusivity(unchecked) private var localsByDeclaration: [Ref: Int32] = [:]
  @exclusivity(unchecked) private var capturesByDeclaration: [Ref: Int32] = [:]
  @exclusivity(unchecked) private var depth = 0

  /// Steps of one body; more are cut off.
  static let mostSteps = 40_000
  /// Expressions and statements inside one another.
  static let deepest = 200

  /// What `break`, `continue`, `throw` and the end of a block have to know.
  struct Scope {
    var label = Name.none
    var breakTarget: Int32?
    var continueTarget: Int32?
    var handler: Int32?
    /// Blocks of `defer`, in source order.
    var deferred: [Ref] = []
  }

  enum Catcher {
    /// The nearest `catch`, or the caller.
    case handler
    /// `try?`: the block that goes on with `nil`.
    case optional(Int32)
    /// `try!`
    case crash
  }

  init(_ program: Program, _ table: Bodies, root: Ref, kind: Body.Kind) {
    self.program = program
    self.table = table
    self.root = root
    body = Body(place: root, kind: kind)
    body.blocks = [Block()]
  }

  // MARK: Steps and blocks

  @discardableResult
  func emit(
    _ operation: Instruction.Operation, _ node: Ref, _ operands: [Value] = [],
    name: Name = .none, index: Int32 = -1, isWriteBack: Bool = false
  ) -> Value {
    var step = Instruction(operation: operation, node: node.node, index: index)
    step.name = name
    step.isWriteBack = isWriteBack
    step.firstOperand = Int32(truncatingIfNeeded: body.operands.count)
    step.operandCount = Int32(truncatingIfNeeded: operands.count)
    body.operands += operands
    let value = Value(truncatingIfNeeded: body.steps.count)
    body.steps.append(step)
    body.blocks[Int(block)].steps.append(value)
    return value
  }

  func newBlock() -> Int32 {
    body.blocks.append(Block())
    return Int32(truncatingIfNeeded: body.blocks.count - 1)
  }

  /// A block at which ways meet again.
  func newJoin() -> Int32 {
    let block = newBlock()
    body.blocks[Int(block)].isJoin = true
    return block
  }

  /// Notes where a statement, a block or a value that some ways lead to begins.
  func begin(_ node: Ref) { body.places.append((node.node, block)) }

  /// Ends the block; what follows can't be reached unless something goes to a block that is begun.
  func end(_ terminator: Terminator) {
    body.blocks[Int(block)].terminator = terminator
    block = newBlock()
  }

  /// Ends the block by going to another one, with which the lowering goes on.
  func jump(to next: Int32) {
    body.blocks[Int(block)].terminator = .jump(next)
    block = next
  }

  /// Ends the block and goes on with another one, which something else leads to.
  func end(_ terminator: Terminator, goingOnWith next: Int32) {
    body.blocks[Int(block)].terminator = terminator
    block = next
  }

  /// Lowers what `part` says, unless it is nested too deeply or the body has grown too large.
  func nested<Result>(_ otherwise: Result, _ part: () -> Result) -> Result {
    guard depth < Self.deepest, body.steps.count < Self.mostSteps else {
      body.isCut = true
      return otherwise
    }
    depth += 1
    defer { depth -= 1 }
    return part()
  }

  // MARK: Locals

  func addLocal(_ declaration: Ref?, _ name: Name, isVariable: Bool) -> Int32 {
    body.locals.append(
      Body.Local(declaration: declaration, name: name, isVariable: isVariable))
    let index = Int32(truncatingIfNeeded: body.locals.count - 1)
    if let declaration { localsByDeclaration[declaration] = index }
    return index
  }

  /// A local for a value that comes from several blocks.
  func temporary() -> Int32 { addLocal(nil, .none, isVariable: false) }

  func store(_ value: Value, in local: Int32, _ node: Ref) {
    emit(.store, node, [value], index: local)
  }

  func load(_ local: Int32, _ node: Ref) -> Value { emit(.load, node, index: local) }

  /// The local that a node declares; made when it is met first.
  func local(declaredAt declaration: Ref) -> Int32 {
    if let known = localsByDeclaration[declaration] { return known }
    return addLocal(
      declaration, program.name(declaration), isVariable: program.isVariable(declaration))
  }

  func bind(_ declaration: Ref, to value: Value) {
    store(value, in: local(declaredAt: declaration), declaration)
  }

  /// The value of a local of this body or of one around it.
  func load(declaredAt declaration: Ref, _ node: Ref) -> Value {
    if let local = localsByDeclaration[declaration] { return load(local, node) }
    let isInside = program.contains(root, declaration) && declaration != root
    guard !isInside || isTaken(declaration) else {
      return load(local(declaredAt: declaration), node)
    }
    return emit(.capture, node, index: capture(declaration))
  }

  /// Whether the list of captures of the closure itself takes a value.
  private func isTaken(_ declaration: Ref) -> Bool {
    program.kind(declaration) == .capture
      && program.parent(declaration).flatMap(program.parent) == root
  }

  func assign(declaredAt declaration: Ref, _ value: Value, _ node: Ref) {
    if let local = localsByDeclaration[declaration] {
      return store(value, in: local, node)
    }
    guard !program.contains(root, declaration) else { return bind(declaration, to: value) }
    table.shared.insert(declaration)
    // The variable belongs to a body around this one: what is captured is its box.
    emit(.store, node, [value], index: -2 - capture(declaration))
  }

  private func capture(_ declaration: Ref) -> Int32 {
    if let known = capturesByDeclaration[declaration] { return known }
    let index = Int32(truncatingIfNeeded: body.captures.count)
    body.captures.append(declaration)
    capturesByDeclaration[declaration] = index
    if body.kind != .closure || mayChange(declaration) { table.shared.insert(declaration) }
    return index
  }

  /// Takes along what functions that are declared in bodies use of the code around this one.
  func captureLocals(of functions: [FunctionID]) {
    for id in functions {
      for declaration in table.captures(ofLocal: id) where !program.contains(root, declaration) {
        _ = capture(declaration)
      }
    }
  }

  /// Whether a variable may get another value once this closure is made: behind it, or on the next
  /// turn of a loop around it.
  private func mayChange(_ declaration: Ref) -> Bool {
    guard program.isVariable(declaration) else { return false }
    let loop = program.ancestors(root).prefix { !program.contains($0, declaration) }.last {
      [.forStatement, .whileStatement, .repeatStatement].contains(program.kind($0))
    }
    let first = loop ?? root
    return program.uses(ofLocal: declaration).contains { use in
      guard use > first, let chain = program.parent(use), program.kind(chain) == .chain else {
        return false
      }
      return program.assignment(toChain: chain) != nil
        || program.view(chain)[token: Int(program.node(chain).first)].kind == .prefixAmpersand
        || program.children(chain).contains { table.mayMutate(program.name($0)) }
    }
  }

  // MARK: Exits

  /// Runs what `defer` has put off in the scopes from one on, the innermost first.
  func leaveScopes(downTo outermost: Int) {
    let all = scopes
    for index in stride(from: all.count - 1, through: outermost, by: -1) where index >= 0 {
      for block in all[index].deferred.reversed() {
        scopes = Array(all[..<index])
        lowerBlock(block)
      }
    }
    scopes = all
  }

  /// Where an error goes from here: a block that first runs what `defer` has put off.
  func handlerBlock(_ node: Ref) -> Int32 {
    let depth = scopes.lastIndex { $0.handler != nil }
    let inner = scopes[(depth.map { $0 + 1 } ?? 0)...]
    if let depth, let handler = scopes[depth].handler, inner.allSatisfy({ $0.deferred.isEmpty }) {
      return handler
    }
    let outer = block
    let landing = newBlock()
    block = landing
    if let depth {
      leaveScopes(downTo: depth + 1)
      if let handler = scopes[depth].handler { end(.jump(handler)) }
    } else {
      let error = emit(.caught, node)
      leaveScopes(downTo: 0)
      end(.throw(error))
    }
    block = outer
    return landing
  }

  /// Ends the block behind a step that may throw, where a `try` stands around it.
  func mayThrow(_ node: Ref) {
    guard let catcher else { return }
    switch catcher {
    case .handler:
      let handler = handlerBlock(node)
      let next = newBlock()
      end(.mayThrow(next, handler), goingOnWith: next)
    case .optional(let target):
      let next = newBlock()
      end(.mayThrow(next, target), goingOnWith: next)
    case .crash: break
    }
  }
}

extension Program {
  /// Whether what a node declares can change after its first value.
  func isVariable(_ declaration: Ref) -> Bool {
    guard kind(declaration) == .boundName else { return false }
    var next = parent(declaration)
    while let current = next {
      switch kind(current) {
      case .binding: return !node(current).flags.contains(.isLet)
      case .optionalBinding:
        return view(current)[token: Int(node(current).first)].keyword == .var
      case .block, .closure, .members, .forStatement, .caseItem, .caseCondition: return false
      default: next = parent(current)
      }
    }
    return false
  }
}
