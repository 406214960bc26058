import PersistFlow
import PersistIndex
import PersistSyntax

extension Program {
  /// What holds in the code; solved once for all threads.
  var facts: Facts { index.once { Facts(of: self) } }

  /// The bodies that use something off the queue of its owner, and that no other analysis judges.
  func offQueueCauses(_ isWanted: (OffQueueCause) -> Bool) -> [OffQueueCause] {
    var kept: [KeptOwner: Int] = [:]
    var handed: [HandedUse: Int] = [:]
    var found: [OffQueueCause] = []
    var places: Set<Ref> = []
    for cause in facts.offQueue where isWanted(cause) && !judgedBodies.contain(cause, in: self) {
      guard places.insert(cause.place).inserted else { continue }
      // Objects that one file hands to the same use are one cause.
      let use = HandedUse(file: cause.place.file, deepest: cause.deepest)
      let isShared = cause.owner.framework == .coreData
      if isShared, !cause.isDirect, let known = handed[use] {
        found[known].add(cause)
        continue
      }
      if isShared, !cause.isDirect { handed[use] = found.count }
      guard let place = cause.owner.site, cause.kind == .context else {
        found.append(cause)
        continue
      }
      // A context that is kept and used in each method of a file is one cause.
      let owner = KeptOwner(place: place, file: cause.place.file)
      if let known = kept[owner] {
        found[known].add(cause)
        if handed[use] == found.count { handed[use] = known }
      } else {
        kept[owner] = found.count
        found.append(cause)
      }
    }
    return found
  }

  /// The bodies in which `misplacedUses` and `crossings` have found something.
  private var judgedBodies: JudgedBodies { once { JudgedBodies($0) } }
}

/// A context or realm by the place that makes it, in one file that uses it.
private struct KeptOwner: Hashable {
  let place: Ref
  let file: Int32
}

/// A use of objects that one file hands over.
private struct HandedUse: Hashable {
  let file: Int32
  let deepest: Ref
}

private final class JudgedBodies {
  private var bodies: Set<Ref> = []
  private var lines: Set<Line> = []

  private struct Line: Hashable {
    let file: Int32
    let number: Int

    init(_ place: Ref, in program: Program) {
      file = place.file
      number =
        program.files[Int(place.file)].lineAndColumn(of: program.byteRange(place).lowerBound).line
    }
  }

  init(_ program: Program) {
    for use in program.misplacedUses {
      for place in [use.place, use.deepest, use.inner].compactMap({ $0 }) + use.others + use.path {
        if let body = program.enclosingBody(place) { bodies.insert(body) }
        lines.insert(Line(place, in: program))
      }
    }
    for crossing in program.crossings {
      let isJudged = program.captures(of: crossing).contains { capture in
        program.model(in: capture.type) != nil || capture.type.isContext
      }
      if isJudged { bodies.insert(crossing.body) }
      for call in program.ownCalls(in: crossing) { lines.insert(Line(call.place, in: program)) }
    }
  }

  /// Whether something is found where a cause is: in the same body, or in a closure on the line.
  func contain(_ cause: OffQueueCause, in program: Program) -> Bool {
    if bodies.contains(cause.body) { return true }
    return [cause.place, cause.deepest].contains { place in
      lines.contains(Line(place, in: program))
        || program.enclosingBody(place).map(bodies.contains) ?? false
    }
  }
}

extension SwiftType {
  fileprivate var isContext: Bool {
    guard case .external(let name, _) = unwrapped else { return false }
    return ["NSManagedObjectContext", "ModelContext"].contains(name)
  }
}

extension Findings {
  /// Reports a body that uses something off the queue of its owner.
  mutating func report(_ cause: OffQueueCause) {
    let value = program.isArgument(cause) ? nil : program.valueText(before: cause.place)
    var related: [Related] = []
    if let made = cause.owner.site { related.append(.init(made, cause.owner.madeHere)) }
    if cause.executor == .pool, program.kind(cause.body) == .functionDecl {
      related.append(
        .init(cause.body, "this function has no actor, so it runs off the main thread"))
    }
    if !cause.isDirect { related.append(.init(cause.deepest, "it is used here")) }
    related += cause.others.prefix(8).map { .init($0, "and here") }
    report(
      .offQueue(cause, value, program), at: cause.place,
      related: related)
  }
}

