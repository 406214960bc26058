import PersistIndex
import PersistProject
import PersistReport
import PersistRules
import PersistSchema
import PersistSyntax

/// The files of one input, which a NUL parts; the first byte of each says what it is.
private struct Project {
  var sources: [[UInt8]] = []
  var models: [(path: String, bytes: [UInt8])] = []
  /// By their paths.
  var projectFiles: [String: [UInt8]] = [:]
  var base: SchemaBase?

  init(_ input: UnsafeBufferPointer<UInt8>) {
    let parts = input.split(separator: 0, maxSplits: 8, omittingEmptySubsequences: true)
    for (index, part) in parts.enumerated() {
      let bytes = Array(part.dropFirst())
      let text = String(decoding: bytes, as: UTF8.self)
      switch part.first {
      case 1: models.append((path: "M.xcdatamodeld/V\(index).xcdatamodel/contents", bytes: bytes))
      case 2: models.append((path: "M.xcdatamodeld/.xccurrentversion", bytes: bytes))
      case 3: projectFiles["App\(index).entitlements"] = bytes
      case 4: projectFiles["App.xcodeproj/project.pbxproj"] = bytes
      case 7: projectFiles["App.xcconfig"] = bytes
      case 8: projectFiles["project.yml"] = bytes
      case 5:
        if let lock = try? LockFile(parsing: text) {
          base = SchemaBase(lock, path: LockFile.name)
          _ = try? LockFile(parsing: lock.text)
        }
      case 6:
        if let baseline = try? Baseline(text: text) { _ = try? Baseline(text: baseline.text) }
      default: sources.append(Array(part))
      }
    }
  }

  /// Everything that the command asks of a project, with its fixes put in.
  func judge() {
    var files: [SourceFile] = []
    for (index, bytes) in sources.enumerated() {
      let outline = Outline(SourceText(bytes))
      check(outline)
      files.append(
        SourceFile(path: "Sources/App/File\(index).swift", outline: outline, rootDepth: 0))
    }
    let input = SchemaInput(
      dataModels: DataModel.models(in: models), base: base,
      projectFiles: projectFiles.sorted { $0.key < $1.key }.compactMap { path, bytes in
        ProjectFile(path: path) { bytes }
      })
    let program = Program(files, input: input)
    let judgement = program.judge(Registry.check(program))
    let fixes = judgement.findings.compactMap(\.fix).withoutOverlaps
    for (index, bytes) in sources.enumerated() where !fixes.isEmpty {
      let path = "Sources/App/File\(index).swift"
      let mended = fixes.apply(to: bytes, path: path)
      check(Outline(SourceText(mended)))
      _ = UnifiedDifference(path: path, old: bytes, new: mended).text
    }
    for finding in judgement.findings { precondition(!finding.message.isEmpty, "a message") }
  }
}

/// Judges one input as a project of several files.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Project(UnsafeBufferPointer(start: start, count: count)).judge()
  return 0
}

/// Stops the run when tokens overlap, partners aren't mutual, or a node leaves its parent.
private func check(_ outline: Outline) {
  var end = 0
  let tokens = outline.tokens
  for index in 0..<tokens.count {
    let token = tokens[index]
    precondition(Int(token.offset) >= end && token.end <= outline.text.count, "order of tokens")
    end = token.end
    if let partner = token.partner {
      precondition(partner < tokens.count && tokens[partner].partner == index, "partners")
    }
  }
  precondition(tokens[tokens.count - 1].kind == .endOfFile, "end of file")
  precondition(Int(outline.nodes[0].subtreeEnd) == outline.nodes.count, "the whole tree")
  for (index, node) in outline.nodes.enumerated().dropFirst() {
    let parent = outline.nodes[Int(node.parent)]
    precondition(Int(node.parent) < index && node.subtreeEnd <= parent.subtreeEnd, "subtrees")
    precondition(node.first >= parent.first && node.end <= parent.end, "tokens of nodes")
    precondition(node.first <= node.end, "backward node")
  }
  checkViews(of: outline)
}

/// Stops the run when a fold or a pattern is no tree, or a view leaves its node.
private func checkViews(of outline: Outline) {
  var operators = OperatorTable.standard
  operators.add(declarationsOf: outline)
  let context = OutlineContext(outline)
  context.fold(by: operators)
  let view = context.view
  for (index, node) in outline.nodes.enumerated() {
    if node.kind == .expression { checkFold(of: index, node, context) }
    switch node.kind {
    case .caseItem, .caseCondition, .binding, .optionalBinding, .forStatement:
      check(patternOf: index, context)
    case .type: check(TypeView(NodeView(view, index)))
    case .call: _ = CallView(NodeView(view, index))?.arguments.map(\.value)
    default: break
    }
  }
}

private func check(patternOf binder: Int, _ context: OutlineContext) {
  guard let root = context.pattern(of: binder) else { return }
  let view = context.view
  precondition(root >= context.outline.nodes.count, "a pattern behind the outline")
  for index in root..<view.end(ofSubtree: root) {
    let part = NodeView(view, index)
    precondition(part.kind.isPattern && part.node.first <= part.node.end, "a pattern")
    guard let parent = part.parent, let source = PatternView(part)?.source else { continue }
    precondition(source.index > binder && parent.index > binder, "a pattern of its binder")
    precondition(index == root || parent.tokens.upperBound >= part.tokens.upperBound, "patterns")
    _ = (CasePatternView(part)?.type, CastPatternView(part)?.type, TestPatternView(part)?.type)
    _ = (PatternElementView(part)?.label?.text, part.text)
  }
}

private func checkFold(of expression: Int, _ node: Node, _ context: OutlineContext) {
  let root = context.root(of: expression)
  guard root >= context.outline.nodes.count else { return }
  let view = context.view
  precondition(Int(view[node: root].parent) == expression, "the whole expression")
  for index in root..<view.end(ofSubtree: root) {
    let part = view[node: index]
    precondition(part.kind.isFolded && part.first <= part.end, "a folded node")
    precondition(part.end <= node.end && Int(part.label) >= expression, "tokens of folded nodes")
  }
}

/// Asks a type for all that it has.
private func check(_ type: TypeView?) {
  guard let type else { return }
  precondition(type.text.utf8.count >= type.unwrapped.plain.text.utf8.count, "a part is longer")
  _ = (type.bare, type.lastName, type.path, type.attributes, type.specifiers, type.function)
  for part in type.genericArguments + type.members { check(part) }
  for element in type.elements + (type.function?.parameters ?? []) { check(element.type) }
  check(type.base)
  check(type.keyAndValue?.value)
  check(type.function?.result)
}
