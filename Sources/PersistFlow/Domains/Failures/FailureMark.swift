import PersistIndex
import PersistSyntax

/// What a value says of the failure of one call.
indirect enum FailureMark: Hashable {
  /// Nothing.
  case other
  /// `nil`, whatever has failed.
  case none
  /// `true` or `false`, whatever has failed.
  case flag(Bool)
  /// It shows in a form that the call has failed, where it has.
  case shows(FailureForm, ExitTraits)
  /// A condition that is true, or false, where the call has failed.
  case decides(Bool, ExitTraits)
  case tuple([FailureMark], [Name])
  /// A closure out of which the failure comes.
  case code(BodyID)
  /// A list or dictionary without elements.
  case empty
  /// One that has elements where the call has failed, and only there.
  case filled(ExitTraits)

  /// Whether it says something of the failure by itself.
  var tells: Bool {
    switch self {
    case .shows, .decides, .filled: true
    case .tuple(let parts, _): parts.contains(where: \.tells)
    default: false
    }
  }

  /// The forms in which it shows the failure.
  var forms: [(FailureForm, ExitTraits)] {
    switch self {
    case .shows(let form, let traits): [(form, traits)]
    case .tuple(let parts, _):
      parts.enumerated().flatMap { index, part in
        part.forms.map { (.element(index, $0.0), $0.1) }
      }
    default: []
    }
  }

  /// What the value is behind code that runs where the call has failed and where it hasn't.
  func shown(_ state: FailureState) -> FailureMark {
    guard state.hasFailed else { return self }
    switch self {
    case .none: return .shows(.missing, state.traits)
    case .flag(let value): return .shows(.flag(value), state.traits)
    case .shows(let form, let traits):
      return .shows(
        form,
        ExitTraits(
          isReported: traits.isReported || state.isReported,
          isShared: traits.isShared || state.isShared))
    case .tuple(let parts, let labels): return .tuple(parts.map { $0.shown(state) }, labels)
    case .filled(let traits):
      return .filled(
        ExitTraits(
          isReported: traits.isReported || state.isReported,
          isShared: traits.isShared || state.isShared))
    case .decides: return .other
    default: return self
    }
  }

  /// What is left of it where the call hasn't failed.
  var afterSuccess: FailureMark {
    switch self {
    case .shows, .decides: .other
    case .filled: .empty
    case .tuple(let parts, let labels): .tuple(parts.map(\.afterSuccess), labels)
    default: self
    }
  }

  /// What a value is that comes from one of two places.
  func joined(_ other: FailureMark) -> FailureMark {
    if self == other { return self }
    switch (self, other) {
    case (.shows(let form, let one), .shows(let same, let two)) where form == same:
      return .shows(
        form,
        ExitTraits(
          isReported: one.isReported && two.isReported, isShared: one.isShared || two.isShared))
    case (.shows(let form, let traits), let value), (let value, .shows(let form, let traits)):
      return Self.shown(form, traits, beside: value)
    case (.tuple(let one, let labels), .tuple(let two, _)) where one.count == two.count:
      return .tuple(zip(one, two).map { $0.joined($1) }, labels)
    case (.tuple(let parts, let labels), let value), (let value, .tuple(let parts, let labels)):
      return .tuple(parts.map { $0.joined(value) }, labels)
    case (.filled(let one), .filled(let two)):
      return .filled(
        ExitTraits(
          isReported: one.isReported && two.isReported, isShared: one.isShared || two.isShared))
    case (.filled, .empty): return self
    case (.empty, .filled): return other
    case (.decides(let holds, let traits), .flag(let value)) where value == holds,
      (.flag(let value), .decides(let holds, let traits)) where value == holds:
      return .decides(holds, ExitTraits(isReported: traits.isReported, isShared: true))
    case (.code, _): return self
    case (_, .code): return other
    default: return .other
    }
  }

  private static func shown(
    _ form: FailureForm, _ traits: ExitTraits, beside value: FailureMark
  ) -> FailureMark {
    var traits = traits
    switch (form, value) {
    case (.missing, .none): traits.isShared = true
    case (.flag(let one), .flag(let two)) where one == two: return .other
    case (.flag, .other): traits.isShared = true
    default: break
    }
    return .shows(form, traits)
  }
}

/// What is known of the failure where a block begins.
struct FailureState: Hashable {
  var hasFailed = false
  /// Whether something else leads here too.
  var isShared = false
  /// Whether the failure was logged, kept or shown on each way here.
  var isReported = false
  /// Whether the error that is under way to a handler is that of the failure.
  var isThrown = false
  /// Whether the call has been made on some way here.
  var isPast = false
  /// Whether the call has failed on some way here, and wasn't made on the others.
  var isInVain = false

  var traits: ExitTraits { ExitTraits(isReported: isReported, isShared: isShared) }

  static func failed(_ traits: ExitTraits, isThrown: Bool = false) -> Self {
    Self(
      hasFailed: true, isShared: traits.isShared, isReported: traits.isReported,
      isThrown: isThrown)
  }
}

/// The properties that code has assigned.
struct FailureAssignments {
  /// On each way, on some way.
  private var always: Set<PropertyID> = []
  private var perhaps: Set<PropertyID> = []
  /// Those that were assigned where the call hasn't failed and not where it has.
  private(set) var unset: [PropertyID: ExitTraits] = [:]

  mutating func add(_ property: PropertyID) {
    always.insert(property)
    perhaps.insert(property)
    unset[property] = nil
  }

  func joined(_ other: Self) -> Self {
    var found = self
    found.always.formIntersection(other.always)
    found.perhaps.formUnion(other.perhaps)
    found.unset.merge(other.unset) { known, _ in known }
    return found
  }

  func joined(afterFailure failed: Self, _ traits: ExitTraits) -> Self {
    var found = joined(failed)
    for id in always.subtracting(failed.perhaps) { found.unset[id] = traits }
    return found
  }
}
