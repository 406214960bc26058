import PersistIndex
import PersistSyntax

/// A call by which a context deletes an object, or a realm one of its own.
package struct ObjectDeletion: Sendable {
  /// The owners of an object and of what deletes it, which surely are two.
  package struct Foreign: Sendable {
    package let object: Owner
    package let context: Owner
  }

  /// The called `delete`.
  package let node: Ref
  /// The function, closure or accessor that calls it.
  package let body: Ref
  /// The property whose accessor that is.
  package let property: PropertyID?
  /// Set where an object of another context is deleted.
  package internal(set) var foreign: Foreign?
}

/// An object that is put into a relationship although it surely belongs to another context.
package struct ForeignRelation: Sendable {
  /// The member that is set, the method that adds, or the argument of an initializer.
  package let node: Ref
  package let object: Owner
  package let other: Owner
}
