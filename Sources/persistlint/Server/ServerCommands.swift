import PersistServer

/// Serves agents by the Model Context Protocol.
@Sendable func runAgentServer(_ options: Options) throws(CommandError) -> ExitCode {
  guard options.operands.isEmpty else { throw .usage("mcp serves the current folder only") }
  let tools = AgentTools(options)
  let loop = ServerLoop<AgentServer>(.lines) { call, cancellation in
    tools.perform(call, cancellation)
  }
  let code = loop.run(AgentServer(program: Persistlint.version))
  return ExitCode(rawValue: code) ?? .defect
}
