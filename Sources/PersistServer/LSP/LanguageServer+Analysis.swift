import PersistReport
import PersistRules

extension LanguageServer {
  package mutating func wake(at now: Double) -> [Effect<AnalysisRequest>] {
    var effects = startDue(at: now)
    for index in roots.indices where client.showsProgress {
      guard let job = roots[index].job, job.progress == .none, job.start + Self.patience <= now
      else { continue }
      effects.append(askForProgress(index))
    }
    return effects
  }

  /// Looks at each root for which it is time; a look at what is outdated since is stopped.
  mutating func startDue(at now: Double) -> [Effect<AnalysisRequest>] {
    var effects: [Effect<AnalysisRequest>] = []
    for index in roots.indices {
      let root = roots[index]
      guard let due = root.due, due <= now else { continue }
      if let job = root.job {
        effects.append(.cancel(job.number))
        effects += endProgress(of: job, "started again")
      }
      number += 1
      roots[index].due = nil
      roots[index].job = RunningJob(number: number, state: root.wanted, start: now)
      let texts = documents.filter { root.holds($0.key) }.mapValues(\.bytes)
      effects.append(.start(number, AnalysisRequest(folder: root.folder, texts: texts)))
      // The first look reads and lexes every file.
      if root.known < 0, client.showsProgress { effects.append(askForProgress(index)) }
    }
    return effects
  }

  package mutating func finish(
    _ job: Int, _ outcome: AnalysisOutcome, at now: Double
  ) -> [Effect<AnalysisRequest>] {
    guard let index = roots.firstIndex(where: { $0.job?.number == job }),
      let running = roots[index].job
    else { return [] }
    roots[index].job = nil
    roots[index].known = running.state
    var effects: [Effect<AnalysisRequest>] = []
    switch outcome {
    case .findings(let analysis):
      roots[index].failure = nil
      roots[index].take(analysis)
      let new = analysis.report.notices.filter { roots[index].notices.insert($0).inserted }
      effects += new.map {
        .send(
          Outgoing.notification(
            "window/logMessage", ["type": 2, "message": .string($0.message)]))
      }
      effects += publish()
      effects += endProgress(of: running, analysis.report.counts)
    case .failure(let reason):
      // What was found last is truer than nothing.
      if roots[index].failure != reason {
        effects.append(
          .send(
            Outgoing.notification(
              "window/showMessage",
              ["type": 1, "message": .string("persistlint: \(reason)")])))
      }
      roots[index].failure = reason
      effects += endProgress(of: running, "failed")
    }
    return effects + answerWaiting()
  }

  // MARK: Progress

  private mutating func askForProgress(_ index: Int) -> Effect<AnalysisRequest> {
    number += 1
    let token = "persistlint-\(number)"
    roots[index].job?.progress = .asked(token)
    asked[number] = token
    return .send(
      Outgoing.request(
        .integer(number), "window/workDoneProgress/create", ["token": .string(token)]))
  }

  /// Begins what the editor agreed to show, if it still goes on.
  mutating func showProgress(_ token: String) -> [Effect<AnalysisRequest>] {
    guard let index = roots.firstIndex(where: { $0.job?.progress == .asked(token) }) else {
      return []
    }
    roots[index].job?.progress = .shown(token)
    let name = roots[index].folder.split(separator: "/").last ?? "/"
    return [
      .send(
        Outgoing.notification(
          "$/progress",
          [
            "token": .string(token),
            "value": [
              "kind": "begin", "title": "persistlint", "message": .string(String(name)),
              "cancellable": false,
            ],
          ]))
    ]
  }

  func endProgress(of job: RunningJob, _ message: String) -> [Effect<AnalysisRequest>] {
    guard case .shown(let token) = job.progress else { return [] }
    return [
      .send(
        Outgoing.notification(
          "$/progress",
          ["token": .string(token), "value": ["kind": "end", "message": .string(message)]]))
    ]
  }
}
