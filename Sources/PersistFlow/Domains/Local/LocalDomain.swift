import PersistIndex
import PersistSyntax

/// A question about values that needs neither owners nor executors: what a value is follows from
/// the steps that make it, in its body and in those that it calls.
protocol LocalDomain: AnyObject {
  associatedtype Mark: Hashable
  /// `nil`, or an empty list.
  static var nothing: Mark { get }
  /// Anything of which the domain knows nothing.
  static var other: Mark { get }
  /// What a value is that comes from one of two places.
  func joined(_ left: Mark, _ right: Mark) -> Mark
  /// What a step makes.
  func take(_ step: Instruction, _ value: Value, _ operands: [Mark], in run: LocalRun<Self>) -> Mark
  /// What a variable is where the code names it.
  func loaded(_ mark: Mark, _ step: Instruction, in run: LocalRun<Self>) -> Mark
  /// What a property of the instance is when a body begins; nil where the domain doesn't know.
  func held(_ step: Instruction, in body: Body) -> Mark?
  /// What a variable is that a value is put into.
  func kept(_ mark: Mark, in local: Body.Local) -> Mark
  /// Sees what a step has made.
  func see(_ mark: Mark, of value: Value, in body: Body)
  /// Hears what a variable gets.
  func store(_ mark: Mark, _ step: Instruction, in run: LocalRun<Self>)
  /// Whether variables may be what closures put into them.
  var followsStoresOfClosures: Bool { get }
  /// Hears what a body returns.
  func leave(_ mark: Mark, by value: Value, in run: LocalRun<Self>)
  /// What a value is where a call has failed.
  func failed(_ mark: Mark, at call: Ref) -> Mark
  /// What a variable is where it was found to be nil.
  func missing(_ mark: Mark) -> Mark
  /// Whether a condition holds, where that is known.
  func truth(of mark: Mark) -> Bool?
  /// What a variable is where it holds as a condition, or where it doesn't.
  func decided(_ mark: Mark, _ holds: Bool) -> Mark
  /// The elements of what a loop goes over, where each gets a round of its own.
  func elements(of mark: Mark, in loop: Ref) -> [Mark]?
  /// How much has been noted so far.
  var notes: Int { get }
  /// Forgets what has been noted since: the code that did so is run once more.
  func forget(since count: Int)
  /// How many effects on other objects it has noted.
  var effects: Int { get }
  /// Hears in which block of a run some effects happened.
  func place(_ effects: Range<Int>, _ place: EffectPlace)
  /// Hears that a round of a loop begins for an element, and that it ends.
  func beginRound(_ mark: Mark, of loop: Ref)
  func endRound(of loop: Ref)
  /// How many bodies may run of which one runs the other.
  static var deepest: Int { get }
}

extension LocalDomain {
  func loaded(_ mark: Mark, _ step: Instruction, in run: LocalRun<Self>) -> Mark { mark }
  func held(_ step: Instruction, in body: Body) -> Mark? { nil }
  func kept(_ mark: Mark, in local: Body.Local) -> Mark { mark }
  func see(_ mark: Mark, of value: Value, in body: Body) {}
  func store(_ mark: Mark, _ step: Instruction, in run: LocalRun<Self>) {}
  var followsStoresOfClosures: Bool { false }
  func leave(_ mark: Mark, by value: Value, in run: LocalRun<Self>) {}
  func failed(_ mark: Mark, at call: Ref) -> Mark { mark }
  func missing(_ mark: Mark) -> Mark { mark }
  func truth(of mark: Mark) -> Bool? { nil }
  func decided(_ mark: Mark, _ holds: Bool) -> Mark { mark }
  func elements(of mark: Mark, in loop: Ref) -> [Mark]? { nil }
  var notes: Int { 0 }
  func forget(since count: Int) {}
  var effects: Int { 0 }
  func place(_ effects: Range<Int>, _ place: EffectPlace) {}
  func beginRound(_ mark: Mark, of loop: Ref) {}
  func endRound(of loop: Ref) {}
  static var deepest: Int { 12 }
}

/// The block of a run in which something happened.
struct EffectPlace: Hashable {
  let run: Int
  let block: Int32
  /// The blocks to which ways lead that miss it; where the body returns is -1.
  let missed: Set<Int32>
}
