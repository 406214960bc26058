/// What `NSKeyedArchiver` wrote: objects that refer to each other by number.
struct KeyedArchive {
  private let list: PropertyList
  /// The numbers of the archived objects in the property list.
  private let objects: [Int]
  /// The number of the outermost archived object.
  let root: Int

  /// Nothing for a property list that is no keyed archive.
  init?(_ bytes: [UInt8]) {
    guard let list = PropertyList(bytes) else { return nil }
    let members = list.members(of: list.top)
    guard list.string(members["$archiver"]) == "NSKeyedArchiver" else { return nil }
    let top = members["$top"].map(list.members(of:)) ?? [:]
    guard let first = top["root"] ?? top.values.first, case .reference(let root) = list[first]
    else { return nil }
    self.list = list
    self.root = root
    objects = list.array(members["$objects"])
    guard root < objects.count else { return nil }
  }

  /// One archived object: its class and its values by their keys.
  struct Item {
    let archive: KeyedArchive
    let number: Int
    private let values: [String: Int]

    fileprivate init(_ archive: KeyedArchive, _ number: Int) {
      self.archive = archive
      self.number = number
      values =
        number < archive.objects.count ? archive.list.members(of: archive.objects[number]) : [:]
    }

    var className: String { self["$class"]?.text("$classname") ?? "" }

    /// The object that a key refers to; nil for `$null`.
    subscript(key: String) -> Item? {
      guard let value = values[key], case .reference(let number) = archive.list[value],
        number > 0
      else { return nil }
      return Item(archive, number)
    }

    func integer(_ key: String) -> Int? { archive.list.integer(values[key]) }

    func flag(_ key: String) -> Bool {
      guard let value = values[key] else { return false }
      return archive.list[value] == .boolean(true) || archive.list[value] == .integer(1)
    }

    /// The text of a key, be it written there, referred to, or a mutable string.
    func text(_ key: String) -> String? {
      guard let value = values[key] else { return nil }
      if case .string(let text) = archive.list[value] { return text }
      return self[key]?.ownText
    }

    /// The text of an object that is one.
    var ownText: String? {
      guard number < archive.objects.count else { return nil }
      if case .string(let text) = archive.list[archive.objects[number]] {
        return text == "$null" ? nil : text
      }
      return text("NS.string")
    }

    /// The text of a number, text or flag.
    var scalarText: String? {
      guard number < archive.objects.count else { return nil }
      switch archive.list[archive.objects[number]] {
      case .integer(let value): return String(value)
      case .real(let value): return String(value)
      case .boolean(let value): return String(value)
      case .string(let text): return text == "$null" ? nil : "\"\(text)\""
      default:
        return values["NS.string"].flatMap { archive.list.string($0) }.map { "\"\($0)\"" }
      }
    }

    /// The elements of an array or set, or the values of a dictionary of known keys.
    var elements: [Item] { items("NS.objects") }

    /// The pairs of a dictionary, also of one with known keys.
    var pairs: [(key: String, value: Item)] {
      if let mapping = self["searchMapping"], let keys = mapping["keys"],
        let values = self["values"]
      {
        return zip(keys.elements, values.elements).compactMap { key, value in
          key.ownText.map { ($0, value) }
        }
      }
      return zip(items("NS.keys"), elements).compactMap { key, value in
        key.ownText.map { ($0, value) }
      }
    }

    private func items(_ key: String) -> [Item] {
      archive.list.array(values[key]).compactMap { element in
        guard case .reference(let number) = archive.list[element] else { return nil }
        return Item(archive, number)
      }
    }
  }

  var top: Item { Item(self, root) }
}
