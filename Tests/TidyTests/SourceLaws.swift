import Foundation
import Testing

/// What holds for every source file, whatever it does.
@Suite struct SourceLaws {
  private static let allowedImports: [String: Set<String>] = [
    "PersistSyntax": [],
    "PersistSchema": [],
    "PersistStore": ["PersistSchema"],
    "PersistProject": [],
    "PersistPages": [],
    "PersistIndex": ["PersistSyntax", "PersistSchema", "PersistProject"],
    "PersistFlow": ["PersistSyntax", "PersistIndex"],
    "PersistVersions": ["PersistSyntax", "PersistSchema", "PersistIndex", "PersistFlow"],
    "PersistRules": [
      "PersistSyntax", "PersistSchema", "PersistProject", "PersistPages", "PersistIndex",
      "PersistFlow", "PersistVersions",
    ],
    "PersistReport": ["PersistRules", "PersistPages"],
    "PersistServer": [
      "PersistRules", "PersistReport", "PersistPages", "Foundation", "FoundationEssentials",
    ],
    "persistlint": [
      "PersistSyntax", "PersistSchema", "PersistStore", "PersistProject", "PersistPages",
      "PersistIndex", "PersistFlow", "PersistVersions", "PersistRules", "PersistReport",
      "PersistServer", "Foundation", "FoundationEssentials", "Darwin", "Glibc", "Musl",
    ],
  ]

  /// The one file below the command that asks the system for something: a lock.
  private static let locking = "Sources/PersistIndex/Files/Guarded.swift"

  private static let topLevel: Set<String> = [
    "CHANGELOG.md", "CONTRIBUTING.md", "Examples", "LICENSE", "Package.swift", "Plugins",
    "README.md", "Rules", "SECURITY.md", "Sources", "Tests", "action.yml", "docs",
    "persistlint.schema.json", "pyproject.toml", "scripts",
  ]

  @Test func theTopLevelHoldsWhatIsMeantToLieThere() throws {
    let found = try FileManager.default.contentsOfDirectory(atPath: Tree.root.path)
    #expect(Set(found.filter { !$0.hasPrefix(".") }).subtracting(Self.topLevel) == [])
  }

  private static let forbidden = [
    "fatalError(", "preconditionFailure(", "try!", " as! ", "TODO", "FIXME", "XXX",
  ]

  @Test(arguments: Tree.sources) func importsAreThoseOfTheTable(file: Tree.File) throws {
    guard !file.isGenerated else { return }
    let allowed = try #require(SourceLaws.allowedImports[file.target], "a module of its own?")
    let imports = file.lines.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("import ") || $0.hasPrefix("@testable import ") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
    let system: Set = file.path == Self.locking ? ["Darwin", "Glibc", "Musl"] : []
    #expect(Set(imports).subtracting(allowed).subtracting(system) == [])
  }

