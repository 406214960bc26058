import PersistIndex
import PersistReport
import PersistRules
import PersistServer

/// Looks at the folders that an editor has open, one after the other.
struct ProjectAnalysis: Sendable {
  private let sessions = Guarded<[String: ServerSession]>([:])
  private let options: Options

  init(_ options: Options) {
    var options = options
    options.isQuiet = true
    self.options = options
  }

  /// Frees what the last look has left.
  @Sendable func cleanUp() {
    for session in sessions.whileHeld({ Array($0.values) }) { session.freeSpent() }
  }

  /// The findings of a root.
  func perform(_ request: AnalysisRequest, _ cancellation: Cancellation) -> AnalysisOutcome {
    let session = sessions.whileHeld { sessions in
      let session = sessions[request.folder] ?? ServerSession(forgivesBrokenSyntax: true)
      sessions[request.folder] = session
      return session
    }
    session.begin(texts: request.texts, cancellation)
    var options = options
    options.session = session
    // All paths of a run are relative to the current folder, and runs never overlap.
    guard System.enter(request.folder) else {
      return .failure("\(request.folder) can't be read")
    }
    do throws(CommandError) {
      let run = try LintRun.finished(options)
      let files = Dictionary(
        run.input.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
      let comments = SuppressionComments(reason: "")
      return .findings(
        Analysis(
          report: run.report(seconds: 0),
          suppressions: run.result.findings.map { finding in
            files[finding.location.path].flatMap { comments.fix(for: finding, in: $0) }
          }))
    } catch {
      switch error {
      case .usage(let reason), .refusal(let reason): return .failure(reason.onOneLine)
      }
    }
  }
}
