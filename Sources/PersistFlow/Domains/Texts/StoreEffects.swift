import PersistIndex
import PersistSyntax

/// What code does with a framework's object that knows a store.
struct StoreEffect: Hashable {
  enum Kind: Hashable {
    /// A call makes such an object, or an instance of a type is one.
    case fresh(Ref)
    /// The object that a call makes gets a value.
    case set(Ref, Name, Known, at: Ref)
    /// A call opens what some values describe.
    case opening(Ref, [Known])
  }
  let kind: Kind
  /// Whether nobody knows which object it is.
  var isChoice = false
  /// Where it happened, in the innermost run first.
  var places: [EffectPlace] = []
  /// Whether the code ran without what its callers hand over.
  var isGuess = false

  /// Whether one run led to it and to another one.
  func sharesRun(with other: StoreEffect) -> Bool {
    places.contains { place in other.places.contains { $0.run == place.run } }
  }

  /// Whether no way leads past it to another one that comes later, or to the end.
  func isSure(before other: StoreEffect?) -> Bool {
    !isChoice
      && places.allSatisfy { place in
        guard let next = other?.places.first(where: { $0.run == place.run }) else {
          return !place.missed.contains(-1)
        }
        return next.block == place.block || !place.missed.contains(next.block)
      }
  }
}

/// What a framework's object has been given.
struct GivenSetting {
  var value: Known
  /// Whether it surely has been given one of these.
  var isSure: Bool
  var places: [Ref]

  /// Whether only some ways put a store into memory, or take its place away, so that the others leave
  /// it where it is.
  var isKept: Bool { !isSure && (value.isMemory == true || value == .none) }
}

// MARK: - What is made is given

extension KnownValues {
  /// Notes what a framework's object gets that knows a store.
  func noteSetting(_ name: Name, of owner: Known, _ value: Known, at place: Ref) {
    let choices = owner.choices.filter { $0 != .none }
    for object in choices.compactMap(storeObject) {
      note(.init(kind: .set(object, name, value, at: place), isChoice: choices.count > 1))
    }
  }

  /// What stands for an object that may know a store: the call that makes it, or its type in the
  /// sources.
  func storeObject(_ value: Known) -> Ref? {
    switch value {
    case .made(let call, _): call
    case .instance(let type, _): ownsStore(.declared(type, [])) ? program.types[type].ref : nil
    default: nil
    }
  }

  /// The object that a call of a framework makes.
  func made(by call: Ref, _ arguments: [Known]) -> Known {
    note(.init(kind: .fresh(call)))
    return .made(call, arguments)
  }

  /// Notes what an opening of a framework opens.
  func noteOpening(_ call: Ref, _ receiver: Known, _ arguments: [Known]) {
    guard followsTexts, !namesFiles, program.isOpening(call) else { return }
    let isMade = program.calledType(call).map { Words.openingTypes[$0] != nil } ?? false
    let opened = isMade ? [.made(call, arguments)] : opened(by: call, receiver) { arguments[$0] }
    note(.init(kind: .opening(call, opened)))
  }

  /// Runs a call, and notes the effects that it has where they are asked for.
  func noting(_ call: Ref, _ run: () -> Known) -> Known {
    guard call == question.site, !question.isGuess else { return run() }
    let before = question.effects.count
    let result = run()
    question.inSite.append(before..<question.effects.count)
    return result
  }

  func note(_ effect: StoreEffect) {
    if followsTexts, !namesFiles { repeatEffects([effect]) }
  }

  /// The effects noted after the first ones; of equal ones the last.
  func effects(since count: Int) -> [StoreEffect] {
    var seen: Set<StoreEffect> = []
    return question.effects[count...].reversed().filter { seen.insert($0).inserted }.reversed()
  }

  /// Notes effects of code that has run before.
  func repeatEffects(_ effects: [StoreEffect]) {
    for var effect in effects {
      guard program.isWithin(question.effects.count, .storeEffects) else { return bind() }
      effect.isGuess = question.isGuess
      question.effects.append(effect)
    }
  }

  /// Forgets what code has done that ran for another of its values before.
  func forgetRepeated(since count: Int) {
    guard question.effects.count > count else { return }
    let known = Set(question.effects[..<count].map(\.kind))
    let new = question.effects[count...].filter { !known.contains($0.kind) }
    question.effects.replaceSubrange(count..., with: new)
  }

  /// Evaluates the initial value of an instance's property; its effects count the first time only.
  func onlyOnce(_ id: PropertyID, of owner: Known, _ value: () -> Known) -> Known {
    let before = question.effects.count
    let isGuess = question.isGuess
    question.isGuess = false
    let found = value()
    question.isGuess = isGuess
    guard question.effects.count > before else { return found }
    bind()
    let isFirst = question.begun.insert(.init(property: id, owner: owner)).inserted
    if !isFirst { question.effects.removeSubrange(before...) }
    return found
  }

  /// What a framework's object has been given, up to what has been done so far; nil where it got
  /// nothing.
  func given(_ name: Name, to object: Ref) -> GivenSetting? {
    bind()
    let end = question.end ?? question.effects.count
    let last = end < question.effects.count ? question.effects[end] : nil
    var all = GivenSetting(value: .unset, isSure: true, places: [])
    // Since the object was made: what it got, the newest first, and whether one of these is sure.
    var latest: [(value: Known, place: Ref)] = []
    var isSure = false
    // All that it got since, and all that the objects got which were made later.
    var whole: Set<StoreEffect.Kind> = []
    var later: Set<StoreEffect.Kind> = []
    // Whether the run that ends here has made such an object.
    var isOwn = false
    func close(_ isMade: Bool, isOther: Bool = false) {
      if !isOther {
        if isMade || !latest.isEmpty { all.isSure = all.isSure && isSure }
        // Code that ran once more has given its object the same, and more since.
        if whole.isEmpty || !whole.isSubset(of: later) {
          all.value = Known(oneOf: [all.value] + latest.map(\.value))
          all.places += latest.map(\.place)
        }
      }
      later.formUnion(whole)
      (latest, isSure, whole) = ([], false, [])
    }
    for effect in question.effects[..<end].reversed() {
      switch effect.kind {
      case .fresh(object):
        let isOfRun = last.map(effect.sharesRun) ?? false
        close(true, isOther: isOwn && !isOfRun)
        isOwn = isOwn || isOfRun
        // Where nothing tells which of several objects is meant, what each was given counts.
        if question.site != nil { return all.value == .unset ? nil : all }
      case .set(object, name, let value, let place):
        whole.insert(effect.kind)
        guard !isSure else { continue }
        latest.append((value, place))
        isSure = effect.isSure(before: last)
      default: continue
      }
    }
    close(false)
    return all.value == .unset ? nil : all
  }

  /// What an opening opens that code has come to: by what had been done until then.
  func stores(openedBy effect: Int) -> [OpenedStore] {
    guard case .opening(_, let values) = question.effects[effect].kind else { return [] }
    question.end = effect
    defer { question.end = nil }
    return values.flatMap { stores(describedBy: $0) }
  }
}