  @Test(arguments: Tree.sources) func rulesAskFactsAndWalkNoNodes(file: Tree.File) {
    guard file.path.hasPrefix("Sources/PersistRules/Rules/") else { return }
    let steps = /\b(kind|children|child|descendants|ancestors|parent|firstChild|sibling)\(/
    #expect(file.code.filter { $0.contains("import PersistSyntax") || $0.contains(steps) } == [])
  }

  @Test(arguments: Tree.sources) func nothingIsPublic(file: Tree.File) {
    let words = file.code.filter {
      ($0.contains("public ") || $0.contains("open "))
        && $0.contains(
          /(^|[ (@])(public|open) (final |static |class |struct |enum |protocol |extension |func |var |let |init|typealias |actor |subscript)/
        )
    }
    #expect(words == [])
  }

  @Test(arguments: Tree.sources + Tree.tests)
  func filesHaveAtMost500Lines(file: Tree.File) {
    guard !file.isGenerated else { return }
    #expect(file.lines.count <= 501)
  }

  @Test(arguments: Tree.sources + Tree.tests)
  func functionsHaveAtMost60Lines(file: Tree.File) {
    guard !file.isGenerated else { return }
    #expect(file.longFunctions(over: 60) == [])
  }

  @Test(arguments: Tree.sources) func nothingTrapsOrIsLeftUndone(file: Tree.File) {
    guard !file.isGenerated else { return }
    let found = file.code.filter { line in
      SourceLaws.forbidden.contains { line.contains($0) && line.withoutStrings.contains($0) }
    }
    #expect(found == [])
  }

  @Test(
    arguments: Tree.sources.filter {
      ["PersistSyntax", "PersistIndex", "PersistVersions", "PersistProject"].contains($0.target)
    })
  func analysisHasAValueForAnyBytes(file: Tree.File) {
    let found = file.code.filter { line in
      [") throws", " throw ", " try ", "try? "].contains {
        line.contains($0) && line.withoutStrings.contains($0)
      }
    }
    #expect(found == [])
  }

  /// Only these touch files and streams; all else asks them.
  private static let touching: Set<String> = [
    "FileReader", "FileWriter", "Console", "Defects", "System", "System+Folders", "GitProcess",
    "Terminal",
  ]

  private static let callsThatTouch = [
    "print(", "debugPrint(", "dump(", "fopen(", "fputs(", "fwrite(", "fdopen(", "FileHandle(",
    "FileManager.", "contentsOfFile:", "Data(contentsOf:", "String(contentsOf:", ".write(to:",
    ".write(toFile:", "InputStream(", "OutputStream(", "Glue.",
    ".readDataToEndOfFile(", "Process()", "posix_spawn", "execv", "creat(", "mkstemp(", "rename(",
    "unlink(", "symlink(", "truncate(",
  ]

  @Test(arguments: Tree.sources) func filesAndStreamsAreTouchedInOnePlaceEach(file: Tree.File) {
    let name = file.path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    guard !SourceLaws.touching.contains(name ?? "") else { return }
    let found = file.codeOutsideOfTexts.filter { line in
      let code = line.withoutStrings
      return SourceLaws.callsThatTouch.contains { call in
        code.ranges(of: call).contains { range in
          let before = code[..<range.lowerBound].last
          return !(before.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false)
            && !(call.first != "." && before == "." && !call.hasPrefix("Glue"))
        }
      }
    }
    #expect(
      found == [], "read with FileReader, write with FileWriter or Destination, print by Console")
  }

  @Test(
    arguments: Tree.sources.filter { file in
      // Fixes write text.
      ["PersistIndex", "PersistVersions", "PersistRules"].contains(file.target)
        && !file.path.contains("/Fixes/")
    })
  func codeIsNotJudgedByItsText(file: Tree.File) {
    let found = file.code.filter { line in
      line.contains("text(") && !line.contains("text(ofToken:")
        && line.contains(
          #/
            (?:^|[^A-Za-z]) text\( [^()]* (?: \( [^()]* \) [^()]* )* \) \?? (?: \.lowercased\(\) )?
            (?: \.(?:contains|hasPrefix|hasSuffix|split|replacing|camelWords)\b | \s[!=]=\s" )
            | \]\.contains\( (?:program\.)? text\(
          /#)
    }
    #expect(found == [], "ask nodes, tokens or names; PersistIndex/Values has views of them")
  }

  /// What counts brackets asks whether it is at the outermost (`depth == 0`), and never how deep.
  @Test(
    arguments: Tree.sources.filter {
      ["PersistIndex", "PersistVersions", "PersistRules"].contains($0.target)
    })
  func boundsAreNamedInLimit(file: Tree.File) {
    let found = file.code.filter { line in
      ["<", ">", "static "].contains(where: line.contains)
        && line.withoutStrings.contains(
          #/
            (?: [dD]epth | \b(?:steps|hops|rounds?|level|fuel) | \b(?:open|seen|visited)\.count )
              \s [<>]=? \s (?: Self\. | [0-9] )
            | \s [0-9]+ \s [<>]=? \s [\w.]* (?: [dD]epth | \b(?:steps|hops|rounds?|fuel) ) \b
            | \b for \s _ \s in \s 0 \.\.[<.] (?: [3-9] | [0-9]{2} | Self )
            | static \s (?:let|var) \s \w*
              (?: [dD]epth | [sS]teps | [rR]ounds | [lL]imit | [mM]aximum\w* ) (?: :\sInt )?
              \s [={] \s [0-9]
          /#)
    }
    #expect(found == [], "name the bound in Limit.swift, and ask isWithin or allows")
  }

  @Test(arguments: Tree.sources) func packageDeclarationsSayWhatTheyAre(file: Tree.File) {
    let lines = file.lines.map { $0.trimmingCharacters(in: .whitespaces) }
    for (index, line) in lines.enumerated()
    where line.contains("package ")
      && line.contains(
        /^(@\w+ )*package (final |static |indirect )*(struct|enum|class|protocol|func)/)
    {
      let above = lines[..<index].last { !$0.hasPrefix("@") } ?? ""
      #expect(
        above.hasPrefix("///") || line.contains("func <"), "\(file.path):\(index + 1): \(line)")
    }
  }
}

extension Tree.File {
  /// The lines that aren't comments.
  var code: [String] {
    lines.map(String.init).filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
  }

  /// The lines that are neither comments nor part of a string of several lines, which may hold code
  /// for projects.
  var codeOutsideOfTexts: [String] {
    var isInText = false
    return code.filter { line in
      let wasInText = isInText
      if line.ranges(of: "\"\"\"").count % 2 == 1 { isInText.toggle() }
      return !wasInText && !isInText
    }
  }

  /// The first lines of the functions that take more lines than that.
  func longFunctions(over limit: Int) -> [String] {
    let lines = lines
    return lines.indices.filter { index in
      ["func ", "init", "subscript("].contains(where: lines[index].contains)
        && lines[index].contains(/^ *([\w@()]+ )*(func |init[?(<]|subscript\()/)
        && functionLength(from: index, in: lines) > limit
    }.map { "\(path):\($0 + 1): \(lines[$0])" }
  }

  /// The format puts the closing brace under the first line; 0 for a requirement without a body.
  private func functionLength(from start: Int, in lines: [Substring]) -> Int {
    let indent = lines[start].prefix { $0 == " " }
    let opening = lines[start...].firstIndex { $0.hasSuffix("{") || $0.hasSuffix("}") }
    guard let opening, lines[opening].hasSuffix("{") else { return 0 }
    let isSignature = lines[start...opening].dropFirst().allSatisfy {
      $0.hasPrefix(indent + " ") || $0.hasPrefix(indent + ")") || $0 == indent + "{"
    }
    guard isSignature else { return 0 }
    let end = lines[opening...].firstIndex { $0.hasPrefix(indent + "}") } ?? lines.endIndex
    return end - start + 1
  }
}

extension String {
  /// The line with its string literals emptied, for what they say isn't code.
  var withoutStrings: String { replacing(/"([^"\\]|\\.)*"/, with: "\"\"") }
}
