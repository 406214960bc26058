import PersistSchema
import PersistSyntax

/// A class whose objects realms store.
package struct RealmClass: Hashable, Sendable {
  /// A property that is stored.
  package struct Property: Hashable, Sendable {
    package let name: String
    /// As Swift spells the type; "" where the sources don't tell it.
    package let type: String
    package let place: Ref
  }

  package let name: String
  package let type: TypeID
  package let place: Ref
  package let isEmbedded: Bool
  package let primaryKey: String
  package let properties: [Property]
}

private struct RealmClasses: Query {
  static var provisional: [RealmClass] { [] }
  func answer(in program: Program) -> [RealmClass] { program.findRealmClasses() }
}

/// Whether the objects of a class live in realms.
struct LivesInRealms: Query {
  let type: TypeID

  func _rawHashValue(seed: Int) -> Int { UInt64(truncatingIfNeeded: type).scattered(seed) }
  static var provisional: Bool { false }
  static func memo(in program: Program) -> Memo<Self> { program.realmObjects }
  func answer(in program: Program) -> Bool { program.livesInRealms(type) }
}

// MARK: - Classes of realms

extension Program {
  /// The classes that realms store, in source order; test code left out.
  package var realmClasses: [RealmClass] { answer(RealmClasses()) }

  /// Whether the objects of a class live in realms.
  package func isRealmObject(_ type: TypeID) -> Bool {
    usesRealm && answer(LivesInRealms(type: type))
  }

  fileprivate func livesInRealms(_ type: TypeID) -> Bool {
    let type = resolveAlias(type)
    guard types[type].kind == .classDecl, files[Int(types[type].ref.file)].importsRealm else {
      return false
    }
    return Words.realmBases.contains { inherits(type, from: $0) }
  }

  fileprivate func findRealmClasses() -> [RealmClass] {
    guard usesRealm else { return [] }
    return types(inheritingFrom: Words.realmBases).filter { id in
      types[id].kind == .classDecl && isRealmObject(id) && !isExempt(types[id].ref)
    }.map { id in
      let stored = storedProperties(of: id)
      return RealmClass(
        name: nameText(types[id].ref), type: id, place: types[id].ref,
        isEmbedded: Words.embeddedRealmBases.contains { inherits(id, from: $0) },
        primaryKey: primaryKey(of: id, stored.marked), properties: stored.all)
    }
  }

  /// The stored properties of a class and its superclasses, and the one that is marked as the key.
  private func storedProperties(
    of type: TypeID
  ) -> (all: [RealmClass.Property], marked: String) {
    let ignored = names(in: "ignoredProperties", of: type)
    var all: [RealmClass.Property] = []
    var marked = ""
    for owner in lineage(of: type) where types[owner].kind == .classDecl {
      let hasMarks = types[owner].properties.contains {
        properties[$0].attributes.contains("Persisted")
      }
      for id in types[owner].properties where isStored(id, besidesMarks: hasMarks) {
        let name = nameText(properties[id].ref)
        guard !ignored.contains(name) else { continue }
        if isMarkedAsKey(id) { marked = name }
        all.append(
          RealmClass.Property(
            name: name, type: spelledType(of: id), place: properties[id].ref))
      }
    }
    return (all, marked)
  }

  /// Whether a stored property of a Realm class is none of Realm's, because others are marked as
  /// `@Persisted` and it isn't (source: Realm's documentation of `@Persisted`).
  package func isLeftOutOfRealm(_ id: PropertyID) -> Bool {
    guard let owner = properties[id].owner, isRealmObject(owner), !properties[id].isComputed,
      !properties[id].attributes.contains("Persisted")
    else { return false }
    return types[owner].properties.contains { properties[$0].attributes.contains("Persisted") }
  }

  private func isStored(_ id: PropertyID, besidesMarks hasMarks: Bool) -> Bool {
    let property = properties[id]
    if property.isStatic { return false }
    if property.attributes.contains("Persisted") {
      return !type(ofProperty: id).isExternal("LinkingObjects")
        && property.type.map {
          firstName(of: Ref(file: Int(property.ref.file), node: $0)) != "LinkingObjects"
        } ?? true
    }
    guard !hasMarks, !property.isComputed, !property.modifiers.contains("lazy") else {
      return false
    }
    if property.modifiers.contains("dynamic") { return true }
    guard property.isLet, let value = property.initializer else { return false }
    let made = Ref(file: Int(property.ref.file), node: value)
    return Words.realmContainers.contains(firstName(of: made)) && !descendants(made, .call).isEmpty
  }

  /// The type of a property as it is written, or as its first value tells; "" where nothing does.
  private func spelledType(of id: PropertyID) -> String {
    let property = properties[id]
    let file = Int(property.ref.file)
    if let node = property.type {
      let written = text(Ref(file: file, node: node)).filter { !$0.isWhitespace }
      return written.hasPrefix("Optional<") && written.hasSuffix(">")
        ? written.dropFirst("Optional<".count).dropLast() + "?" : written
    }
    guard let node = property.initializer else { return "" }
    let value = text(Ref(file: file, node: node))
    if value.hasPrefix("\"") { return "String" }
    if value == "true" || value == "false" { return "Bool" }
    let digits = value.drop { $0 == "-" }
    if digits.first?.isNumber ?? false {
      return digits.contains(".") ? "Double" : digits.allSatisfy(\.isNumber) ? "Int" : ""
    }
    guard value.first?.isUppercase ?? false else { return "" }
    if let call = value.firstIndex(of: "(") { return String(value[..<call]) }
    return value.lastIndex(of: ".").map { String(value[..<$0]) } ?? ""
  }

  private func isMarkedAsKey(_ id: PropertyID) -> Bool {
    let declaration = Ref(
      file: Int(properties[id].ref.file), node: properties[id].declaration)
    return children(declaration, .attribute).contains { attribute in
      name(attribute) == "Persisted"
        && argument(attribute, "primaryKey").flatMap { booleanLiteral($0) } ?? false
    }
  }

  private func primaryKey(of type: TypeID, _ marked: String) -> String {
    marked.isEmpty ? names(in: "primaryKey", of: type).first ?? "" : marked
  }

  /// The strings without interpolations in what a class method of a class gives.
  private func names(in method: Name, of type: TypeID) -> [String] {
    methods(method, of: type).compactMap { body(of: $0) }.flatMap { descendants($0, .string) }
      .filter { children($0).isEmpty }.map { String(text($0).dropFirst().dropLast()) }
  }
}

extension SourceFile {
  var importsRealm: Bool { imports("RealmSwift") || imports("Realm") }
}
