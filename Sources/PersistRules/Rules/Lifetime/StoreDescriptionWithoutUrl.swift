import PersistIndex
import PersistSyntax

/// A store description without a URL: the app's own store is not opened.
struct StoreDescriptionWithoutUrl: Rule {
  static let id: RuleID = "store-description-without-url"

  func check(_ program: Program, into findings: inout Findings) {
    for call in program.calls(named: "NSPersistentStoreDescription") {
      guard program.arguments(call).isEmpty,
        case .externalInitializer = program.callTarget(call), isLoaded(call, program)
      else { continue }
      findings.report(.opensNowhere, at: program.chain(of: call))
    }
  }

  /// Whether a description gets into those that a container loads, without a URL or type of its
  /// own.
  private func isLoaded(_ call: Ref, _ program: Program) -> Bool {
    let chain = program.chain(of: call)
    guard program.children(chain).last == call, let expression = program.parent(chain),
      program.bareParts(expression) == [chain] || isAssigned(expression, chain, program)
    else { return false }
    if isDescriptions(expression, program) { return true }
    guard let binding = program.parent(expression), program.kind(binding) == .binding,
      program.property(declaredAt: binding) == nil,
      let local = program.child(binding, .boundName)
    else { return false }
    let uses = program.uses(ofLocal: local)
    guard !uses.contains(where: { placesIt($0, program) }) else { return false }
    return uses.contains { use in
      guard let chain = program.parent(use), program.children(chain).count == 1,
        let expression = program.parent(chain)
      else { return false }
      return isDescriptions(expression, program)
    }
  }

  private func isAssigned(_ expression: Ref, _ chain: Ref, _ program: Program) -> Bool {
    program.assignment(expression)?.value == chain
  }

  /// Whether a use of the description sets its place or type, or hands it to who may.
  private func placesIt(_ use: Ref, _ program: Program) -> Bool {
    guard let chain = program.parent(use) else { return false }
    let parts = program.children(chain)
    if parts.count > 1 {
      return program.kind(parts[1]) == .member
        && ["url", "type"].contains(program.nameText(parts[1]))
    }
    guard let expression = program.parent(chain), let holder = program.parent(expression),
      program.kind(holder) == .argument, let call = program.parent(holder)
    else { return false }
    return program.kind(call) == .call && program.calledName(call) != "append"
      && program.calledName(call) != "addPersistentStore"
  }

  /// Whether an expression is an element of what is assigned or appended to
  /// `persistentStoreDescriptions`, or what `addPersistentStore(with:)` adds.
  private func isDescriptions(_ expression: Ref, _ program: Program) -> Bool {
    var node = expression
    while let parent = program.parent(node) {
      switch program.kind(parent) {
      case .argument, .array, .chain: node = parent
      case .call:
        let name = program.calledName(parent)
        if name == "addPersistentStore" { return true }
        return name == "append"
          && program.callee(parent).contains {
            program.nameText($0) == "persistentStoreDescriptions"
          }
      case .expression:
        return program.assignment(of: node).flatMap { program.lastPart(ofTarget: $0) }
          .map { program.name($0) == "persistentStoreDescriptions" } ?? false
      default: return false
      }
    }
    return false
  }
}

extension Finding.Message {
  fileprivate static let opensNowhere: Self =
    """
    all data seems gone, and new entries are lost at the next launch, because a description \
    without a URL doesn't open the container's file; use the container's \
    `persistentStoreDescriptions.first`, or set the description's `url`
    """
}
