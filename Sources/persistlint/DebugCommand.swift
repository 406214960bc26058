import PersistFlow
import PersistIndex
import PersistSyntax

/// Shows what the analysis makes of some files: `debug bodies FILE…`, `debug facts FILE…`.
@Sendable func runDebug(_ options: Options) throws(CommandError) -> ExitCode {
  guard let what = options.operands.first, options.operands.count > 1 else {
    throw .usage("debug needs what to show and files, such as debug bodies Sources/Store.swift")
  }
  var files: [SourceFile] = []
  for path in options.operands.dropFirst() {
    let text: SourceText
    do {
      text = try FileReader.text(of: path, atMost: FileReader.Limit.source)
    } catch {
      throw .refusal("\(path) can't be read: \(error.reason)")
    }
    files.append(SourceFile(path: path, outline: Outline(text)))
  }
  let program = Program(files)
  switch what {
  case "bodies":
    let text = BodyText(Bodies(of: program), of: program)
    return try show(files.indices.map { text.text(ofFile: $0) }.joined(separator: "\n"))
  case "facts": return try show(FactsText(Facts(of: program), of: program).text)
  default: throw .usage("debug shows bodies or facts, not '\(what)'")
  }
}
