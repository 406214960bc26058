import PersistIndex
import PersistSyntax

/// The number of a body in the table of all bodies.
package typealias BodyID = Int32

/// One function, accessor, initializer, closure, stored initial value or file, as blocks of steps.
package final class Body {
  /// What a body is the code of.
  package enum Kind: UInt8, Sendable {
    case function, initializer, deinitializer, getter, setter, observer, closure, initialValue, file
  }

  /// A variable of the body.
  package struct Local: Sendable {
    /// The node that declares it; nil for a value that the lowering needs.
    package let declaration: Ref?
    package let name: Name
    /// Whether it can change after its first value.
    package let isVariable: Bool
  }

  /// The node: a declaration, an accessor, a closure, or the expression of an initial value.
  package let place: Ref
  package let kind: Kind
  /// The function or property that the body belongs to.
  @exclusivity(unchecked) package var function: FunctionID?
  @exclusivity(unchecked) package var property: PropertyID?
  /// The type whose instance `self` is.
  @exclusivity(unchecked) package var owner: TypeID?
  @exclusivity(unchecked) package var isStatic = false
  @exclusivity(unchecked) package var isAsync = false
  @exclusivity(unchecked) package var parameterCount = 0
  @exclusivity(unchecked) package var locals: [Local] = []
  /// The declarations of other bodies' locals that a closure uses, in the order of its captures.
  @exclusivity(unchecked) package var captures: [Ref] = []
  @exclusivity(unchecked) package var steps: [Instruction] = []
  @exclusivity(unchecked) package var operands: [Value] = []
  @exclusivity(unchecked) package var calls: [CallSite] = []
  @exclusivity(unchecked) package var blocks: [Block] = []
  /// The statements, their blocks, and the values that run on some ways only, as nodes, each with
  /// the block in which it begins; what `defer` puts off begins in several.
  @exclusivity(unchecked) package var places: [(node: Int32, block: Int32)] = []
  /// The blocks that end with a `throw` which something in the body may catch.
  @exclusivity(unchecked) package var throwing: Set<Int32> = []
  /// Whether something of the code was too much to lower; then nothing certain follows from it.
  @exclusivity(unchecked) package var isCut = false

  /// The blocks, each one after those that lead to it.
  private(set) lazy var order = BlockOrder(self)
  /// Where its values are made, and what its conditions decide.
  private(set) lazy var flow = BlockFlow(self)
  /// Whether it begins a transaction of a realm, or asks whether one is open.
  private(set) lazy var asksForTransaction =
    calls.contains { Frameworks.transactionBegins.contains($0.name) }
    || steps.contains { $0.operation == .get && $0.name == Frameworks.transactionState }
  /// Whether it assigns to a property.
  private(set) lazy var writesHeap = steps.contains { $0.operation == .set && !$0.isWriteBack }
  /// The steps that read or assign members of its instance.
  private(set) lazy var ownMembers = steps.filter {
    ($0.operation == .get || $0.operation == .set) && isOfSelf($0)
  }
  /// Whether it mentions the instance that it belongs to.
  private(set) lazy var usesSelf = steps.contains { $0.operation == .selfValue }
  /// How much comes in that nobody knows where no caller is seen.
  var openness: Int { kind == .closure ? 2 : parameterCount > 0 ? 1 : 0 }

  package init(place: Ref, kind: Kind) {
    self.place = place
    self.kind = kind
  }

  init(copying other: Body) {
    place = other.place
    kind = other.kind
    function = other.function
    property = other.property
    owner = other.owner
    isStatic = other.isStatic
    isAsync = other.isAsync
    parameterCount = other.parameterCount
    locals = other.locals
    captures = other.captures
    steps = other.steps
    operands = other.operands
    calls = other.calls
    blocks = other.blocks
    places = other.places
    throwing = other.throwing
    isCut = other.isCut
  }

  /// What is stored in each local.
  private(set) lazy var stored: [Int32: [Value]] = {
    var found: [Int32: [Value]] = [:]
    for step in steps where step.operation == .store {
      found[step.index, default: []] += operands(of: step)
    }
    return found
  }()

  /// The steps from which a value follows, where asked for with those that give a local its value.
  func steps(behind value: Value, throughLocals: Bool = true) -> [Instruction] {
    values(behind: value, throughLocals: throughLocals).map { steps[Int($0)] }
  }

  /// The same as values.
  func values(behind value: Value, throughLocals: Bool = true) -> [Value] {
    var seen: Set<Value> = []
    var pending = [value]
    while let next = pending.popLast() {
      guard next >= 0, seen.insert(next).inserted else { continue }
      let step = steps[Int(next)]
      switch step.operation {
      case .load where throughLocals: pending += stored[step.index] ?? []
      case .call:
        let site = calls[Int(step.index)]
        pending += [site.receiver] + site.arguments.map(\.value)
      default: pending += operands(of: step)
      }
    }
    return seen.sorted()
  }

  /// The steps of the body that may give a value, the variables on the way left out, or only those
  /// that the lowering needs.
  func givers(of value: Value, throughVariables: Bool = true) -> [Value] {
    var seen: Set<Value> = []
    var pending = [value]
    var found: [Value] = []
    while let next = pending.popLast() {
      guard next >= 0, seen.insert(next).inserted else { continue }
      let step = steps[Int(next)]
      switch step.operation {
      case .load
      where throughVariables || step.index >= 0 && locals[Int(step.index)].declaration == nil:
        pending += stored[step.index] ?? []
      case .unwrap, .cast, .await: pending += operands(of: step).prefix(1)
      case .part:
        let tuples = operands(of: step).first.map { givers(of: $0) } ?? []
        let parts = tuples.compactMap { part(Int(step.index), of: $0) }
        if parts.isEmpty { found.append(next) }
        pending += parts
      default: found.append(next)
      }
    }
    return found.sorted()
  }

  private func part(_ index: Int, of tuple: Value) -> Value? {
    let step = steps[Int(tuple)]
    return step.operation == .tuple ? operands(of: step).dropFirst(index).first : nil
  }

  /// The reading of a variable that a value is nothing else than.
  func variable(behind value: Value) -> Value? {
    let givers = givers(of: value, throughVariables: false)
    guard givers.count == 1, [.load, .capture].contains(steps[Int(givers[0])].operation) else {
      return nil
    }
    return givers[0]
  }

  /// The values that it returns.
  var results: [Value] {
    blocks.compactMap { block in
      guard case .return(let value) = block.terminator, value >= 0 else { return nil }
      return value
    }
  }

  /// Whether a step reads or sets a member of the instance that the code belongs to.
  func isOfSelf(_ step: Instruction) -> Bool {
    guard let holder = operands(of: step).first, holder >= 0 else { return false }
    return steps[Int(holder)].operation == .selfValue
  }

  /// Whether an initializer goes on with another one: `self.init`, `super.init`.
  func goesOn(with site: CallSite) -> Bool {
    kind == .initializer && site.name == Frameworks.initializerName && site.receiver >= 0
      && steps[Int(site.receiver)].operation == .selfValue
  }

  /// The operands of a step.
  package func operands(of step: Instruction) -> ArraySlice<Value> {
    operands[Int(step.firstOperand)..<Int(step.firstOperand + step.operandCount)]
  }

  /// The node of a step.
  package func ref(_ step: Instruction) -> Ref { Ref(file: Int(place.file), node: Int(step.node)) }

  /// The node of a call.
  func ref(_ site: CallSite) -> Ref { Ref(file: Int(place.file), node: Int(site.node)) }
}
