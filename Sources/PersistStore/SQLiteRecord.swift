/// One value of a row.
package enum SQLiteValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The text of a text value.
  package var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  /// The number of an integer value.
  package var integer: Int64? {
    if case .integer(let number) = self { return number }
    return nil
  }

  /// The bytes of a blob.
  package var blob: [UInt8]? {
    if case .blob(let bytes) = self { return bytes }
    return nil
  }
}

/// One row of a table: its row id and its values in the order of the columns.
package struct SQLiteRow: Sendable {
  package let id: Int64
  package let values: [SQLiteValue]
}

extension [UInt8] {
  /// A number of one to nine bytes, seven bits each but for the last; its length comes with it.
  func varint(at offset: Int) -> (value: Int64, length: Int)? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = byte(at: offset + index) else { return nil }
      if index == 8 {
        return (Int64(bitPattern: value << 8 | UInt64(byte)), 9)
      }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return (Int64(bitPattern: value), index + 1) }
    }
    return nil
  }
}

extension SQLiteFile {
  /// The values of a record; nil when a length leads out of it.
  func values(of record: [UInt8]) -> [SQLiteValue]? {
    guard let header = record.varint(at: 0), header.value >= 0,
      let headerEnd = Int(exactly: header.value), headerEnd <= record.count
    else { return nil }
    var values: [SQLiteValue] = []
    var place = header.length
    var content = headerEnd
    while place < headerEnd {
      guard let type = record.varint(at: place) else { return nil }
      place += type.length
      guard let (value, length) = value(ofType: type.value, in: record, at: content) else {
        return nil
      }
      values.append(value)
      content += length
    }
    return values
  }

  private func value(
    ofType type: Int64, in record: [UInt8], at offset: Int
  ) -> (SQLiteValue, Int)? {
    switch type {
    case 0: return (.null, 0)
    case 8: return (.integer(0), 0)
    case 9: return (.integer(1), 0)
    case 1, 2, 3, 4, 5, 6:
      let width = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      return record.signed(at: offset, width: width).map { (.integer($0), width) }
    case 7:
      return record.signed(at: offset, width: 8).map {
        (.real(Double(bitPattern: UInt64(bitPattern: $0))), 8)
      }
    case 12...:
      guard let length = Int(exactly: (type - 12) / 2),
        let bytes = record.slice(at: offset, count: length)
      else { return nil }
      return (type % 2 == 0 ? .blob(bytes) : .text(text(bytes)), length)
    default: return nil
    }
  }
}
