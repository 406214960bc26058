import PersistReport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON {
  /// The value of a text; nil where it isn't JSON.
  package init?(parsing bytes: some Collection<UInt8>) {
    guard let read = try? JSONDecoder().decode(ReadValue.self, from: Data(bytes)) else {
      return nil
    }
    self = read.value
  }

  /// The member of an object; nil where it is absent or null, or where this is no object.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self,
      let value = members.first(where: { $0.key == key })?.value
    else { return nil }
    if case .null = value { return nil }
    return value
  }

  /// The text; nil for every other value.
  package var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The whole number; nil for every other value.
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  /// The truth value; nil for every other value.
  package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The elements; nil for every other value.
  package var array: [JSON]? { if case .array(let values) = self { values } else { nil } }

  /// The names of an object's members; nil for every other value.
  package var keys: [String]? {
    if case .object(let members) = self { members.map(\.key) } else { nil }
  }
}

/// A value as the decoder of Foundation reads it.
private struct ReadValue: Decodable {
  let value: JSON

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // The cheapest questions, and the commonest answers, come first: each wrong one is an error.
    if container.decodeNil() {
      value = .null
    } else if let text = try? container.decode(String.self) {
      value = .string(text)
    } else if let members = try? container.decode([String: ReadValue].self) {
      value = .object(
        members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.value) })
    } else if let values = try? container.decode([ReadValue].self) {
      value = .array(values.map(\.value))
    } else if let truth = try? container.decode(Bool.self) {
      value = .boolean(truth)
    } else if let number = try? container.decode(Int.self) {
      value = .integer(number)
    } else {
      value = .number(try container.decode(Double.self))
    }
  }
}
