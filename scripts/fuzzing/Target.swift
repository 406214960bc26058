import PersistIndex
import PersistRules
import PersistSyntax

/// Judges one input as a program of one file, or of two when a NUL stands in it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let parts = UnsafeBufferPointer(start: start, count: count).split(
    separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
  var files: [SourceFile] = []
  for (index, part) in parts.enumerated() {
    let outline = Outline(SourceText(part))
    check(outline)
    files.append(SourceFile(path: "Sources/App/File\(index).swift", outline: outline, rootDepth: 0))
  }
  let program = Program(files)
  _ = program.judge(Registry.check(program))
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
}
