import PersistReport
import PersistSchema

/// The life of all schemas as one page for a browser: the versions in a row, what each step changes,
/// and the history of each entity.
struct SchemaPage {
  private let life: SchemaLife

  init(_ life: SchemaLife) { self.life = life }

  var text: String {
    HTMLPage(
      title: "Schema versions", style: SchemaPage.style, script: SchemaPage.script, body: body
    ).text
  }

  private var body: String {
    let count = life.chains.reduce(0) { $0 + $1.versions.count }
    var body = "<header>\n<h1>Schema versions</h1>\n"
    body += "<p class=\"soft\">\(count == 1 ? "1 version" : "\(count) versions") in "
    body += "\(life.chains.count == 1 ? "1 chain" : "\(life.chains.count) chains")</p>\n</header>\n"
    guard count > 0 else { return body + "<p>No models and no schema versions.</p>\n" }
    body += """
      <form class="controls" role="search">
      <input type="search" id="filter" placeholder="Filter entities" aria-label="Filter entities">
      <output id="count" aria-live="polite"></output>
      <span class="keys soft">Keys: <kbd>/</kbd> filter, <kbd>Esc</kbd> close an entity</span>
      </form>
      <main>

      """
    for (index, chain) in life.chains.enumerated() { body += section(chain, index) }
    return body + "</main>\n"
  }

  private func section(_ chain: SchemaLife.Chain, _ index: Int) -> String {
    let history = SchemaHistory(chain.versions.map { $0.shape ?? SchemaShape() })
    var html = "<section class=\"chain\" aria-labelledby=\"c\(index)\">\n"
    html += "<h2 id=\"c\(index)\">\(chain.name.html) <span class=\"soft\">\(chain.kind.html)"
    html += "\(chain.path.isEmpty ? "" : ", \(chain.path.html)")</span></h2>\n"
    for remark in chain.remarks { html += "<p class=\"warning\">\(remark.htmlWithCode)</p>\n" }
    html += "<ol class=\"row\" tabindex=\"0\" aria-label=\"\(chain.name.html), from the oldest\">\n"
    for (place, version) in chain.versions.enumerated() {
      html += card(version, at: place, in: index, history)
      html += chain.steps.filter { $0.from == place }.map { step($0, chain) }.joined()
    }
    html += "</ol>\n"
    for entity in history.entities { html += entry(entity, chain, index) }
    return html + "</section>\n"
  }

  // MARK: Versions

  private func card(
    _ version: SchemaLife.Version, at place: Int, in chain: Int, _ history: SchemaHistory
  ) -> String {
    let state = version.state
    var html = "<li class=\"card version\">\n<h3>\(version.name.html)"
    html += version.identifier.map { " <span class=\"soft\">\($0.html)</span>" } ?? ""
    html += "</h3>\n<p><span class=\"tag \(state.colour)\">\(state.words)</span></p>\n"
    if !version.path.isEmpty { html += "<p class=\"soft path\">\(version.path.html)</p>\n" }
    for gap in version.shape?.gaps ?? [] {
      html += "<p class=\"warning\">not resolved: \(gap.reason.htmlWithCode)</p>\n"
    }
    let entities = history.entities.filter { $0.values[place] != nil }
    guard !entities.isEmpty else { return html + "</li>\n" }
    html += "<ul class=\"entities\">\n"
    for entity in entities {
      let key = entity.values[place]?.key ?? entity.name
      html += "<li data-entity=\"\(key.html)\"><a href=\"#\(Self.id(entity.name, chain))\">"
      html += "\(key.html)</a></li>\n"
    }
    return html + "</ul>\n</li>\n"
  }

  private static func id(_ entity: String, _ chain: Int) -> String {
    "e\(chain)-\(entity.htmlID)"
  }

  // MARK: Steps

  private func step(_ step: SchemaLife.Step, _ chain: SchemaLife.Chain) -> String {
    let judgements = step.migration.judgements.filter { $0.change.aspect != .original }
    let colour = step.migration.isTwin ? "error" : step.migration.verdict.colour
    var html = "<li class=\"card step\">\n<h3><span aria-hidden=\"true\">→</span> "
    html += "<span class=\"soft\">from \(chain.versions[step.from].name.html) to "
    html += "\(chain.versions[step.to].name.html)</span></h3>\n"
    html += "<p><span class=\"tag \(colour)\">\(step.verdict.html)</span>"
    html += step.stage.map { " <span class=\"soft\">\($0.html)</span>" } ?? ""
    html += "</p>\n"
    for kind in StepChange.allCases {
      let found = judgements.filter { StepChange($0.change) == kind }
      guard !found.isEmpty else { continue }
      html += "<h4>\(kind.title)</h4>\n<ul class=\"changes \(kind.rawValue)\">\n"
      for judgement in found { html += item(judgement) }
      html += "</ul>\n"
    }
    if judgements.isEmpty { html += "<p class=\"soft\">nothing differs</p>\n" }
    return html + "</li>\n"
  }

