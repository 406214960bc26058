import PersistIndex
import PersistSyntax

/// Prints bodies: a line a step, a paragraph a block.
package struct BodyText {
  private let program: Program
  private let bodies: Bodies

  package init(_ bodies: Bodies, of program: Program) {
    self.bodies = bodies
    self.program = program
  }

  /// The bodies of one file, in source order.
  package func text(ofFile file: Int) -> String {
    bodies.bodies(inFile: file).sorted { $0.place < $1.place }
      .map { text(of: $0) }.joined(separator: "\n")
  }

  private func text(of body: Body) -> String {
    var lines = [title(of: body)]
    let reached = reachable(body)
    for (index, block) in body.blocks.enumerated() where reached.contains(Int32(index)) {
      lines.append("  b\(index):")
      for value in block.steps { lines.append("    " + text(of: value, body)) }
      lines.append("    " + text(of: block.terminator))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func title(of body: Body) -> String {
    let file = program.files[Int(body.place.file)]
    let offset = program.byteRange(body.place).lowerBound
    let symbol = program.symbol(body.place)
    let captured =
      body.captures.isEmpty
      ? ""
      : " capturing " + body.captures.map { program.nameText($0) }.joined(separator: ", ")
    return "\(body.kind) \(symbol.isEmpty ? "" : symbol + " ")"
      + "at line \(file.lineAndColumn(of: offset).line)\(captured)"
  }

  private func reachable(_ body: Body) -> Set<Int32> {
    var found: Set<Int32> = [0]
    var waiting: [Int32] = [0]
    while let next = waiting.popLast() {
      for target in body.blocks[Int(next)].terminator.targets
      where found.insert(target).inserted {
        waiting.append(target)
      }
    }
    return found
  }

  private func text(of terminator: Terminator) -> String {
    switch terminator {
    case .jump(let block): "go to b\(block)"
    case .branch(let value, let first, let second): "if %\(value) b\(first) else b\(second)"
    case .loop(let inner, let after): "each b\(inner) then b\(after)"
    case .mayThrow(let next, let handler): "go to b\(next) or throw to b\(handler)"
    case .return(let value): value < 0 ? "return" : "return %\(value)"
    case .throw(let value): value < 0 ? "throw" : "throw %\(value)"
    case .end: "end"
    }
  }

  private func text(of value: Value, _ body: Body) -> String {
    let step = body.steps[Int(value)]
    let operands = body.operands(of: step).map { "%\($0)" }
    let name = program.nameText(body.ref(step))
    switch step.operation {
    case .store where step.index <= -2:
      return "store \(operands[0]) in captured \(-2 - step.index)"
    case .store: return "store \(operands[0]) in \(local(step, body))"
    case .storeArgument: return "store \(operands[0]) in argument \(step.index)"
    case .load: return "%\(value) = load \(local(step, body))"
    case .get: return "%\(value) = get " + (operands + [name]).joined(separator: ".")
    case .set:
      let back = step.isWriteBack ? " back" : ""
      return "%\(value) = set\(back) "
        + (operands.dropLast() + [name]).joined(separator: ".") + " = \(operands.last ?? "")"
    case .call: return "%\(value) = " + text(of: body.calls[Int(step.index)], body)
    case .literal: return "%\(value) = literal \(program.text(body.ref(step)))"
    case .parameter, .capture, .closure, .part, .payload:
      let number = " \(step.index)"
      let label = step.operation == .payload ? " of .\(name)" : ""
      return "%\(value) = \(step.operation)\(number)\(label)"
        + (operands.isEmpty ? "" : " " + operands.joined(separator: ", "))
    case .binary, .prefix:
      let sign =
        step.operation == .prefix
        ? "\(program.prefixOperator(of: body.ref(step)) ?? "!")" : name.isEmpty ? "==" : name
      return "%\(value) = \(step.operation) \(sign) " + operands.joined(separator: ", ")
    case .type, .function, .implicitMember, .isCase:
      return "%\(value) = \(step.operation) \(name)"
        + (operands.isEmpty ? "" : " " + operands.joined(separator: ", "))
    default:
      return "%\(value) = \(step.operation)"
        + (operands.isEmpty ? "" : " " + operands.joined(separator: ", "))
    }
  }

  private func local(_ step: Instruction, _ body: Body) -> String {
    let local = body.locals[Int(step.index)]
    guard let declaration = local.declaration else { return "#\(step.index)" }
    let name = program.nameText(declaration)
    return name.isEmpty ? "#\(step.index)" : name
  }

  private func text(of site: CallSite, _ body: Body) -> String {
    let call = body.ref(site)
    let name = site.name == .none ? "" : program.calledNode(call).map { program.nameText($0) } ?? ""
    let marks = (site.isTried ? "try " : "") + (site.isAwaited ? "await " : "")
    let receiver = site.receiver < 0 ? "" : "%\(site.receiver)" + (name.isEmpty ? "" : ".")
    let arguments = program.arguments(call).enumerated().map { index, argument in
      let label = site.arguments[index].label == .none ? "" : labelText(argument) + ": "
      return label + "%\(site.arguments[index].value)"
    }
    return "\(marks)call \(receiver)\(name)(\(arguments.joined(separator: ", ")))"
  }

  private func labelText(_ argument: Ref) -> String {
    let token = program.node(argument).label
    return token == Node.noToken ? "" : program.outline(argument).text(ofToken: Int(token))
  }
}

extension Terminator {
  /// The blocks that control may go to.
  package var targets: [Int32] {
    switch self {
    case .jump(let block): [block]
    case .branch(_, let first, let second), .loop(let first, let second),
      .mayThrow(let first, let second):
      [first, second]
    case .return, .throw, .end: []
    }
  }
}
