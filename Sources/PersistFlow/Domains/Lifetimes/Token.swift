import PersistIndex
import PersistSyntax

/// One object of a store, as the code of one body tells it from others.
package struct Token: Hashable, Sendable {
  /// What the object is told apart by.
  package enum Site: Hashable, Sendable {
    /// A call or variable that gives another object each time.
    case made(Ref)
    /// A stored property of something; -1 for a variable outside of types.
    case held(PropertyID, by: OriginID)
    /// A parameter of code that nobody was seen to call, by its number.
    case parameter(Ref, Int)
    /// A relationship of another object.
    case related(PropertyID, of: OriginID)
    /// One of several objects, taken at a place.
    case element(Ref, of: OriginID)
    /// What a caller hands over, by its number in the call.
    case given(Int)
  }
  package let site: Site
  package let framework: Owner.Framework
  /// The model, where the types tell it.
  package let model: TypeID?
  /// Whether it stands for all objects of a collection.
  package var isMany = false
  /// Whether these are all that there are of the class.
  package var isWholeClass = false
  /// Whether an initializer has made it, so that no other code knows it yet.
  package var isNew = false
  /// Whether the place has given another object since.
  package var isOld = false
  /// The contexts that fetched it.
  package var contexts = OriginTable.nothing
}

/// How an object was deleted.
package struct End: Hashable, Sendable {
  /// The object that it was.
  package let object: OriginID
  package let framework: Owner.Framework
  /// The call that deletes it; nil where that was before the body began.
  package let deletion: Ref?
  /// The contexts that delete it.
  package let contexts: OriginsID
  /// The call that saved the deletion; the object can be read until then.
  package var save: Ref?
  package var isSaved: Bool
  package var kind = Kind.deleted
  /// The calls in called code that end the object on some ways only.
  package var ways: Set<Ref> = []

  /// What has become of the object.
  package enum Kind: UInt8, Sendable {
    case deleted
    /// It stands for some of several objects, nobody knows which.
    case some
    /// Its context has forgotten it; it is still in the store.
    case reset
    /// Other code may have deleted it while the code waited.
    case perhaps
    /// The same, of code that something keeps and runs at some time.
    case kept

    /// Whether the object may still be there.
    package var isPossible: Bool { self == .perhaps || self == .kept }
  }
}

extension Token {
  /// Whether it stands for a list of Realm that is empty once its objects are deleted.
  var isLive: Bool { isWholeClass && framework == .realm }

  /// Whether a caller hands the object over.
  var comesIn: Bool {
    switch site {
    case .given, .parameter: true
    case .made, .element, .held, .related: false
    }
  }
}

extension Origin {
  /// Whether this is an object that is told apart from others, deleted or not.
  var isObject: Bool {
    switch self {
    case .token, .gone: true
    default: false
    }
  }
}

/// What is known of objects at one point of a body.
struct ObjectState: Equatable {
  /// What objects have become.
  var objects: [OriginID: OriginsID] = [:]
  /// What stored properties hold since the body began.
  var fields: [FieldKey: OriginsID] = [:]
  /// Stored properties that other code may have assigned since.
  var changed: Set<PropertyID> = []
  /// The models of which all objects were deleted, with how.
  var wiped: [TypeID: End] = [:]
  /// The contexts that have forgotten all objects, with how.
  var reset: [OriginsID: End] = [:]
  /// The contexts that were surely saved; nil for none.
  var saved: OriginsID?
  /// New objects that a context or realm may have got since.
  var inserted: Set<OriginID> = []
  /// The last wait that gave other code time.
  var wait: Ref?
  /// Whether an error has led here.
  var hasFailed = false

  /// A stored property of something.
  struct FieldKey: Hashable {
    let origin: OriginID
    let property: PropertyID
  }
}

/// A read or write of an object that is gone.
struct GoneRead: Hashable {
  /// The member that is read, or the object that is handed on.
  let node: Ref
  /// The member that code which is called here reads or sets, and the property.
  var inner: Ref?
  var innerProperty: PropertyID?
  let property: PropertyID?
  let isWrite: Bool
  let ends: [End]
  /// Whether the object may be there on another way.
  let isCertain: Bool
}

/// What a body does to the objects that come in, for whoever calls it.
struct Effects: Equatable {
  /// What the given objects have become, by their origin.
  var objects: [OriginID: OriginsID] = [:]
  /// The given objects that are read after they were deleted, with the place.
  var reads: [OriginID: GoneRead] = [:]
  var wiped: [TypeID: End] = [:]
  var reset: [OriginsID: End] = [:]
  var saved: OriginsID?
  /// Whether it gives a context new objects, and which of those that come in.
  var inserts = false
  var inserted: Set<OriginID> = []
  /// Whether it deletes what comes in, or all objects of a model.
  var deletes = false
  /// The objects that an initializer leaves in the properties of what it makes.
  var fields: [PropertyID: OriginsID] = [:]
}
