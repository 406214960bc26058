import PersistIndex
import PersistSyntax

/// A value that code gives a setting of a framework: by an assignment to a member, or beside a key.
package struct Setting: Sendable {
  /// The name of the setting, or the key.
  package let place: Ref
  package let value: Ref
}

extension Program {
  /// The settings of some names that code gives a value, in source order.
  package func settings(_ names: Set<Name>) -> [Setting] {
    uses(of: names).compactMap { name in
      valueSet(beside: name).map { Setting(place: name, value: $0) }
    }
  }

  /// Whether some code gives a setting `true`, or `false`.
  package func gives(_ setting: Name, _ value: Bool, in code: Ref) -> Bool {
    settings([setting]).contains {
      contains(code, $0.place) && booleanLiteral($0.value) == value
    }
  }

  /// Whether a value switches a setting off: `false`, `nil`, or a number that says so.
  package func isOff(_ setting: Setting) -> Bool {
    let value = setting.value
    return isNil(value) || isFalse(value)
      || descendants(value, .binaryOperator).isEmpty
        && (holds(.false, in: value) || names("NO", in: value))
  }

  private func valueSet(beside name: Ref) -> Ref? {
    if let made = assignment(toWhatEndsWith: name) { return value(of: made) }
    for node in ancestors(name).prefix(Self.farthestKey) {
      switch kind(node) {
      case .call: return calledName(node) == "setOption" ? child(node, .argument) : nil
      case .dictionary:
        let pairs = children(node)
        let place = pairs.firstIndex { contains($0, name) }
        return place.flatMap { $0 + 1 < pairs.count ? pairs[$0 + 1] : nil }
      case .subscriptSuffix:
        return ancestors(node).first { kind($0) == .expression }.flatMap { assignment($0) }
          .flatMap { value(of: $0) }
      default: break
      }
    }
    return nil
  }

  /// What an assignment gives, casts left out; nil for what operators make.
  private func value(of assignment: Assignment) -> Ref? {
    let isPlain = !assignment.right.contains { kind($0) == .binaryOperator }
    return isPlain ? assignment.right.first { kind($0) != .tryMark } : nil
  }

  /// The nodes between a key and the dictionary or call that it stands in.
  private static let farthestKey = 8
}
