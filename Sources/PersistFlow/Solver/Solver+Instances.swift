import PersistIndex
import PersistSyntax

// MARK: - Instances of bodies

extension Solver {
  /// Instances of one body before what comes in is no longer told apart.
  private static let mostInstances = 64
  /// Steps of all instances of one body together.
  private static let stepsOfInstances = 12_000
  /// Runs that may wait for one another on the stack.
  private static let deepest = 64

  func addRoot(_ key: InstanceKey) {
    let id = instance(key)
    roots.append(id)
    let instance = instances[Int(id)]
    instance.isRoot = true
    if instance.isLeft {
      instance.isLeft = false
      waiting.insert(id)
    }
  }

  /// Takes over what an instance calls now; what nothing calls any more isn't run again.
  func replaceCalls(of instance: Instance, by calls: [Instance.Call]) {
    for call in calls {
      let target = instances[Int(call.target)]
      target.callCount += 1
      if target.isLeft {
        target.isLeft = false
        waiting.insert(call.target)
      }
    }
    for call in instance.calls { instances[Int(call.target)].callCount -= 1 }
    instance.calls = calls
  }

  func instance(_ key: InstanceKey) -> InstanceID {
    idsOfKeys[key] ?? add(key)
  }

  private func add(_ key: InstanceKey) -> InstanceID {
    let id = InstanceID(truncatingIfNeeded: instances.count)
    instances.append(Instance(key: key))
    idsOfKeys[key] = id
    countsOfBodies[key.body] = (countsOfBodies[key.body] ?? 0) + 1
    wait(id)
    return id
  }

  /// The instance that a call leads to; nil where a body has too many of them.
  func call(_ key: InstanceKey, from caller: InstanceID) -> InstanceID {
    var key = key
    key.arguments = arguments(key.arguments, of: key.body)
    key.receiver = table.generalized(key.receiver)
    let known = self.known(&key)
    let id = known ?? add(key)
    // What it makes is known at once then, and the caller, which isn't told, needs no second look.
    if known == nil, depth < Self.deepest { run(id) }
    instances[Int(id)].callers.insert(caller)
    if instances[Int(id)].isHot { markHot(caller) }
    return id
  }

  /// The instance of what comes in; where a body has too many of them, less of it is told apart.
  private func known(_ key: inout InstanceKey) -> InstanceID? {
    if let known = idsOfKeys[key] { return known }
    let count = countsOfBodies[key.body] ?? 0
    let most = mostInstances(of: key.body)
    guard count >= most else { return nil }
    forgetCalls(&key)
    if let known = idsOfKeys[key] { return known }
    // What each call makes anew goes first; of owners there are few.
    let isFull = count >= most + most / 2
    key.arguments = key.arguments.map { isFull ? OriginTable.unknown : table.lasting($0) }
    key.captures = key.captures.map { isFull ? OriginTable.unknown : table.lasting($0) }
    if count >= 2 * most {
      key.receiver = OriginTable.unknown
      key.executor = .unknown
    }
    return idsOfKeys[key]
  }

  /// How many instances of a body are told apart: the longer it is, the fewer.
  private func mostInstances(of body: BodyID) -> Int {
    let share = Self.stepsOfInstances / max(bodies[body].steps.count, 1)
    return min(Self.mostInstances, max(Self.mostInstances / 4, share))
  }
}
