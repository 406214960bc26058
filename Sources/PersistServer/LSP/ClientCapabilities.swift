import PersistReport

/// What an editor said that it can do.
struct ClientCapabilities: Sendable {
  var encoding = PositionEncoding.utf16
  var showsRelatedPlaces = false
  var showsLinksOfCodes = false
  var takesVersionsOfDiagnostics = false
  var takesMarkdown = false
  var takesCodeActions = false
  var knowsPreferredActions = false
  var takesDocumentChanges = false
  var watchesFiles = false
  var showsProgress = false

  init() {}

  init(_ json: JSON?) {
    let general = json?["general"]?["positionEncodings"]?.array ?? []
    // The editor's first choice among those that are spoken here.
    encoding =
      general.lazy.compactMap { $0.string.flatMap(PositionEncoding.init(rawValue:)) }.first
      ?? .utf16
    let document = json?["textDocument"]
    let diagnostics = document?["publishDiagnostics"]
    showsRelatedPlaces = diagnostics?["relatedInformation"]?.boolean ?? false
    showsLinksOfCodes = diagnostics?["codeDescriptionSupport"]?.boolean ?? false
    takesVersionsOfDiagnostics = diagnostics?["versionSupport"]?.boolean ?? false
    takesMarkdown =
      document?["hover"]?["contentFormat"]?.array?.contains { $0.string == "markdown" } ?? false
    takesCodeActions = document?["codeAction"]?["codeActionLiteralSupport"] != nil
    knowsPreferredActions = document?["codeAction"]?["isPreferredSupport"]?.boolean ?? false
    let workspace = json?["workspace"]
    takesDocumentChanges = workspace?["workspaceEdit"]?["documentChanges"]?.boolean ?? false
    watchesFiles =
      workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.boolean ?? false
    showsProgress = json?["window"]?["workDoneProgress"]?.boolean ?? false
  }
}
