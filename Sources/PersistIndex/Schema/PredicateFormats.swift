import PersistSyntax

/// A `NSPredicate(format:)` that crashes when it is made.
package struct PredicateFormatProblem: Sendable {
  /// What is wrong with the arguments.
  package enum Reason: Sendable {
    /// A number stands where the format reads an object; the argument's text.
    case number(String)
    /// The format reads more arguments than there are.
    case missing(places: Int, arguments: Int)
  }

  package let place: Ref
  package let reason: Reason
}

extension Program {
  /// The formats whose arguments don't fit, in source order.
  package var predicateFormatProblems: [PredicateFormatProblem] {
    calls(named: "NSPredicate").filter { !isExempt($0) }.compactMap { formatProblem(in: $0) }
      .sorted { $0.place < $1.place }
  }

  /// The string that an argument is, whatever it interpolates.
  private func literal(of argument: Ref) -> Ref? {
    guard let value = child(argument, .expression), children(value).count == 1,
      let chain = child(value, .chain), children(chain).count == 1
    else { return nil }
    return child(chain, .string)
  }

  private func formatProblem(in call: Ref) -> PredicateFormatProblem? {
    guard case .externalInitializer = callTarget(call) else { return nil }
    let given = children(call, .argument)
    guard let format = given.first, label(format) == "format",
      given.dropFirst().allSatisfy({ label($0) == .none }),
      let written = literal(of: format),
      let places = PredicatePlaces(of: text(written))?.all
    else { return nil }
    let values = given.dropFirst().compactMap { child($0, .expression) }
    guard places.count <= values.count else {
      return PredicateFormatProblem(
        place: written, reason: .missing(places: places.count, arguments: values.count))
    }
    for (place, value) in zip(places, values) where place == .object {
      guard case .external(let type, _) = type(of: value), Words.plainArguments.contains(type)
      else {
        continue
      }
      return PredicateFormatProblem(
        place: value, reason: .number(text(value)))
    }
    return nil
  }
}

/// The places of a predicate's format that read an argument.
private struct PredicatePlaces {
  enum Place { case object, plain }

  private(set) var all: [Place] = []

  /// Reads the source of a string; nil where its places are numbered.
  init?(of source: String) {
    var rest = Substring(source)
    var quote: Character?
    while let sign = rest.popFirst() {
      switch sign {
      case "\\":
        guard let next = rest.popFirst() else { return }
        if next == "(" { Self.skipCode(&rest) } else { Self.toggle(&quote, next) }
      case "'": Self.toggle(&quote, sign)
      case "%" where quote == nil:
        guard let place = Self.place(&rest) else { return nil }
        if let place = place.value { all.append(place) }
      default: continue
      }
    }
  }

  private static func toggle(_ quote: inout Character?, _ sign: Character) {
    guard sign == "'" || sign == "\"" else { return }
    if quote == nil { quote = sign } else if quote == sign { quote = nil }
  }

  private static func skipCode(_ rest: inout Substring) {
    var unclosed = 1
    while unclosed > 0, let sign = rest.popFirst() {
      if sign == "(" { unclosed += 1 }
      if sign == ")" { unclosed -= 1 }
    }
  }

  private static func place(_ rest: inout Substring) -> (value: Place?, Void)? {
    while let sign = rest.popFirst() {
      switch sign {
      case "$": return nil
      case "%": return (nil, ())
      case "@", "K": return (.object, ())
      case "l", "h", "q", "z", "t", "j", "0"..."9", ".", "-", "+", "#", " ": continue
      default: return sign.isLetter ? (.plain, ()) : (nil, ())
      }
    }
    return (nil, ())
  }
}
