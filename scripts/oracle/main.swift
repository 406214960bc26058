import Glibc
import SwiftParser
import SwiftSyntax

/// The sums of one thread.
struct Tally {
  var files = 0
  var erroneousFiles = 0
  var unreadableFiles = 0
  var bytes = 0
  var tokens = 0
  var comments = 0
  var splits = 0
  var filesThatDiffer = 0
  var erroneousFilesThatDiffer = 0
  /// The number of differences of each class in files that parse, and the first few places.
  var classes: [String: (count: Int, places: [String])] = [:]
  var classesInErroneousFiles: [String: (count: Int, places: [String])] = [:]
  /// The nodes of the reference by kind, how many are the same, and what differs, in files that parse.
  var nodes: [String: (all: Int, same: Int)] = [:]
  var nodeClasses: [String: (count: Int, places: [String])] = [:]

  mutating func add(_ differences: [Difference], path: String, text: SourceText, isErroneous: Bool)
  {
    if differences.isEmpty { return }
    if isErroneous { erroneousFilesThatDiffer += 1 } else { filesThatDiffer += 1 }
    for difference in differences {
      let place = "\(path):\(text.line(at: difference.offset))"
      if isErroneous {
        Self.count(difference.name, place, in: &classesInErroneousFiles)
      } else {
        Self.count(difference.name, place, in: &classes)
      }
    }
  }

  mutating func add(_ comparison: ItemComparison, path: String, text: SourceText) {
    nodes.merge(comparison.counts) { ($0.all + $1.all, $0.same + $1.same) }
    for difference in comparison.differences {
      let known = nodeClasses[difference.name]?.places.count ?? 0
      let place =
        known < examplesPerClass ? "\(path):\(text.line(at: difference.offset))" : ""
      Self.count(difference.name, place, in: &nodeClasses)
    }
  }

  private static func count(
    _ name: String, _ place: String, in classes: inout [String: (count: Int, places: [String])]
  ) {
    var entry = classes[name] ?? (0, [])
    entry.count += 1
    if entry.places.count < examplesPerClass { entry.places.append(place) }
    classes[name] = entry
  }

  mutating func add(_ other: Tally) {
    files += other.files
    erroneousFiles += other.erroneousFiles
    unreadableFiles += other.unreadableFiles
    bytes += other.bytes
    tokens += other.tokens
    comments += other.comments
    splits += other.splits
    filesThatDiffer += other.filesThatDiffer
    erroneousFilesThatDiffer += other.erroneousFilesThatDiffer
    let join = { (a: (count: Int, places: [String]), b: (count: Int, places: [String])) in
      (count: a.count + b.count, places: Array((a.places + b.places).prefix(examplesPerClass)))
    }
    nodes.merge(other.nodes) { ($0.all + $1.all, $0.same + $1.same) }
    nodeClasses.merge(other.nodeClasses, uniquingKeysWith: join)
    classes.merge(other.classes, uniquingKeysWith: join)
    classesInErroneousFiles.merge(other.classesInErroneousFiles, uniquingKeysWith: join)
  }
}

let examplesPerClass = 8

extension SourceText {
  /// The line number at an offset, and the line's text.
  func line(at offset: Int) -> String {
    let offset = min(offset, count)
    let number = bytes[..<offset].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    let lower = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let upper = bytes[offset...].firstIndex(of: 0x0A) ?? count
    let column = offset - lower + 1
    return "\(number):\(column): \(self[max(lower, offset - 60)..<min(upper, offset + 60)])"
  }

  static func file(_ path: String) -> SourceText? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return SourceText(capacity: Int(status.st_size)) { target in
      var total = 0
      while total < target.count {
        let length = read(descriptor, target.baseAddress! + total, target.count - total)
        if length <= 0 { break }
        total += length
      }
      return total
    }
  }
}

/// Collects the texts of string literals, which in a parser's tests are programs of their own.
final class Snippets: SyntaxVisitor {
  var texts: [String] = []

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if let text = node.representedLiteralValue, text.count > 3 {
      // Place markers such as 1️⃣ are no part of the program.
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        if scalar.value == 0x20E3 {
          if scalars.last?.value == 0xFE0F { scalars.removeLast() }
          if scalars.last?.properties.numericType != nil { scalars.removeLast() }
        } else {
          scalars.append(scalar)
        }
      }
      texts.append(String(scalars))
    }
    return .visitChildren
  }
}

/// Walks over one share of the files.
final class Worker: @unchecked Sendable {
  private(set) var tally = Tally()
  private let paths: [String]
  private let withSnippets: Bool
  private let projects: Projects

  init(paths: [String], withSnippets: Bool, projects: Projects) {
    self.paths = paths
    self.withSnippets = withSnippets
    self.projects = projects
  }

  func run() {
    for path in paths {
      guard let text = SourceText.file(path) else {
        tally.unreadableFiles += 1
        continue
      }
      let tree = SwiftParser.Parser.parse(source: text.bytes)
      compare(text, with: tree, path: path)
      if withSnippets {
        let snippets = Snippets(viewMode: .sourceAccurate)
        snippets.walk(tree)
        for (number, snippet) in snippets.texts.enumerated() {
          let text = SourceText(snippet)
          compare(
            text, with: SwiftParser.Parser.parse(source: text.bytes), path: "\(path)#\(number)")
        }
      }
    }
  }

