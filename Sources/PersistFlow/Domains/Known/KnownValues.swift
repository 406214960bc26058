import PersistIndex
import PersistSyntax

/// Runs code for what its values surely are: constants, lists with their elements, what such are
/// made of; loops over known lists run once for each element, and known conditions decide.
package final class KnownValues: LocalDomain {
  typealias Mark = Known
  static var nothing: Known { .unset }
  static var other: Known { .other }
  static var deepest: Int { 24 }

  unowned let program: Program
  private(set) lazy var flow = LocalFlow(program, for: self, compiling: clause)
  /// The calls that register migrations, and the functions that lead to some.
  let registering: Set<Ref>
  let registrars: Set<FunctionID>
  /// Whether texts keep their holes and values their alternatives.
  let followsTexts: Bool
  /// Whether what is asked for are files: what comes in stands for itself, and names tell.
  let namesFiles: Bool
  /// The clause of an `#if` that is run though this platform doesn't build it.
  private let clause: Ref?
  /// What `self` is in the code that runs.
  @exclusivity(unchecked) var own = Known.other
  /// The calls that led to it.
  @exclusivity(unchecked) var path: [Ref] = []
  /// The functions that run.
  @exclusivity(unchecked) var running: [FunctionID] = []
  /// What calls have made of what they were called on.
  @exclusivity(unchecked) var changed: [Ref: Known] = [:]
  @exclusivity(unchecked) var found: [Registration] = []
  /// The migrators that somebody else may register more with.
  @exclusivity(unchecked) package internal(set) var escaping: Set<Known> = []
  /// The loops that run once for each element.
  @exclusivity(unchecked) private(set) var unrolled: Set<Ref> = []
  /// What loops went over.
  @exclusivity(unchecked) private var lists: [Ref: Known] = [:]
  /// The question about a text that is open, and the properties that an initializer has set.
  @exclusivity(unchecked) var question = TextQuestion()
  @exclusivity(unchecked) var kept = KeptOutcomes()
  @exclusivity(unchecked) var slices: [Bool: Slices] = [:]
  @exclusivity(unchecked) var assigned: Set<PropertyID> = []
  /// Whether only what makes an instance gives a property its value.
  @exclusivity(unchecked) var fixed: [PropertyID: Bool] = [:]
  /// What `self` had become in the code that ran last.
  @exclusivity(unchecked) var left = Known.other
  /// What notes the run that goes on, the runs around the rounds of its loops, and what is to note
  /// the run that begins next.
  @exclusivity(unchecked) var noting: CodeRun?
  @exclusivity(unchecked) var around: [CodeRun] = []
  @exclusivity(unchecked) var next: CodeRun?

  package init(
    _ program: Program, registering: Set<Ref> = [], registrars: Set<FunctionID> = [],
    followsTexts: Bool = false, namesFiles: Bool = false, compiling clause: Ref? = nil
  ) {
    self.program = program
    self.registering = registering
    self.registrars = registrars
    self.followsTexts = followsTexts
    self.namesFiles = namesFiles
    self.clause = clause
  }

  // MARK: Questions

  /// What the code of a function, or of a variable, registers.
  package func registrations(from root: Ref) -> [Registration] {
    found = []
    own = .other
    let migrator = Name("DatabaseMigrator")
    if let id = program.function(declaredAt: root), let body = flow.facts.body(of: id) {
      let function = program.functions[id]
      let types = flow.facts.parameterTypes(of: flow.bodies[body])
      let given = zip(function.parameters, types).map { parameter, type -> Known in
        let place = Ref(file: Int(root.file), node: parameter.node)
        return type.unwrapped.isExternal(migrator) ? .migrator(place) : .other
      }
      if let owner = function.owner, program.types[owner].kind == .extensionDecl,
        program.types[owner].name == migrator
      {
        own = .migrator(root)
      }
      running = [id]
      _ = flow.run(body, given, isKept: false)
      running = []
    } else {
      flow.bodies.lower(unit: flow.bodies.unit(of: root))
      for (id, body) in flow.bodies.loweredBodies(inFile: Int(root.file))
      where body.kind != .closure && program.contains(root, body.place) {
        _ = flow.run(id, isKept: false)
      }
    }
    own = .other
    return found
  }

  /// The elements of the list that a loop goes over, or that a call of `forEach` stands behind.
  package func list(ofLoop loop: Ref) -> [Known]? {
    if lists[loop] == nil, let body = flow.facts.body(around: loop) {
      lists[loop] = .other
      _ = flow.run(body, isKept: false)
    }
    return lists[loop]?.elements
  }

  /// What a member in a chain says of a value; the tuples of a list may have their labels from its
  /// type alone.
  package func member(at node: Ref, of value: Known) -> Known {
    let known = member(program.name(node), program.nameText(node), of: value)
    guard known == .other, case .tuple = value, let chain = program.parent(node),
      case .tuple(_, let labels) = program.type(ofChain: chain, upTo: node).unwrapped,
      let index = labels.firstIndex(of: program.name(node))
    else { return known }
    return member(.none, "\(index)", of: value)
  }

  /// The variables from outside that a closure uses, in the order of what it captures.
  package func captures(of closure: Ref) -> [Ref] {
    flow.bodies.body(at: closure).map { flow.bodies[$0].captures } ?? []
  }

  /// A member of a value: a property, a part of a tuple, a method that isn't called.
  package func member(_ name: Name, _ text: String, of value: Known) -> Known {
    switch value {
    case .tuple(let parts, let labels):
      let index = Int(text) ?? labels.firstIndex { $0 == name }
      return index.flatMap { parts.indices.contains($0) ? parts[$0] : nil } ?? .other
    case .element(let element, _):
      if name == "rawValue" { return rawValue(of: element) }
      guard let type = program.enclosingType(element) else { return .other }
      let own = member(name, of: type, value)
      return own == .other && Frameworks.namesOfKeys.contains(name) ? rawValue(of: element) : own
    case .instance(let type, _): return member(name, of: type, value)
    case .list(let elements): return member(name, ofList: elements)
    case .either(let choices):
      let members = choices.filter { $0 != .none }.map { member(name, text, of: $0) }
      return members.contains(.other) ? .other : Known(oneOf: members)
    case .type(let type):
      if name == "self" { return value }
      let cases = program.enumElements(type)
      if name == "allCases" { return .list(cases.map { .element($0, []) }) }
      if let found = cases.first(where: { program.name($0) == name }) { return .element(found, []) }
      if name == Frameworks.tableName, flow.facts.member(name, of: type) == nil {
        return .text(program.usualTable(ofRecord: type))
      }
      return member(name, of: type, value)
    case .made:
      guard Frameworks.namesOfKeys.contains(name) else { return .other }
      return program.column(value).map { .text($0) } ?? .other
    case .text(let text) where name == "isEmpty": return Known(flag: text.isEmpty)
    case .pieces(let pieces) where name == "isEmpty":
      let isTold = pieces.contains { if case .known = $0 { true } else { false } }
      return isTold ? Known(flag: false) : .other
    case .foreignType([Frameworks.keysOfProperties]):
      return text.first?.isLowercase ?? false && name != "self" ? .text(text) : .other
    default: return .other
    }
  }

  private func member(_ name: Name, of type: TypeID, _ value: Known) -> Known {
    let isStatic = if case .type = value { true } else { false }
    return switch flow.facts.member(name, of: type, isStatic: isStatic) {
    case .property(let id): self.value(of: id, in: value)
    case .functions(let all):
      only(all).map { .function($0, own: value) } ?? .other
    default: .other
    }
  }

  /// The only one of some functions that has a body.
  func only(_ functions: [FunctionID]) -> FunctionID? {
    let bodies = functions.filter { program.functions[$0].body != nil }
    return bodies.count == 1 ? bodies[0] : nil
  }

  func rawValue(of element: Ref) -> Known {
    guard let value = program.child(element, .expression) else {
      return .text(program.nameText(element))
    }
    return program.descendants(value, .string).first.map {
      .text(program.text(ofString: $0) { _ in "" })
    }
      ?? .literal(program.text(value))
  }

  // MARK: Properties

  /// What a property holds, in an instance or type.
  func value(of id: PropertyID, in owner: Known) -> Known {
    let id = witness(of: id, in: owner)
    let property = program.properties[id]
    var owner = owner
    if namesFiles, property.type != nil, !mayCarryText(program.type(ofProperty: id)) {
      return .other
    }
    if followsTexts, !property.isStatic, let type = property.owner {
      let isByItself = namesFiles && (property.isComputed || property.initializer != nil)
      switch owner {
      case .instance, .element, .either: break
      default:
        if !isByItself { owner = instances(of: program.resolveAlias(type)) }
        if case .instance = owner { return value(of: id, in: owner) }
      }
      if case .either(let choices) = owner {
        return Known(
          oneOf: choices.map { choice in
            switch choice {
            case .instance, .element: value(of: id, in: choice)
            default: .other
            }
          })
      }
      // What takes the place of a container later opens the same store, as a rule.
      guard
        isFixed(id) || property.isComputed || isByItself || ownsStore(program.type(ofProperty: id))
      else { return .other }
    }
    if property.isComputed {
      return flow.facts.getter(of: id).map { run($0, own: owner) } ?? .other
    }
    if program.type(ofProperty: id).isExternal("DatabaseMigrator") {
      return .migrator(property.ref)
    }
    if case .instance(_, let fields) = owner, let field = fields[id] { return field }
    guard property.isLet || property.isStatic || followsTexts else { return .other }
    return flow.facts.initialValue(of: id).map { body in
      onlyOnce(id, of: owner) { run(body, own: followsTexts ? owner : .other) }
    } ?? .other
  }

  /// The property of a type that stands for one which a protocol asks for.
  private func witness(of id: PropertyID, in owner: Known) -> PropertyID {
    guard let asking = program.properties[id].owner, program.types[asking].kind == .protocolDecl
    else { return id }
    switch owner {
    case .type(let type), .instance(let type, _):
      if case .property(let own)? = flow.facts.member(program.properties[id].name, of: type) {
        return own
      }
    default: break
    }
    return id
  }

  // MARK: The domain

  func joined(_ left: Known, _ right: Known) -> Known {
    if left == right || right == .unset { return left }
    if followsTexts { return bounded(Known(oneOf: [left, right])) }
    return left == .unset ? right : .other
  }

  /// What is noted is all code, whether it runs or not.
  func truth(of mark: Known) -> Bool? { noting == nil ? mark.flag : nil }

  func decided(_ mark: Known, _ holds: Bool) -> Known {
    noting == nil && !namesFiles
      && (mark == .other || mark.choices.contains(Known(flag: holds)))
      ? Known(flag: holds) : mark
  }

  var followsStoresOfClosures: Bool { true }

  var effects: Int { question.effects.count }

  func place(_ effects: Range<Int>, _ place: EffectPlace) {
    for index in effects { question.effects[index].places.append(place) }
  }

  var notes: Int { found.count }
  func forget(since count: Int) {
    found.removeSubrange(count...)
    noting?.begin()
  }

  func elements(of mark: Known, in loop: Ref) -> [Known]? {
    lists[loop] = mark
    unrolled.remove(loop)
    guard let all = mark.elements, program.isWithin(all.count, .loopElements) else { return nil }
    unrolled.insert(loop)
    return all
  }

  func take(
    _ step: Instruction, _ value: Value, _ operands: [Known], in run: LocalRun<KnownValues>
  ) -> Known {
    let node = run.body.ref(step)
    switch step.operation {
    case .none: return .none
    case .literal:
      return program.kind(node) == .string
        ? .text(program.text(ofString: node) { _ in "" }) : .literal(program.text(node))
    case .string: return string(node, operands)
    case .selfValue: return own
    case .type: return type(at: node, run)
    case .function: return function(at: node)
    case .tuple:
      return .tuple(operands, labels: program.children(node, .argument).map { program.label($0) })
    case .array: return .list(operands)
    case .dictionary: return pairs(node, operands, run.body)
    case .closure: return closure(step.index, operands)
    case .get: return isNeeded(value, in: run.body) ? get(step, node, operands.first) : .other
    case .implicitMember: return implicitMember(node)
    case .part:
      let text = program.nameText(node)
      let part = member(step.name, "\(step.index)", of: operands[0])
      return part == .other ? member(step.name, text, of: operands[0]) : part
    case .payload:
      guard case .element(_, let payload) = operands[0], payload.indices.contains(Int(step.index))
      else { return .other }
      return payload[Int(step.index)]
    case .isCase:
      guard case .element(let element, _) = operands[0] else { return .other }
      return Known(flag: program.name(element) == step.name)
    case .isNil:
      switch operands[0] {
      case .other, .unset, .pieces, .either: return .other
      case .none: return Known(flag: true)
      default: return Known(flag: false)
      }
    case .next: return namesFiles ? anyElement(of: operands[0]) : .other
    case .unwrap: return Known(oneOf: operands[0].choices.filter { $0 != .none })
    case .getElement:
      return element(of: operands[0], at: operands.count == 2 ? operands[1] : .other)
    case .binary:
      return binary(step.name == "+=" ? "+" : step.name, operands[0], operands[1])
    case .prefix: return prefix(step.name, operands[0])
    case .call: return bounded(noting(node) { call(step, value, node, run) })
    case .set:
      if operands[0].isMigrator { return operands[0] }
      if operands.count == 2, !step.isWriteBack {
        noteSetting(step.name, of: operands[0], operands[1], at: node)
      }
      let id = step.index >= 0 ? PropertyID(step.index) : program.property(usedBy: node)
      if case .made = operands[0] { return operands[0] }
      return operands.count == 2 ? put(operands[1], into: id, of: operands[0]) : .other
    case .receiverAfter, .argumentAfter: return changed[node] ?? .other
    default: return .other
    }
  }

  private func closure(_ body: BodyID, _ operands: [Known]) -> Known {
    let code = flow.bodies[body]
    let captures = zip(code.captures, operands.dropFirst()).map { declaration, mark -> Known in
      !namesFiles && flow.bodies.shared.contains(declaration) && program.isVariable(declaration)
        && !mark.isMigrator ? .other : mark
    }
    let closure = Known.closure(
      code.place, own: operands.first.map(bounded) ?? .other, captures: captures.map(bounded))
    note(closure, body)
    note(closure, at: code.place) { begin(closure) }
    return closure
  }

  private func string(_ node: Ref, _ parts: [Known]) -> Known {
    if namesFiles { return file(spelled: node, parts) }
    var texts = parts.map { part -> String? in
      switch part {
      case .text(let text), .literal(let text): text
      default: nil
      }
    }[...]
    guard !texts.contains(nil) else { return followsTexts ? holed(node, parts) : .other }
    return .text(program.text(ofString: node) { _ in (texts.popFirst() ?? nil) ?? "" })
  }

  /// A text with holes; nothing where a part may be one of several.
  private func holed(_ node: Ref, _ parts: [Known]) -> Known {
    var waiting = parts[...]
    var pieces: [TextPiece] = []
    let marked = program.text(ofString: node) { _ in "\u{0}" }
    for (index, piece) in marked.split(separator: "\u{0}", omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0, let part = waiting.popFirst() {
        if case .literal(let text) = part {
          pieces.append(.known(text))
        } else if let text = part.knownText {
          pieces += text.pieces
        } else {
          return .other
        }
      }
      pieces.append(.known(String(piece)))
    }
    return Known(KnownText(pieces))
  }

  /// An element of a known list; folders that the system lists are the first.
  private func element(of list: Known, at index: Known) -> Known {
    guard case .literal(let number) = index, let index = Int(number) else {
      return namesFiles ? anyElement(of: list) : .other
    }
    if let elements = list.elements {
      return elements.indices.contains(index) ? elements[index] : .other
    }
    return followsTexts && list.knownText != nil ? list : .other
  }

  private func binary(_ name: Name, _ left: Known, _ right: Known) -> Known {
    switch (name, left, right) {
    case ("+", .text(let left), .text(let right)): .text(left + right)
    case ("+", .list(let left), .list(let right)), ("+=", .list(let left), .list(let right)):
      .list(left + right)
    case ("+", _, _) where namesFiles: added(left, right)
    case ("+", _, _) where followsTexts:
      left.knownText.flatMap { left in right.knownText.map { Known(left.appending($0)) } } ?? .other
    case ("..<", _, _), ("...", _, _): range(name, left, right)
    case ("==", _, _) where left.isScalar && right.isScalar: Known(flag: left == right)
    case ("!=", _, _) where left.isScalar && right.isScalar: Known(flag: left != right)
    default: .other
    }
  }

  private func prefix(_ name: Name, _ operand: Known) -> Known {
    switch (name, operand) {
    case ("!", _): operand.flag.map { Known(flag: !$0) } ?? .other
    case ("-", .literal(let number)): .literal("-" + number)
    default: .other
    }
  }

  private func function(at node: Ref) -> Known {
    guard case .functions(let all)? = program.declared(node), let id = only(all) else {
      return .other
    }
    return .function(id, own: own)
  }

  private func get(_ step: Instruction, _ node: Ref, _ receiver: Known?) -> Known {
    let receiver = receiver ?? .other
    if let given = setting(named: step.name, of: receiver) { return given }
    if receiver != .other {
      let known = member(at: node, of: receiver)
      if known != .other { return known }
      let type = type(step.name, node, in: receiver)
      if type != .other { return type }
    }
    if let path = ownedFile(step, node, of: receiver) ?? pathMember(step, node, of: receiver)
      ?? storeMember(node, of: receiver)
    {
      return path
    }
    let used = step.index >= 0 ? PropertyID(step.index) : program.property(usedBy: node)
    if let used {
      var owner = receiver
      // A name without a type before it is one of the type around.
      if owner == .other, program.kind(node) == .name, case .type = own { owner = own }
      return holed(value(of: used, in: owner), at: program.properties[used])
    }
    guard program.kind(node) == .member, let chain = program.parent(node) else {
      if namesFiles { return file(namedBy: node) }
      return followsTexts ? .pieces([.name(program.nameText(node))]) : .other
    }
    switch program.type(ofChain: chain, upTo: node).unwrapped {
    case .declared(let type, _), .metatype(.declared(let type, _)):
      return member(step.name, of: type, receiver)
    default: return namesFiles ? file(namedBy: node) : .other
    }
  }

  private func implicitMember(_ node: Ref) -> Known {
    guard case .declared(let type, _) = program.type(of: node).unwrapped else {
      return pathMember(of: node) ?? storeMember(node, of: .other)
        ?? (namesFiles ? file(namedBy: node) : .other)
    }
    return member(program.name(node), program.nameText(node), of: .type(type))
  }
}
