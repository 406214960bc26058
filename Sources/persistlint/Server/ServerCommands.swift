import PersistServer

/// Serves agents by the Model Context Protocol.
@Sendable func runAgentServer(_ options: Options) throws(CommandError) -> ExitCode {
  guard options.operands.isEmpty else { throw .usage("mcp serves the current folder only") }
  let tools = AgentTools(options)
  let loop = ServerLoop<AgentServer>(.lines, cleanUp: tools.cleanUp) { call, cancellation in
    tools.perform(call, cancellation)
  }
  let code = loop.run(AgentServer(program: Persistlint.version))
  return ExitCode(rawValue: code) ?? .defect
}

/// Serves an editor by the Language Server Protocol.
@Sendable func runLanguageServer(_ options: Options) throws(CommandError) -> ExitCode {
  guard options.operands.isEmpty else { throw .usage("lsp takes its folders from the editor") }
  let analysis = ProjectAnalysis(options)
  let loop = ServerLoop<LanguageServer>(.headers, cleanUp: analysis.cleanUp) {
    request, cancellation in
    analysis.perform(request, cancellation)
  }
  let surroundings = Surroundings(
    resolve: { $0.resolvedOrPlanned },
    project: { path in
      let folder = parentFolder(of: path) ?? "/"
      let configuration = try? Configuration.load(named: nil, forPaths: [folder])
      return ProjectRoot(
        around: folder, configuration ?? Configuration(folder: folder)
      ).path
    })
  let code = loop.run(LanguageServer(program: Persistlint.version, surroundings: surroundings))
  return code == 0 ? .clean : .found
}
