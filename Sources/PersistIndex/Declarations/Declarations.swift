import PersistSyntax

/// All that the files declare, joined: complete before the first question, and never changed.
///
/// It follows from the files and the platform alone, whatever their order.
package struct Declarations: Sendable {
  /// Of all files in their order, then the stand-ins for types from elsewhere that are extended.
  package let types: [TypeDeclaration]
  package let functions: [FunctionDeclaration]
  package let properties: [PropertyDeclaration]
  /// All functions by name, those inside of functions too.
  let functionsByName: [Name: [FunctionID]]
  /// Functions outside of types, and those of extensions that extend an unknown type.
  let freeFunctions: [Name: [FunctionID]]
  /// Variables outside of types and functions.
  let globals: [Name: [PropertyID]]
  let topLevelTypes: [Name: [TypeID]]
  /// Types from elsewhere that the sources extend.
  let foreignTypes: [Name: TypeID]
  /// The types that say a name where they say what they inherit from, extensions included, and the
  /// typealiases that say it.
  let heirs: [Name: [TypeID]]
  let members: MemberTable
  let conditions: ConditionalCode
  /// The operators of the standard library and those that the files declare.
  package let operators: OperatorTable
  /// What cut the joining short.
  let limitsHit: Set<Limit>
  /// The folded expressions of each file, once somebody has asked for them.
  private let foldedNodes: [Guarded<FoldedNodes?>]
  private let typeExtendedAt: [Ref: TypeID]
  private let parts: [Part]

  /// Where the declarations of one file stand in the lists of all.
  struct Part: Sendable {
    let types: Range<Int>
    let functions: Range<Int>
    let properties: Range<Int>
    /// The extensions.
    let extensions: [Ref]
  }

  init(_ files: [SourceFile], platform: String) {
    conditions = ConditionalCode(files: files, platform: platform)
    var gathered = Gathered(files)
    var joining = ExtensionJoining(conditions, gathered)
    joining.join(gathered.extensions)
    gathered.attach(joining)
    types = gathered.types
    functions = gathered.functions
    properties = gathered.properties
    functionsByName = gathered.functionsByName
    freeFunctions = gathered.freeFunctions
    globals = gathered.globals
    topLevelTypes = gathered.topLevelTypes
    heirs = gathered.heirs
    parts = gathered.parts
    foreignTypes = joining.foreignTypes
    typeExtendedAt = joining.typeExtendedAt
    limitsHit = joining.limitsHit
    members = MemberTable(types, functions, properties)
    var operators = OperatorTable.standard
    for file in files { operators.add(declarationsOf: file.outline) }
    self.operators = operators
    foldedNodes = files.map { _ in Guarded(nil) }
  }

  /// The expressions of a file with their operators folded; made once for all threads.
  func folded(_ file: Int, _ outline: Outline) -> FoldedNodes {
    foldedNodes[file].whileHeld { known in
      if let known { return known }
      let made = FoldedNodes(outline, by: operators)
      known = made
      return made
    }
  }

  /// The declarations of one file, those of extensions included; none for a file of another program.
  func part(ofFile file: Int) -> Part {
    parts.indices.contains(file)
      ? parts[file] : Part(types: 0..<0, functions: 0..<0, properties: 0..<0, extensions: [])
  }

  /// The type that a declaration declares or an extension extends.
  func type(at ref: Ref) -> TypeID? {
    types.find(ref, in: part(ofFile: Int(ref.file)).types) { $0.ref } ?? typeExtendedAt[ref]
  }

  /// The types that a file declares or extends, stand-ins for types from elsewhere included.
  func typesWithParts(inFile file: Int) -> [TypeID] {
    let part = part(ofFile: file)
    return Array(part.types) + part.extensions.compactMap { typeExtendedAt[$0] }
  }

  /// The function that a node declares.
  func function(at ref: Ref) -> FunctionID? {
    functions.find(ref, in: part(ofFile: Int(ref.file)).functions) { $0.ref }
  }

  /// The property that a binding declares; locals are none.
  func property(at ref: Ref) -> PropertyID? {
    properties.find(ref, in: part(ofFile: Int(ref.file)).properties) { $0.ref }
  }
}

extension Array {
  /// The index of the element at a place; the elements of a file stand together, in source order.
  func find(_ ref: Ref, in range: Range<Int>, _ place: (Element) -> Ref) -> Int? {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if place(self[middle]) < ref { low = middle + 1 } else { high = middle }
    }
    return low < range.upperBound && place(self[low]) == ref ? low : nil
  }
}
