import PersistIndex
import PersistSyntax

/// The number of an origin in the table of a solver.
package typealias OriginID = Int32
/// The number of a set of origins in the table of a solver.
package typealias OriginsID = Int32

/// What one value may be, as far as the code says where it comes from.
package enum Origin: Hashable, Sendable {
  /// `nil`.
  case null
  /// Plain data, of which nothing is to be known.
  case plain
  /// A literal by its text, such as `true`.
  case literal(Name)
  /// A case of an enum with its payload; also a static member of a framework's type.
  case enumCase(Name, [OriginsID])
  /// A type of the sources as a value.
  case type(TypeID)
  /// A framework's type as a value.
  case externalType(Name)
  /// What one place makes: an instance of a class or actor of the sources.
  case object(TypeID, Ref)
  /// An instance of a class or actor, made somewhere.
  case instance(TypeID)
  /// A struct of the sources with the values of its stored properties.
  case structure(TypeID, [Field])
  case tuple([OriginsID], [Name])
  /// An array or set with what may be in it.
  case collection(OriginsID)
  /// A dictionary with what its values may be.
  case dictionary(OriginsID)
  /// A closure with what it has captured, `self` first.
  case closure(BodyID, [OriginsID])
  /// A function of the sources that is not called, with the instance that it belongs to.
  case function(FunctionID, OriginsID)
  /// A framework's object of which only the type is known.
  case external(Name)
  /// A framework's object that one place makes and that holds other values, such as a subject or a
  /// results controller.
  case holder(Name, Ref, OriginsID)
  /// What keeps objects on its queue or thread: a context, or a realm.
  case owner(Owner)
  /// An object that belongs to an owner.
  case managed(Owner)
  /// A dispatch or operation queue.
  case queue(Queue)
  /// A key path, which can stand for a function of what it begins with.
  case keyPath(Ref)
  /// A framework's method that is not called, with its receiver.
  case method(Name, OriginsID)
  /// One object of a store, told apart from others.
  case token(Token)
  /// The identifier of an object of a store.
  case identifier(OriginsID)
  /// An object of a store that was deleted on the way.
  case gone(End)

  /// A stored property of a struct with what it holds.
  package struct Field: Hashable, Sendable {
    package let property: PropertyID
    package let value: OriginsID
  }
}

/// A context of Core Data or SwiftData, or a realm, by the place that makes it.
package struct Owner: Hashable, Sendable {
  /// The framework that the owner comes from.
  package enum Framework: UInt8, Hashable, Sendable { case coreData, swiftData, realm }
  /// Where the owner's objects may be used.
  package enum Home: Hashable, Sendable {
    case main
    /// A queue of its own, which `perform` leads to.
    case own
    /// The queue or actor on which it was made.
    case queue(Ref)
    case actor(TypeID)
    /// Some thread beside main on which it was made.
    case background
    /// Where a function runs that gets the object, which nobody knows; the place is the parameter.
    case given(Ref)
    /// A thread of the pool, which code leaves when it waits.
    case turn
    /// A thread that code has left: nothing may be used any more.
    case left
    /// Wherever it was asked for first, as nobody knows.
    case shared
    /// On any thread, because nothing of it changes: a frozen copy of a realm.
    case frozen
    case unknown
  }
  package let framework: Framework
  package var home: Home
  /// Where it is made, or the property of a framework's object that it is.
  package let site: Ref?
  /// The call that got it from a function which makes another one each time.
  package var call: Ref?
  /// Whether only the place is known where an object was handed over, and not its context.
  package var isGiven = false
}

extension Owner {
  /// The frozen copy of a realm that a property wrapper or call makes.
  init(frozenAt site: Ref) {
    self.init(framework: .realm, home: .frozen, site: site)
  }

  /// A realm of which only the type is known.
  static let someRealm = Owner(framework: .realm, home: .unknown, site: nil, isGiven: true)

