/// A form in which findings are printed.
enum OutputFormat: String, Sendable, CaseIterable {
  case text, xcode, json, sarif, github, gitlab, checkstyle, junit, markdown, html, azure, teamcity

  /// Whether nothing else may stand in the same stream.
  var isDocument: Bool {
    switch self {
    case .text, .xcode, .github, .azure, .teamcity: false
    case .json, .sarif, .gitlab, .checkstyle, .junit, .markdown, .html: true
    }
  }
}

/// A form, and the file it goes to; standard output when there is none.
struct FormatRequest: Sendable, Equatable {
  let format: OutputFormat
  var file: String?
}

extension FormatRequest {
  /// Reads `FORMAT` or `FORMAT:FILE`; nothing when there is no such format.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard let format = OutputFormat(rawValue: parts.first ?? "") else { return nil }
    self.init(format: format, file: parts.dropFirst().first)
  }
}

extension Options {
  /// What GitLab takes as the name of a code quality report unless told otherwise.
  private static let gitLabReport = "gl-code-quality-report.json"

  /// All forms that are wanted; where none is named, the surroundings decide what joins the text.
  func formatRequests() throws(CommandError) -> [FormatRequest] {
    var requests = formats
    if requests.isEmpty { requests = Options.requestsOfSurroundings(hasOutput: output != nil) }
    if let output {
      let free = requests.indices.filter { requests[$0].file == nil }
      guard free.count == 1 else {
        throw .usage("--output is for one format; write --format FORMAT:FILE for each of several")
      }
      requests[free[0]].file = output
    }
    let shown = requests.filter { $0.file == nil }
    if shown.count > 1, let document = shown.first(where: \.format.isDocument) {
      let name = document.format.rawValue
      throw .usage(
        "\(name) can't share standard output with another format; write --format \(name):FILE")
    }
    return requests
  }

  private static func requestsOfSurroundings(hasOutput: Bool) -> [FormatRequest] {
    var requests = [FormatRequest(format: .text)]
    if hasOutput { return requests }
    if isInGitHubActions { requests.append(FormatRequest(format: .github)) }
    if System.environment("GITLAB_CI") == "true" {
      requests.append(FormatRequest(format: .gitlab, file: gitLabReport))
    }
    return requests
  }

  /// Whether the output is read by a runner that takes commands from it.
  static var isInGitHubActions: Bool { System.environment("GITHUB_ACTIONS") == "true" }
}
