import PersistIndex
import PersistSyntax

/// What code does with a value that some code has made, or has been lent, whatever carries it there:
/// locals, tuples, lists, closures, and functions of the sources.
package struct Fate: Hashable, Sendable {
  /// One thing that is done with a value.
  package enum Deed: Hashable, Sendable {
    /// A member of it is read, or gets a value.
    case reads(Name)
    case sets(Name)
    case calls(Name)
    /// It is an argument of code that isn't in the sources, or can't be told; `on` is the member, or
    /// the variable, whose method that is.
    case hands(to: Name, on: Name)
    /// It is put into a property, or under a key; `.none` where that has no name.
    case keeps(in: Name)
    /// It becomes the value of a variable that had another one.
    case assigns
    case returns
    /// A closure takes it along that may run later.
    case captures
    /// It is an operand, the first one or another.
    case computes(Name, isFirst: Bool)
  }

  /// What the trail calls the value.
  package let kind: Name
  /// The call that makes it, or what it comes out of; the closure that is lent it.
  package let origin: Ref
  package let deed: Deed
  /// What spells the value there.
  package let place: Ref
  /// The function, closure or accessor that does it.
  package let body: Ref
  /// The closure that runs later than the code that has got the value, where one does it.
  package let lateIn: Ref?
  /// Whether the value was looked at before, on each way.
  package let isAsked: Bool
  /// What spells the value in the code that has got it, where a function that is called there does it.
  package let via: Ref?

  /// Whether that runs later than the code that has got the value.
  package var isLate: Bool { lateIn != nil }
  /// What spells the value in the code that has got it.
  package var seen: Ref { via ?? place }
}

/// Which values are followed: what makes them, who is lent them, and what they hand out.
struct Trail {
  /// The words without which no file has such a value.
  let words: Set<Name>
  /// The types by which functions and properties of the sources may return them.
  var types: Set<Name> = []
  /// The kind of value that a call makes.
  var makes: (Ref) -> Name? = { _ in nil }
  /// The kinds of values that a closure gets, by its parameters.
  var lends: (Ref) -> [Name] = { _ in [] }
  /// What comes out of a member or a method of a value.
  var handsOut: [Name: [Name: Name]] = [:]
  /// The members that tell whether a value is still what it was.
  var looks: Set<Name> = []
  /// The kind of value that a variable has from the first look on, by the member that looks.
  var begins: (Ref) -> Name? = { _ in nil }
  /// The files in which values are looked for; nil for all.
  var files: Set<Int>?
  /// Whether what members and methods of a value do is its fate as well.
  var entersMembers = false
  /// Whether values are followed to the callers of what returns them, and to the readers of the
  /// properties that keep them.
  var goesOut = false
}
