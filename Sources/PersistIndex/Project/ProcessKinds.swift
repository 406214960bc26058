import PersistProject
import PersistSyntax

extension Program {
  /// The kinds of the processes that run the code at a place; none where no project tells.
  package func processKinds(at place: Ref) -> Set<Target.Kind> {
    let own = targetsOfFiles[Int(place.file)]
    return Set(own.flatMap { projects.processes(of: $0) }.map { projects.targets[$0].kind })
      .subtracting([.watchApp])
  }

  /// The name of the first process that runs the code at a place; "" where no project tells.
  package func processName(at place: Ref) -> String {
    let own = targetsOfFiles[Int(place.file)]
    return own.flatMap { projects.processes(of: $0) }.min().map { index in
      projects.targets[index].root + "\n" + projects.targets[index].name
    } ?? ""
  }

  /// Whether one process may run the code at two places; where no project tells, it may.
  package func mayShareProcess(_ one: Ref, _ other: Ref) -> Bool {
    let processes = [one, other].map { place in
      Set(
        targetsOfFiles[Int(place.file)].flatMap { projects.processes(of: $0) })
    }
    return processes.contains { $0.isEmpty } || !processes[0].isDisjoint(with: processes[1])
  }

  /// Whether only watch apps run the code at a place.
  package func runsOnWatchOnly(_ place: Ref) -> Bool {
    let own = targetsOfFiles[Int(place.file)]
    let processes = Set(own.flatMap { projects.processes(of: $0) })
    return !processes.isEmpty && processes.allSatisfy { projects.targets[$0].kind == .watchApp }
  }

  /// Whether code is built for the Mac alone, which suspends no process.
  package func isForMacOnly(_ node: Ref) -> Bool {
    let built = projects.platforms(of: files[Int(node.file)].path)
    if built == [.macOS] { return true }
    let platforms = platformsThatSuspend(built)
    return ancestors(node).contains { clause in
      kind(clause) == .ifConfigClause && platforms.allSatisfy { !isActive(clause, on: $0) }
        && isActive(clause, on: .macOS)
    }
  }

  private func platformsThatSuspend(_ built: Set<Platform>?) -> Set<Platform> {
    (built ?? Set(Platform.allCases)).subtracting([.macOS])
  }
}
