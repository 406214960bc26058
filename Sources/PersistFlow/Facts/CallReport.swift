import PersistIndex
import PersistSyntax

/// Compares the calls of the sources with what the analysis has made of them.
package struct CallReport {
  private let program: Program
  /// Calls that stand in the bodies of files, and how many of them stand there once.
  package private(set) var calls = 0
  /// The calls that no body holds, or several bodies, in source order.
  package private(set) var notOnce: [(call: Ref, bodies: Int)] = []
  /// Calls whose callee the solver has found, where names have one as well.
  package private(set) var compared = 0
  /// The calls where the solver found a function that names don't lead to, in source order.
  package private(set) var others: [(call: Ref, found: Ref)] = []

  /// Lowers and solves a program.
  package init(of program: Program) {
    self.program = program
    let bodies = Bodies(of: program)
    countCalls(in: bodies)
    compareCallees(Solver(program, bodies))
  }

  private mutating func countCalls(in bodies: Bodies) {
    for file in program.files.indices {
      var holders: [Int32: Set<Ref>] = [:]
      for body in bodies.bodies(inFile: file) {
        for site in body.calls { holders[site.node, default: []].insert(body.place) }
      }
      for call in program.descendants(Ref(file: file, node: 0), .call) where runs(call) {
        calls += 1
        let count = holders[call.node]?.count ?? 0
        if count != 1 { notOnce.append((call, count)) }
      }
    }
  }

  /// Whether a call runs when its body does: no part of a pattern or an attribute, no argument of a
  /// macro, no empty collection such as `[Int]()`, and no code that isn't built.
  private func runs(_ call: Ref) -> Bool {
    guard program.isBuilt(call), !program.isExempt(call) else { return false }
    if let first = program.parent(call).flatMap({ program.firstChild($0) }),
      [.array, .dictionary, .macro].contains(program.kind(first))
    {
      return false
    }
    var inner = call
    for outer in program.ancestors(call) {
      switch program.kind(outer) {
      case .attribute: return false
      case .chain where program.firstChild(outer).map(program.kind) == .macro: return false
      case .caseItem, .caseCondition: if program.firstChild(outer) == inner { return false }
      default: break
      }
      inner = outer
    }
    return true
  }

  private mutating func compareCallees(_ solver: Solver) {
    solver.solve()
    var seen: Set<Instance.Call> = []
    for id in solver.reached().map(\.id) {
      for call in solver.instance(id).calls where seen.insert(call).inserted {
        guard program.kind(call.node) == .call else { continue }
        let body = solver.bodies[solver.instance(call.target).key.body]
        guard let found = body.function, let named = functions(namedBy: call.node) else { continue }
        compared += 1
        if !named.contains(where: { mayBe($0, found) }) { others.append((call.node, body.place)) }
      }
    }
    others.sort { ($0.call, $0.found) < ($1.call, $1.found) }
  }

  /// The functions that the name of a call leads to; nil where it leads to none of the sources.
  private func functions(namedBy call: Ref) -> [FunctionID]? {
    switch program.callTarget(call) {
    case .functions(let ids), .initializer(_, let ids): ids.isEmpty ? nil : ids
    default: nil
    }
  }

  /// Whether a call of one function may run another: a witness, or what overrides it.
  private func mayBe(_ named: FunctionID, _ found: FunctionID) -> Bool {
    named == found || program.functions[named].name == program.functions[found].name
      || program.functions[named].kind == .initDecl && program.functions[found].kind == .initDecl
  }

  /// The report: figures, then a line for each call that differs.
  package var text: String {
    var lines = ["\(calls) calls, \(notOnce.count) not lowered once"]
    lines += notOnce.map { "\(program.place($0.call)): in \($0.bodies) bodies" }
    lines.append("\(compared) callees compared, \(others.count) differ")
    lines += others.map { "\(program.place($0.call)): runs \(program.place($0.found))" }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Program {
  /// The path, line and column of a node.
  func place(_ ref: Ref) -> String {
    let file = files[Int(ref.file)]
    let (line, column) = file.lineAndColumn(of: byteRange(ref).lowerBound)
    return "\(file.path):\(line):\(column)"
  }
}