extension Owner {
  fileprivate var madeHere: String {
    framework == .realm ? "the realm is opened here" : "the context is made here"
  }
}

extension Program {
  /// Whether an object is used as the argument of its context's method: `context.delete(trip)`.
  fileprivate func isArgument(_ cause: OffQueueCause) -> Bool {
    guard cause.kind == .object, kind(cause.place) == .member, let chain = parent(cause.place)
    else {
      return false
    }
    return type(ofChain: chain, upTo: cause.place).isContext
  }

  /// The text before a member, where it is a short one: `trip` in `trip.title`.
  fileprivate func valueText(before node: Ref) -> String? {
    guard kind(node) == .member, let chain = parent(node), kind(chain) == .chain else { return nil }
    var parts: [String] = []
    for part in children(chain) {
      if part == node { break }
      switch kind(part) {
      case .name, .member: parts.append(nameText(part))
      case .optionalChain, .force: continue
      default: return nil
      }
    }
    return parts.isEmpty || parts.count > 3 ? nil : parts.joined(separator: ".")
  }
}

extension Finding.Message {
  fileprivate static func offQueue(_ cause: OffQueueCause, _ value: String?, _ program: Program)
    -> Self
  {
    let what: String
    if !cause.isDirect {
      let called = program.nameText(cause.place)
      let subject = cause.owner.subject(cause.kind)
      what =
        called.isEmpty
        ? "what is called here uses \(subject)" : "`\(called)` uses \(subject)"
    } else if let value {
      what = (cause.kind == .context ? cause.owner.noun + " " : "") + "`\(value)` is used"
    } else {
      what = cause.owner.subject(cause.kind) + " is used"
    }
    return
      "the app can crash or lose edits here, because \(what) \(cause.executor.whereabouts), away from \(cause.owner.home(cause.kind)); \(cause.owner.advice(cause.kind))"
  }
}

extension Owner {
  fileprivate var noun: String { framework == .realm ? "the realm" : "the context" }

  fileprivate func subject(_ kind: Use.Kind) -> String {
    if kind == .context {
      if case .given = home, framework != .realm { return "a context" }
      return home == .main
        ? (framework == .realm ? "the main thread's realm" : "the main queue's context")
        : (framework == .realm ? "a realm of another thread" : "a background context")
    }
    return switch framework {
    case .realm: "an object of a realm"
    case .coreData: "a managed object"
    case .swiftData: "a model"
    }
  }

  /// Where the owner's objects may be used.
  fileprivate func home(_ kind: Use.Kind) -> String {
    switch home {
    case .main: framework == .swiftData ? "the main actor" : "the main queue"
    case .own: kind == .context ? "its own queue" : "the queue of its context"
    case .actor: "its actor"
    default: framework == .realm ? "the thread of its realm" : "where its context was created"
    }
  }

  fileprivate func advice(_ kind: Use.Kind) -> String {
    switch (framework, kind) {
    case (.coreData, .context): "call `perform` on the context and do the work inside"
    case (.coreData, .object), (.coreData, .deletion):
      "read the values on its queue first, or pass the `objectID` and look the object up here"
    case (.swiftData, .context):
      "create a `ModelContext(container)` here, or do the work on the main actor"
    case (.swiftData, .object), (.swiftData, .deletion):
      "read the values first, or pass the `persistentModelID` and look the model up here"
    case (.realm, _): "open a realm here, or pass a frozen object or a `ThreadSafeReference`"
    }
  }
}

extension Executor {
  /// Where the code runs, as a message says it.
  fileprivate var whereabouts: String {
    switch self {
    case .main: "on the main thread"
    case .pool: "in code without an actor"
    case .actor: "on an actor"
    case .owner: "inside `perform` of another context"
    case .outside: "outside `perform`"
    case .queue, .background, .unknown: "on another queue"
    }
  }
}