  private func compare(_ text: SourceText, with tree: SourceFileSyntax, path: String) {
    let reference = ReferenceTokens.pieces(of: tree)
    let list = Lexer.lex(text)
    let comparison = Comparison(own: Pieces.own(list), reference: reference)
    tally.bytes += text.count
    if tree.hasError {
      tally.erroneousFiles += 1
    } else {
      tally.files += 1
      tally.tokens += reference.tokens.count
      tally.comments += reference.comments.count
      tally.splits += comparison.splits
      let outline = Outline(text, tokens: list)
      let (own, reference) = items(of: outline, tree, projects.operators(of: path))
      tally.add(ItemComparison(own: own, reference: reference), path: path, text: text)
    }
    tally.add(comparison.differences, path: path, text: text, isErroneous: tree.hasError)
  }
}

/// The items of both sides: nodes, folded operators, types and patterns.
func items(
  of outline: Outline, _ tree: SourceFileSyntax, _ operators: Operators
) -> (own: [Item], reference: [Item]) {
  var unjudged: Set<Int> = []
  let context = OutlineContext(outline)
  context.fold(by: operators.own)
  let ownFolds = Item.ownFolds(context, unjudged: &unjudged)
  let folds = ReferenceFolds(operators)
  folds.walk(tree)
  unjudged.formUnion(folds.unjudged)
  let types = ReferenceTypes(viewMode: .sourceAccurate)
  types.walk(tree)
  let patterns = ReferencePatterns(viewMode: .sourceAccurate)
  patterns.walk(tree)
  return (
    Item.own(outline) + ownFolds.filter { !unjudged.contains($0.name) } + Item.ownTypes(outline)
      + Item.ownPatterns(context),
    ReferenceItems.items(of: tree) + folds.items.filter { !unjudged.contains($0.name) }
      + types.items + patterns.items
  )
}

/// The operators of each project, which is a folder right beneath the one that all files are in.
struct Projects: Sendable {
  private var operators: [String: Operators] = [:]
  private let depth: Int

  init(_ paths: [String]) {
    var common = paths.first.map { Array($0.split(separator: "/").dropLast()) } ?? []
    for path in paths {
      let parts = path.split(separator: "/").dropLast()
      common = zip(common, parts).prefix { $0 == $1 }.map(\.0)
    }
    depth = common.count
    for path in paths {
      guard let text = SourceText.file(path) else { continue }
      operators[project(of: path), default: Operators()].add(text)
    }
  }

  func operators(of path: String) -> Operators { operators[project(of: path)] ?? Operators() }

  private func project(of path: String) -> String {
    path.split(separator: "/").dropFirst(depth).first.map { String($0) } ?? ""
  }
}

/// Runs the workers on threads whose stacks hold the deepest trees.
func runAll(_ workers: [Worker]) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 1 << 30)
  var threads: [pthread_t] = []
  for worker in workers {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(worker).toOpaque()
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<Worker>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, argument)
    if status == 0 { threads.append(thread) }
  }
  for thread in threads { pthread_join(thread, nil) }
}

func printClasses(_ title: String, _ classes: [String: (count: Int, places: [String])]) {
  guard !classes.isEmpty else { return }
  print("\n\(title)")
  for (name, entry) in classes.sorted(by: { $0.value.count > $1.value.count }) {
    print("  \(entry.count)\t\(name)")
    for place in entry.places { print("\t\t\(place)") }
  }
}

let arguments = CommandLine.arguments.dropFirst()
let withSnippets = arguments.contains("--snippets")
let showsErroneous = arguments.contains("--erroneous")
let threads = 2
var shares = [[String]](repeating: [], count: threads)
var paths: [String] = []
while let path = readLine(strippingNewline: true) {
  shares[paths.count % threads].append(path)
  paths.append(path)
}
let projects = Projects(paths)
let workers = shares.map { Worker(paths: $0, withSnippets: withSnippets, projects: projects) }
runAll(workers)
var sum = Tally()
for worker in workers { sum.add(worker.tally) }
print("files that parse       \(sum.files)")
print("  tokens               \(sum.tokens)")
print("  comments             \(sum.comments)")
print("  split by the parser  \(sum.splits)")
let differences = sum.classes.values.reduce(0) { $0 + $1.count }
print("  differences          \(differences) in \(sum.filesThatDiffer) files")
print("files with errors      \(sum.erroneousFiles)")
let others = sum.classesInErroneousFiles.values.reduce(0) { $0 + $1.count }
print("  differences          \(others) in \(sum.erroneousFilesThatDiffer) files")
if sum.unreadableFiles > 0 { print("files not read         \(sum.unreadableFiles)") }
print("bytes                  \(sum.bytes)")
printClasses("Differences by class, with the first places", sum.classes)
if showsErroneous {
  printClasses("Differences in files with errors", sum.classesInErroneousFiles)
}
let all = sum.nodes.values.reduce(0) { $0 + $1.all }
let same = sum.nodes.values.reduce(0) { $0 + $1.same }
let tenThousandths = all == 0 ? 1_000_000 : same * 1_000_000 / all
func percent(_ tenThousandths: Int) -> String {
  let digits = String(tenThousandths % 10_000 + 10_000).dropFirst()
  return "\(tenThousandths / 10_000).\(digits) %"
}
print("\nOutline nodes          \(all), the same \(same) (\(percent(tenThousandths)))")
for (kind, count) in sum.nodes.sorted(by: { $0.value.all > $1.value.all }) {
  let share = percent(count.all == 0 ? 1_000_000 : count.same * 1_000_000 / count.all)
  print("  \(count.all)\t\(share)\t\(kind)")
}
printClasses("Differences of the outline by class", sum.nodeClasses)
exit(differences == 0 ? 0 : 1)
