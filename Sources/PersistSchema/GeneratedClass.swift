/// What Xcode generates from an entity: its class, or an extension with its properties.
package struct GeneratedClass: Hashable, Sendable {
  /// A property of an entity with the type that Xcode gives it.
  package struct Property: Hashable, Sendable {
    package var name: String
    package var type: String
    /// The line of the XML, from 1.
    package var line: Int
  }

  /// The class as the model spells it, perhaps with its module before a period.
  package var name: String
  /// The class itself stands in the sources; only its properties are generated.
  package var isExtension: Bool
  package var superclass: String
  package var properties: [Property]
  /// The line of the XML at which the entity begins, from 1.
  package var line: Int
  /// The line at which it ends.
  package var end: Int
}

extension DataModel.Version {
  /// Swift source with the classes that Xcode generates, each at the place of its entity in the
  /// XML; nil when there are none. It is as long as the XML, so that each name, line and offset is
  /// one of the XML too.
  package func generatedSource(over bytes: [UInt8]) -> [UInt8]? {
    guard !generated.isEmpty else { return nil }
    var overlay = GeneratedSource(bytes)
    overlay.write("import CoreData", at: 0)
    for entity in generated { overlay.write(entity) }
    return overlay.text
  }
}

/// Swift source that is written over the XML of a model.
private struct GeneratedSource {
  private let xml: [UInt8]
  private(set) var text: [UInt8]
  /// The offset of each line, and of the end.
  private var lines: [Int] = [0]

  init(_ xml: [UInt8]) {
    self.xml = xml
    text = xml.map { $0 == 0x0A || $0 == 0x0D ? $0 : 0x20 }
    for (offset, byte) in xml.enumerated() where byte == 0x0A { lines.append(offset + 1) }
    lines.append(xml.count + 1)
  }

  /// Writes a class; leaves it out where the XML has no room for it.
  mutating func write(_ entity: GeneratedClass) {
    guard let line = range(ofLine: entity.line), let end = range(ofLine: entity.end),
      let name = place(of: entity.name, after: " representedClassName=\"", in: line),
      let close = xml[end].lastIndex(of: 0x3E)
    else { return }
    let simple = entity.name.split(separator: ".").last.map(String.init) ?? entity.name
    let start = name + entity.name.utf8.count - simple.utf8.count
    let keyword = entity.isExtension ? "extension " : "class "
    let rest = entity.isExtension ? " {" : ": \(entity.superclass) {"
    guard start - keyword.utf8.count >= line.lowerBound,
      start + simple.utf8.count + rest.utf8.count <= min(line.upperBound, close)
    else { return }
    write(keyword + simple + rest, at: start - keyword.utf8.count)
    for property in entity.properties { write(property) }
    text[close] = 0x7D
  }

  private mutating func write(_ property: GeneratedClass.Property) {
    let keyword = "@NSManaged var "
    guard let line = range(ofLine: property.line),
      let start = place(of: property.name, after: " name=\"", in: line),
      start - keyword.utf8.count >= line.lowerBound
    else { return }
    let declaration = "\(keyword)\(property.name): \(property.type)"
    guard start - keyword.utf8.count + declaration.utf8.count <= line.upperBound else { return }
    write(declaration, at: start - keyword.utf8.count)
  }

  mutating func write(_ code: String, at offset: Int) {
    let code = Array(code.utf8)
    guard let end = range(ofLine: 1)?.upperBound, offset > 0 || code.count <= end else { return }
    text.replaceSubrange(offset..<offset + code.count, with: code)
  }

  /// The bytes of a line, from 1, without its end.
  private func range(ofLine number: Int) -> Range<Int>? {
    guard number > 0, number < lines.count else { return nil }
    return lines[number - 1]..<lines[number] - 1
  }

  /// Where a value begins behind the name of its XML attribute.
  private func place(of value: String, after label: String, in line: Range<Int>) -> Int? {
    let pattern = Array((label + value + "\"").utf8)
    guard pattern.count <= line.count else { return nil }
    return (line.lowerBound...line.upperBound - pattern.count).first {
      xml[$0..<$0 + pattern.count].elementsEqual(pattern)
    }.map { $0 + label.utf8.count }
  }
}