  /// The context as the function knows it that makes it, whoever calls that.
  package var whicheverCall: Owner {
    var owner = self
    owner.call = nil
    return owner
  }

  /// Whether it is the context of Core Data that runs an actor.
  var isExecutors: Bool {
    if case .actor = home { framework == .coreData } else { false }
  }

  /// A context of that kind, made somewhere.
  var somewhere: Owner { Owner(framework: framework, home: home, site: nil) }
}

/// A queue by the place that makes it.
package enum Queue: Hashable, Sendable {
  case main
  /// A concurrent queue of the system.
  case global
  case made(Ref)
  /// A queue by the place that makes it, which runs several closures at once.
  case concurrent(Ref)
  /// An operation queue by the place that makes it; it may run its work on a dispatch queue that it
  /// was given.
  case operations(Ref)
}

/// Where code runs.
package enum Executor: Hashable, Sendable {
  case unknown
  case main
  /// A thread of the pool on which tasks without an actor run.
  case pool
  /// Another thread than main, on a queue of the system or in a framework's callback.
  case background
  case queue(Ref)
  /// Inside `perform` of a context.
  case owner(Owner)
  /// Wherever it is called, which is surely not inside `perform` of the context that is used.
  case outside
  case actor(TypeID)
}

extension Origin {
  /// What tables ask for: the numbers of what is frequent, in place of a hasher.
  package func _rawHashValue(seed: Int) -> Int {
    var mixer = Mixer(seed)
    switch self {
    case .instance(let type): mixer.add(type)
    case .type(let type): mixer.add(~type)
    case .literal(let name): mixer.add(name.hash)
    case .external(let name): mixer.add(~name.hash)
    case .object(_, let place): mixer.add(place)
    case .structure(let type, let fields):
      mixer.add(type)
      for field in fields { mixer.add(field.value) }
    case .collection(let part): mixer.add(part)
    case .tuple(let parts, _): mixer.add(parts)
    case .enumCase(let name, let parts):
      mixer.add(name.hash)
      mixer.add(parts)
    case .closure(let body, let captures):
      mixer.add(body)
      mixer.add(captures)
    case .function(let function, _): mixer.add(function)
    case .holder(_, let place, let part):
      mixer.add(place)
      mixer.add(part)
    default:
      var hasher = Hasher()
      hash(into: &hasher)
      mixer.add(hasher.finalize())
    }
    return mixer.value
  }

  /// Whether it is an object that belongs to a context or realm.
  var isManaged: Bool { if case .managed = self { true } else { false } }
}

extension Executor {
  /// Whether code runs inside `perform` of some context.
  package var isInPerform: Bool { if case .owner = self { true } else { false } }
}

/// A set of origins, and whether the value may be something else as well.
package struct Origins: Hashable, Sendable {
  /// In ascending order.
  package var known: [OriginID] = []
  package var isOpen = false
  /// Whether there were too many to name, so that nothing else can be added.
  package var isFull = false

  /// Whether the value is surely from one place.
  var isOne: Bool { known.count == 1 && !isOpen }

  static let nothing = Origins()
  static let unknown = Origins(known: [], isOpen: true)

  /// What tables ask for.
  package func _rawHashValue(seed: Int) -> Int {
    var mixer = Mixer(seed)
    mixer.add(known)
    if isOpen { mixer.add(1) }
    return mixer.value
  }
}

extension Origin {
  /// An instance of the same type, made somewhere.
  var anywhere: Origin {
    switch self {
    case .object(let type, _), .structure(let type, _): .instance(type)
    default: self
    }
  }

  /// Whether this is an object of a store.
  var isStored: Bool {
    if case .managed = self { return true }
    return isObject
  }

  /// The type of the sources whose members this has.
  var declaredType: TypeID? {
    switch self {
    case .object(let type, _), .instance(let type), .structure(let type, _), .type(let type): type
    default: nil
    }
  }
}
