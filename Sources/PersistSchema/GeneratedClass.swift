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
  /// Nothing is generated: the class stands in the sources, or Objective-C implements it.
  package var isManual = false
  package var superclass: String
  package var properties: [Property]
  /// The line of the XML at which the entity begins, from 1.
  package var line: Int
  /// The line at which it ends.
  package var end: Int

  /// The name without a module.
  var simpleName: String { name.split(separator: ".").last.map(String.init) ?? name }
}

extension DataModel.Version {
  /// Swift source with the classes that Xcode generates and those that Objective-C implements, each
  /// at the place of its entity in the XML; nil when there are none. It is as long as the XML, so that
  /// each name, line and offset is one of the XML too. `isWritten` tells whether the Swift sources
  /// declare a class.
  package func generatedSource(
    over bytes: [UInt8], isWritten: (_ name: String) -> Bool = { _ in true }
  ) -> [UInt8]? {
    var overlay = GeneratedSource(bytes)
    var isEmpty = true
    for var entity in generated {
      let isWritten = isWritten(entity.simpleName)
      guard !entity.isManual || !isWritten else { continue }
      if !isWritten { entity.isExtension = false }
      if isEmpty { overlay.write("import CoreData", at: 0) }
      isEmpty = false
      overlay.write(entity)
    }
    return isEmpty ? nil : overlay.text
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
      let close = xml[end].lastIndex(of: 0x3E)
    else { return }
    let simple = entity.simpleName
    let keyword = entity.isExtension ? "extension " : "class "
    let rest = entity.isExtension ? " {" : ":\(entity.superclass){"
    // The entity mostly has the name of its class, and more room behind it.
    let places = [
      place(of: entity.name, after: " representedClassName=\"", in: line)
        .map { $0 + entity.name.utf8.count - simple.utf8.count },
      place(of: simple, after: " name=\"", in: line),
    ]
    let start = places.lazy.compactMap { $0 }.first { start in
      start - keyword.utf8.count >= line.lowerBound
        && start + simple.utf8.count + rest.utf8.count <= min(line.upperBound, close)
    }
    guard let start else { return }
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
