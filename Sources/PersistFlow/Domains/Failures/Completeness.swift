import PersistIndex

/// What a value is, as far as the failure of a call may have made a list empty.
indirect enum Completeness: Hashable {
  /// `nil`, an empty list, or zero.
  case nothing
  /// The same, because the call has failed.
  case failed(Ref)
  /// A list that is empty, or `nil`, where the call has failed; or how many elements it has.
  case list(Ref)
  /// The same where it is not `nil`.
  case present(Ref)
  /// A list of what several calls have given: it lacks what one of them could not give, and need
  /// not be empty then.
  case part(Ref)
  /// What a list was searched for; `nil` where it lacks that; and whether that was an element of
  /// another list, or something of it.
  case found(Ref, ofElement: Bool)
  /// The first or last element of a list; `nil` where that is empty.
  case end(Ref)
  /// The same of a list that is not `nil`, which becomes so where the list is.
  case presentEnd(Ref)
  /// The same of a list that is surely whole.
  case maybe
  /// A condition that holds for what a list lacks, or that doesn't; and whether that is an element.
  case lacks(Ref, Bool, ofElement: Bool)
  /// A condition that holds where a list is `nil`, or where it isn't.
  case missing(Ref, Bool)
  /// A condition that holds where a list is empty, or where it isn't.
  case empty(Ref, Bool)
  /// The same of a list that is not `nil`.
  case presentEmpty(Ref)
  /// What a condition is where the call has failed; else it may be anything.
  case answer(Ref, Bool)
  case truth(Bool)
  /// Things that a list lacks, or what picks them; and one of them.
  case leftovers(Ref)
  case leftover(Ref)
  /// The same, or an element where the list lacks it, that a call hands over.
  case handed(Ref, at: Ref)
  /// An element of the list of a call that may fail.
  case held(Ref)
  /// An element of some list, or something that it has.
  case element
  case tuple([Completeness], [Name])
  case other

  /// Whether a list that may have failed decides something about it.
  var matters: Bool {
    switch self {
    case .list, .part, .leftovers, .leftover, .handed, .held, .element: true
    case .tuple(let parts, _): parts.contains(where: \.matters)
    default: false
    }
  }

  /// The call whose failure takes something out of a list or of what comes from it.
  var source: Ref? {
    switch self {
    case .list(let call), .present(let call), .part(let call), .held(let call): call
    case .tuple(let parts, _): parts.lazy.compactMap(\.source).first
    default: nil
    }
  }

  var isElement: Bool {
    if case .held = self { true } else { self == .element }
  }

  /// Whether it is a list of which a failure takes something.
  var isList: Bool { source != nil && !isElement }

  /// The same where a call hands it over.
  func handed(at call: Ref) -> Completeness {
    if case .leftover(let failing) = self { .handed(failing, at: call) } else { self }
  }

  /// What a value is that comes from one of two places.
  func joined(_ other: Completeness) -> Completeness {
    if self == other { return self }
    switch (self, other) {
    case (.missing, _): return Completeness.other.joined(other)
    case (_, .missing): return joined(.other)
    // What is empty on the way of success as well isn't empty because of the failure.
    case (.nothing, .failed), (.failed, .nothing): return .nothing
    case (.nothing, .present(let call)), (.present(let call), .nothing): return .list(call)
    case (.nothing, .presentEnd(let call)), (.presentEnd(let call), .nothing),
      (.failed, .presentEnd(let call)), (.presentEnd(let call), .failed):
      return .end(call)
    case (.presentEnd, .maybe), (.maybe, .presentEnd): return .maybe
    case (.nothing, _): return other
    case (_, .nothing): return self
    case (.failed(let call), .other), (.other, .failed(let call)): return .list(call)
    case (.failed(let call), .maybe), (.maybe, .failed(let call)), (.end(let call), .maybe),
      (.maybe, .end(let call)), (.end(let call), .failed), (.failed, .end(let call)):
      return .end(call)
    case (.failed, .failed): return other
    case (.failed(let call), .list), (.failed(let call), .present), (.list, .failed(let call)),
      (.present, .failed(let call)):
      return .list(call)
    case (.part(let call), .list), (.list(let call), .part), (.part(let call), .failed),
      (.failed(let call), .part), (.part(let call), .part):
      return .part(call)
    // One of two lists: each is empty where its own call has failed.
    case (.list(let call), .list(let more)): return .list(min(call, more))
    // On one of two ways everything is left.
    case (.leftovers, .list), (.leftovers, .other), (.leftovers, .part): return self
    case (.list, .leftovers), (.other, .leftovers), (.part, .leftovers): return other
    case (.held, .held), (.held, .element), (.element, .held): return .element
    case (.lacks(let call, let holds, _), .lacks(let same, let value, _))
    where call == same && holds == value:
      return .lacks(call, holds, ofElement: true)
    // `a && b` and `a || b` hold where one of them does.
    case (.lacks, .other), (.lacks, .truth): return self
    case (.other, .lacks), (.truth, .lacks): return other
    case (.empty, .other), (.empty, .truth): return self
    case (.other, .empty), (.truth, .empty): return other
    case (.presentEmpty(let call), .truth(true)), (.truth(true), .presentEmpty(let call)):
      return .empty(call, true)
    case (.answer, .truth), (.answer, .other), (.answer, .empty): return self
    case (.truth, .answer), (.other, .answer), (.empty, .answer): return other
    case (.present(let call), .truth(let holds)), (.truth(let holds), .present(let call)):
      return .answer(call, holds)
    case (.tuple(let one, let labels), .tuple(let two, _)) where one.count == two.count:
      return .tuple(zip(one, two).map { $0.joined($1) }, labels)
    default: return .other
    }
  }
}
