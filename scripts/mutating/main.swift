import Foundation
import Mutation
import PersistPages
import PersistRules

/// A test: a sample of a page, as it stands, reshaped, or as its near twin.
struct Check {
  let page: Page
  let sample: Page.Sample
  var reshape: Reshape?
  var twin: Twin?

  var name: String {
    "\(page.name):\(twin?.line ?? sample.line)" + (reshape.map { " \($0.rawValue)" } ?? "")
  }

  var holds: Bool {
    if let twin { return twin.mistake == nil && twin.found(rule: page.id) == twin.places }
    if let reshape {
      let files = sample.files.map(Expectation.withoutCarets).map {
        Reshape.File(path: $0.path, code: $0.code)
      }
      return Outcome.said(files, rule: page.id)
        == Outcome.said(reshape.apply(files), rule: page.id)
    }
    var found = Outcome(sample.files, rule: page.id).findings
    if sample.isCorrect { return found.isEmpty }
    found.removeAll { $0.rule.text != page.id }
    for file in sample.files where !file.isShipped {
      for wanted in Expectation.expectations(in: file, rule: page.id) {
        guard let match = found.firstIndex(where: { $0.meets(wanted) }) else { return false }
        found.remove(at: match)
      }
    }
    return found.isEmpty
  }

  static func all(_ reshapes: [Reshape] = []) -> [Check] {
    Page.all.flatMap { page in
      page.samples.flatMap { sample -> [Check] in
        guard !reshapes.isEmpty else { return [Check(page: page, sample: sample)] }
        guard !sample.files.contains(where: \.isShipped) else { return [] }
        return reshapes.map { Check(page: page, sample: sample, reshape: $0) }
      }
        + (reshapes.isEmpty ? page.twins : []).map { twin in
          Check(page: page, sample: twin.sample, twin: twin)
        }
    }
  }
}

/// A sample as text, and the mutant that is to find in it what it shouldn't.
struct Question: Codable {
  struct File: Codable {
    let path: String
    let code: String
    let isShipped: Bool
  }

  struct Found: Codable {
    let rule: String
    let path: String
    let lines: [Int]
    let columns: [Int]
    let severity: String
    let message: String
  }

  struct Answer: Codable {
    let outcome: UInt8
    let usual: [Found]
    var changed: [Found]
  }

  let rule: String
  let files: [File]
  var site: Int?
  var change: String?
  var outcomes: UInt8?

  init(_ check: Check) {
    rule = check.page.id
    files = check.sample.files.map {
      File(path: $0.path, code: Expectation.withoutCarets($0).code, isShipped: $0.isShipped)
    }
  }

  var findings: [Found] {
    let files = files.map { Page.File(path: $0.path, code: $0.code, isShipped: $0.isShipped) }
    return Outcome(files, rule: rule).findings.map {
      Found(
        rule: $0.rule.text, path: $0.location.path,
        lines: [$0.location.start.line, $0.location.end.line],
        columns: [$0.location.start.column, $0.location.end.column],
        severity: $0.severity.rawValue, message: $0.message)
    }
  }
}

func write(_ value: some Encodable) throws {
  FileHandle.standardOutput.write(try JSONEncoder().encode(value) + Data("\n".utf8))
}

// mutants cover: a line for each sample: number, whether it holds, microseconds, rule, name, and the
// conditions that it judges with what they come to; then the names of the rows. mutants run, with numbers on standard input: the
// first of these samples that doesn't hold. mutants samples: the samples as JSON. mutants ask, with such
// samples on standard input and a mutant in each: what is found with and without it. mutants reshape: the samples in which a change of what
// doesn't matter changes a finding.
let limit = 1 << 14
switch CommandLine.arguments.dropFirst().first {
case "cover":
  for (number, check) in Check.all().enumerated() {
    outcomes.update(repeating: 0, count: limit)
    let start = DispatchTime.now().uptimeNanoseconds
    let holds = check.holds
    let time = (DispatchTime.now().uptimeNanoseconds - start) / 1000
    let sites = (0..<limit).filter { outcomes[$0] > 0 }.map { "\($0):\(outcomes[$0])" }
    print(
      "\(number)\t\(holds)\t\(time)\t\(check.page.id)\t\(check.name)\t"
        + sites.joined(separator: " "))
  }
  for name in rowNames { print("row \(name)") }
case "run":
  let all = Check.all()
  while let line = readLine() {
    for number in line.split(separator: " ").compactMap({ Int($0) }) where !all[number].holds {
      print(all[number].name)
      exit(1)
    }
  }
case "samples":
  for check in Check.all() { try write(Question(check)) }
case "ask":
  while let line = readLine() {
    let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
    outcomes.update(repeating: 0, count: limit)
    let usual = question.findings
    var answer = Question.Answer(
      outcome: outcomes[question.site ?? 0], usual: usual, changed: usual)
    if answer.outcome & (question.outcomes ?? 0) != 0 {
      mutant = (question.site ?? 0, question.change ?? "")
      answer.changed = question.findings
      mutant.site = -1
    }
    try write(answer)
  }
case "reshape":
  for check in Check.all(Reshape.allCases) where !check.holds { print(check.name) }
default:
  print("mutants cover|run|samples|ask|reshape")
  exit(2)
}
