/// Patterns among the paths that a shell has not expanded, because they stand in quotes.
extension Options {
  /// Puts the files that a pattern matches in its place; what is there under the name itself stays.
  mutating func expandPatterns(_ configuration: Configuration) throws(CommandError) {
    var expanded: [String] = []
    for operand in operands {
      guard operand.contains(where: { "*?[".contains($0) }), !System.hasEntry(operand) else {
        expanded.append(operand)
        continue
      }
      let files = try files(matching: operand, configuration)
      guard !files.isEmpty else { throw .refusal("\(operand): no Swift file matches this pattern") }
      expanded += files
    }
    operands = expanded
  }

  /// The files below the folders that the pattern names without signs; sorted.
  private func files(
    matching pattern: String, _ configuration: Configuration
  ) throws(CommandError) -> [String] {
    let names = pattern.split(separator: "/").map(String.init)
    let plain = names.dropLast().prefix { name in !name.contains { "*?[".contains($0) } }
    let start = (pattern.hasPrefix("/") ? "/" : "") + plain.joined(separator: "/")
    guard let root = System.resolve(start.isEmpty ? "." : start) else {
      throw .refusal("\(pattern): \(SystemError.last.reason)")
    }
    let glob = Glob(names.dropFirst(plain.count).joined(separator: "/"))
    var walk = FileWalk(
      root: System.resolve(".") ?? "/",
      filter: configuration.filter(respectsGitIgnore: respectsGitIgnore), configuration)
    var found: [String] = []
    walk.take = { file in
      let inner = Glob.names(of: file.absolute.dropFirst(root.inner("").count))
      guard file.kind == .swift, file.absolute.hasPrefix(root.inner("")),
        inner.indices.contains(where: { glob.matches(Array(inner[...$0])) })
      else { return }
      found.append(file.shown)
    }
    do throws(SystemError) {
      try walk.add(root)
    } catch {
      throw .refusal("\(pattern): \(error.reason)")
    }
    return found.sorted()
  }
}
