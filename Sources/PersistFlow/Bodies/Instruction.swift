import PersistIndex
import PersistSyntax

/// The number of an instruction in its body, which also stands for the value that it makes.
package typealias Value = Int32

/// One step of a body: an operation on the values of earlier ones.
package struct Instruction: Sendable {
  /// What a step does; the comment names its operands.
  package enum Operation: UInt8, Sendable {
    /// What the caller hands over; `index` is the parameter's number.
    case parameter
    /// What a closure has captured; `index` is the capture's number.
    case capture
    /// The instance that the code belongs to.
    case selfValue
    /// A literal; `name` is its text.
    case literal
    /// `nil`.
    case none
    /// A type by its name.
    case type
    /// A function that is named and not called.
    case function
    /// `index` is a local.
    case load
    /// value; `index` is a local.
    case store
    /// value; what an argument without a name becomes, `index` is its number.
    case storeArgument
    /// receiver, or nothing for a variable outside of types; `name` is the member.
    case get
    /// receiver, value; makes the receiver as it is afterwards.
    case set
    /// receiver, indices; an element of a collection.
    case getElement
    /// receiver, value, indices; makes the collection as it is afterwards.
    case setElement
    /// `index` is a call site.
    case call
    /// call; what the receiver of a call has become.
    case receiverAfter
    /// call; what an `inout` argument has become, `index` is its number.
    case argumentAfter
    /// captured values; `index` is the body.
    case closure
    /// The closure that an `async let` begins beside the code around it; what it returns.
    case childTask
    /// parts.
    case tuple
    /// elements.
    case array
    /// keys and values in turn.
    case dictionary
    /// interpolated values.
    case string
    /// whole; `index` is the part's number, `name` its label.
    case part
    /// `.name` without a type: an enum case, or a static member of the type that is wanted.
    case implicitMember
    /// whole; the payload of case `name`, `index` is its number.
    case payload
    /// value; whether it is case `name`.
    case isCase
    /// value; whether it is `nil`.
    case isNil
    /// optional; what it holds.
    case unwrap
    /// value; as another type.
    case cast
    /// value; whether it is of a type.
    case isType
    case keyPath
    /// left, right; `name` is the operator.
    case binary
    /// value; `name` is the prefix operator.
    case prefix
    /// collection; the next element of a loop.
    case next
    /// The error that a handler catches.
    case caught
    /// value; what `await` waits for.
    case await
    /// A macro, or anything else that says nothing of its value; values that go in.
    case opaque
  }

  package var operation: Operation
  /// The node in the body's file.
  package var node: Int32
  /// Whether a write only puts a changed part back into its whole.
  package var isWriteBack = false
  package var index: Int32 = -1
  /// Where the operands begin in the body's list.
  package var firstOperand: Int32 = 0
  package var operandCount: Int32 = 0
  package var name: Name = .none
}

/// How control leaves a block.
package enum Terminator: Sendable, Equatable {
  case jump(Int32)
  /// Where a value decides: the block for true, the block for false.
  case branch(Value, Int32, Int32)
  /// Whether there is a next element: the loop's body, the block behind it.
  case loop(Int32, Int32)
  /// What follows a step that may throw, and who catches it.
  case mayThrow(Int32, Int32)
  case `return`(Value)
  case `throw`(Value)
  /// The process ends, or the code can't be reached.
  case end
}

/// A row of steps that all run when the first one does.
package struct Block: Sendable {
  package var steps: [Value] = []
  package var terminator = Terminator.end
  /// Whether ways meet here that a condition or an error has parted, whatever it was.
  package var isJoin = false
}

/// A call in a body.
package struct CallSite: Sendable {
  /// One argument, with the value that it hands over.
  package struct Argument: Sendable {
    package let label: Name
    package let value: Value
    package let isTrailing: Bool
    package let isInout: Bool
  }
  /// The `call` node.
  package let node: Int32
  /// The name that is called; `.none` where a value is called.
  package let name: Name
  /// The value whose method is called, or the function value that is called; -1 for a free function.
  package let receiver: Value
  /// Whether `receiver` itself is called.
  package let callsValue: Bool
  package let arguments: [Argument]
  package let isTried: Bool
  package let isAwaited: Bool
}