  private func item(_ judgement: MigrationJudgement) -> String {
    "<li><code>\(judgement.change.line.html)</code> <span class=\"\(judgement.verdict.colour)\">"
      + "\(judgement.verdictWords.html)</span>: <span class=\"soft\">"
      + "\(judgement.reason.htmlWithCode)</span></li>\n"
  }

  // MARK: Entities

  private func entry(
    _ entity: SchemaHistory.Line<Entity>, _ chain: SchemaLife.Chain, _ index: Int
  ) -> String {
    let id = Self.id(entity.name, index)
    let names = Set(entity.values.compactMap { $0?.key })
    var html = "<article class=\"card entity\" id=\"\(id)\" tabindex=\"-1\" "
    html += "data-entity=\"\(entity.name.html)\">\n"
    html += "<h3>\(entity.name.html) <a class=\"close\" href=\"#c\(index)\">close</a></h3>\n"
    let older = names.subtracting([entity.name]).sorted()
    if !older.isEmpty {
      html += "<p class=\"soft\">was called \(older.joined(separator: ", ").html)</p>\n"
    }
    html +=
      "<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr><th scope=\"col\">property</th>"
    for version in chain.versions { html += "<th scope=\"col\">\(version.name.html)</th>" }
    html += "</tr></thead>\n<tbody>\n"
    for property in SchemaHistory.properties(of: entity) {
      html += "<tr><th scope=\"row\">\(property.name.html)</th>"
      for place in property.values.indices { html += cell(property, at: place, entity) }
      html += "</tr>\n"
    }
    html += "</tbody>\n</table>\n</div>\n"
    for step in chain.steps {
      let found = step.migration.judgements.filter {
        names.contains($0.change.subject.entity) && $0.change.aspect != .original
      }
      guard !found.isEmpty else { continue }
      html += "<h4>From \(chain.versions[step.from].name.html) to "
      html += "\(chain.versions[step.to].name.html)</h4>\n<ul class=\"changes\">\n"
      html += found.map(item).joined() + "</ul>\n"
    }
    return html + "</article>\n"
  }

  private func cell(
    _ property: SchemaHistory.Line<Property>, at place: Int, _ entity: SchemaHistory.Line<Entity>
  ) -> String {
    let value = property.values[place]
    let hasBefore = place > 0 && entity.values[place - 1] != nil
    let before = place > 0 ? property.values[place - 1] : nil
    guard let value else {
      let isDropped = before != nil && entity.values[place] != nil
      return isDropped
        ? "<td class=\"removed\"><span class=\"soft\">dropped</span></td>"
        : "<td><span class=\"soft\" aria-label=\"not there\">–</span></td>"
    }
    let isNew = hasBefore && before == nil
    let isChanged = before.map { $0 != value } ?? false
    let name = value.name == property.name ? "" : "\(value.name): "
    let mark = isNew ? " class=\"added\"" : isChanged ? " class=\"changed\"" : ""
    return "<td\(mark)><code>\((name + value.typeText).html)</code></td>"
  }
}

/// What a change is to somebody who looks at the versions from afar.
private enum StepChange: String, CaseIterable {
  case adds, drops, renames, changes

  init(_ change: Change) {
    switch change.aspect {
    case .renamed: self = .renames
    case .entity, .attribute, .relationship, .member:
      self = change.before == nil ? .adds : change.after == nil ? .drops : .changes
    default: self = .changes
    }
  }

  var title: String {
    switch self {
    case .adds: "Adds"
    case .drops: "Drops"
    case .renames: "Renames"
    case .changes: "Changes"
    }
  }
}

extension SchemaLife.State {
  fileprivate var words: String {
    switch self {
    case .open: "not frozen"
    case .frozen: "frozen: has shipped"
    case .edited: "frozen, then edited"
    case .gone: "frozen, then deleted"
    }
  }

  fileprivate var colour: String {
    switch self {
    case .open: "soft"
    case .frozen: "good"
    case .edited, .gone: "error"
    }
  }
}

extension Verdict? {
  fileprivate var colour: String {
    switch self {
    case .harmless?, .lightweight?: "good"
    case .needsCustomStage?: "warning"
    case .losesData?, .cantOpen?: "error"
    case nil: "soft"
    }
  }
}
