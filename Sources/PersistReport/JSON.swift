/// A JSON value whose members keep the order in which they were written.
package enum JSON: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  case null
  case string(String)
  case integer(Int)
  /// A number that isn't an `Int`; those that JSON can't write are written as `null`.
  case number(Double)
  case boolean(Bool)
  case array([JSON])
  case object([(key: String, value: JSON)])

  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }

  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { (key: $0.0, value: $0.1) })
  }

  /// Adds a member to an object; anything else stays as it is.
  package mutating func add(_ key: String, _ value: JSON?) {
    guard case .object(var members) = self, let value else { return }
    members.append((key: key, value: value))
    self = .object(members)
  }

  /// The value as text, indented by two spaces, with a line break at the end.
  package var text: String {
    var text = ""
    write(to: &text, indent: "\n")
    text += "\n"
    return text
  }

  /// The value on one line, with no line break at the end.
  package var line: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  private func write(to text: inout String, indent: String?) {
    let inner = indent.map { $0 + "  " }
    switch self {
    case .null: text += "null"
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): JSON.quote(value, to: &text)
    case .integer(let value): text += String(value)
    case .boolean(let value): text += value ? "true" : "false"
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        text += (index == 0 ? "" : ",") + (inner ?? "")
        value.write(to: &text, indent: inner)
      }
      text += (values.isEmpty ? "" : indent ?? "") + "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        text += (index == 0 ? "" : ",") + (inner ?? "")
        JSON.quote(member.key, to: &text)
        text += inner == nil ? ":" : ": "
        member.value.write(to: &text, indent: inner)
      }
      text += (members.isEmpty ? "" : indent ?? "") + "}"
    }
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControl:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
