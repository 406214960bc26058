import PersistIndex
import PersistSyntax

/// How a failure shows in the value of an expression.
enum FailureForm: Hashable, Sendable {
  /// The expression throws.
  case thrown
  /// It is nil.
  case missing
  /// It is a `Result` or holds one.
  case result
  /// It is an optional error, and that is not nil.
  case error
  /// It is an enum's case that says so, such as `.broken(error)`.
  case enumCase(Name)
  /// It is a flag that has this value.
  case flag(Bool)
  /// It is a tuple, one element of which shows the failure.
  indirect case element(Int, FailureForm)
}

/// The code that runs when an opening has failed.
package struct FailurePath: Sendable {
  /// The index of the opening in `FailureSpread.openings`.
  package let opening: Int
  /// The statements or expressions, each with all that it holds.
  package let nodes: [Ref]
  /// The statement or clause that takes the failure, such as the `catch`.
  package let head: Ref
  /// The `catch` that takes the failure, also where the path is what stands behind it.
  package var clause: Ref?
  /// What the path takes the failure as.
  package let kind: Kind

  /// By what a path is reached.
  package enum Kind: Sendable, Equatable {
    case handler, branch, rest
  }

  /// Whether a node stands on the path.
  package func contains(_ ref: Ref, in program: Program) -> Bool {
    nodes.contains { program.contains($0, ref) }
  }

  /// The offset of the first node, by which the innermost of several paths is found.
  var start: Ref { nodes.first ?? head }
}

extension Program {
  /// Whether a path is the first clause to which the error can come that the function around a call
  /// throws by itself.
  package func surelyCatches(_ path: FailurePath, errorOfFunctionAround call: Ref) -> Bool {
    guard path.kind == .handler, let statement = parent(path.head),
      children(statement, .catchClause).first == path.head
    else { return false }
    let items = children(path.head, .caseItem)
    guard let item = items.first else { return true }
    let bound = Set(descendants(item, .boundName).map { name($0) })
    let names = outline(item).tokenNames(of: Int(item.node)).filter { !bound.contains($0) }
    guard items.count == 1, let last = names.last else { return items.count == 1 }
    return enclosingFunctionBody(call).map { self.names(last, in: $0) } ?? false
  }

  /// Where the error of an opening is dropped that leads to a path: at the `try?` before it, or where
  /// the path begins.
  package func dropping(_ path: FailurePath, of opening: StoreOpening) -> Ref {
    guard path.kind != .handler,
      let body = enclosingBody(path.head), body == enclosingBody(opening.site)
    else { return path.head }
    let mark = ancestors(opening.site).lazy.prefix { $0 != body }.compactMap { outer in
      self.children(outer, .tryMark).first {
        $0 < opening.site && self.node($0).flags.contains(.isOptional)
      }
    }.first
    return mark.flatMap { contains(path.head, $0) ? nil : $0 } ?? path.head
  }
}

/// A `try!` or `!` right on an opening.
package struct ForcedOpening: Sendable {
  package let opening: Int
  package let mark: Ref
}

/// What is known of a failure that leaves a body.
struct ExitTraits: Hashable, Sendable {
  /// Each way there has logged, kept or shown the failure before.
  var isReported: Bool
  /// The value is nil for other reasons as well.
  var isShared: Bool

  init(isReported: Bool = false, isShared: Bool = false) {
    self.isReported = isReported
    self.isShared = isShared
  }
}

/// From where a failure is followed.
enum FailureStart: Hashable, Sendable {
  /// What a node stands for fails in a form.
  case node(FailureForm)
  /// `if let name`, where the name shows the failure.
  case binding(FailureForm)
  /// An argument of a closure shows the failure.
  case argument(Int, of: Ref, FailureForm)
  /// A parameter shows the failure.
  case local(FailureForm)
  /// A closure runs only where the call has failed, and gets the error as one of its arguments.
  case recovery(Int?, of: Ref)

  /// The closure that it is followed in, if it is one.
  var closure: Ref? {
    switch self {
    case .argument(_, let closure, _), .recovery(_, let closure): closure
    default: nil
    }
  }
}

/// What a failure comes to in the declaration that it begins in.
struct FailureOutcome {
  var paths: [FailurePath] = []
  /// What runs where the call has failed or wasn't made.
  var fallbacks: [FailurePath] = []
  var forced: [ForcedOpening] = []
  var ignored: [ForcedOpening] = []
  var exits: [FailureExit: ExitTraits] = [:]
  /// Each `try?` by which the failure became nil; an exit or a path follows for each.
  var drops: [Ref] = []
  /// Whether nothing was found that looks at the failure.
  var isUnheard = false
  /// Whether something gets what shows the failure that may do anything about it.
  var isHanded = false
}

/// A way by which the failure leaves the body that holds the opening.
enum FailureExit: Hashable, Sendable {
  /// A function of the sources throws, or gives nil or a failure.
  case function(FunctionID, FailureForm)
  /// A property of the sources is nil or throws.
  case property(PropertyID, FailureForm)
  /// A property says so once the code that opens has run, and may for other reasons before.
  case kept(PropertyID, FailureForm)
  /// A parameter of a function of the sources is given what shows the failure.
  case parameter(FunctionID, Ref, FailureForm)
  /// A function calls the closure that it takes as a parameter, with an error.
  case completion(FunctionID, Ref)
  /// A function calls the closure that it takes as a parameter, and only where the call has failed.
  case recovery(FunctionID, Ref)
  /// A stored closure throws or gives nil.
  case closure(Declared, FailureForm)
  /// A context's coordinator, set from a property that is nil, is nil.
  case coordinator
}

extension FailureExit {
  /// The form in which the failure comes out; a completion or coordinator has its own.
  var form: FailureForm {
    switch self {
    case .function(_, let form), .property(_, let form), .closure(_, let form),
      .kept(_, let form), .parameter(_, _, let form):
      form
    case .completion, .recovery: .error
    case .coordinator: .error
    }
  }
}
