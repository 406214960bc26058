import PersistPages
import PersistRules

/// Where the project lives.
package enum Project {
  /// The address of the repository, without a slash at the end.
  package static let address = "https://github.com/persistlint/persistlint"
}

extension RulePage {
  private static let longestText = 1_024
  private static let largestTagCount = 10

  /// The address of the page in the repository.
  package var address: String { "\(Project.address)/blob/main/Rules/\(id).md" }

  /// The first paragraph of the page: why the rule exists.
  package var explanation: String {
    var lines: [Substring] = []
    for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") || (lines.isEmpty && line.isEmpty) { continue }
      if line.isEmpty { break }
      lines.append(line)
    }
    return lines.joined(separator: " ")
  }

  /// The rule as a reporting descriptor.
  var sarif: JSON {
    var configuration: JSON = ["level": .string((severity ?? .note).rawValue)]
    if severity == nil { configuration.add("enabled", false) }
    let explanation = explanation
    let properties: JSON = [
      "tags": .array(tags.prefix(RulePage.largestTagCount).map { .string($0) }),
      "precision": .string(precision.rawValue),
      "problem.severity": .string(problemSeverity),
    ]
    return [
      "id": .string(id.text),
      "name": .string(name),
      "shortDescription": ["text": .string(title.cut(to: RulePage.longestText))],
      "fullDescription": [
        "text": .string((explanation.isEmpty ? title : explanation).cut(to: RulePage.longestText))
      ],
      "help": ["text": .string(body), "markdown": .string(body)],
      "helpUri": .string(address),
      "defaultConfiguration": configuration,
      "properties": properties,
    ]
  }

  private var problemSeverity: String {
    guard let severity, severity > .note else { return "recommendation" }
    return severity.rawValue
  }

  /// `FatalErrorOnStoreOpen` for `fatal-error-on-store-open`.
  private var name: String {
    id.text.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

extension String {
  /// At most so many characters, cut after a whole sentence where there is one.
  fileprivate func cut(to length: Int) -> String {
    guard utf16.count > length else { return self }
    var kept = ""
    var units = 1
    for character in self {
      units += character.utf16.count
      if units > length { break }
      kept.append(character)
    }
    guard let end = kept.lastIndex(of: "."), end > kept.startIndex else { return kept + "…" }
    return String(kept[...end])
  }
}
