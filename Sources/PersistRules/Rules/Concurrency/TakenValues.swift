import PersistFlow
import PersistIndex

/// What a closure reads of a model, and the lines that take it out before.
struct TakenValues {
  private(set) var read: [String] = []
  /// The method whose result is all that the closure wants of the model.
  private(set) var called: String?
  private var changes = false
  private var isElement = false
  /// The model as the lines spell it, with `?` where it is optional; nil where they can't.
  private let value: String?
  /// Names that mean something else around the closure.
  private var taken: Set<String> = []

  init(_ uses: [ValueUse], of capture: Capture, in program: Program) {
    self.init(uses, value: program.spelling(of: capture), in: program)
    taken = Set(
      (read + read.map { $0 + "s" } + ["values"]).filter {
        program.isLocal($0, around: capture.body)
      })
    let methods = Set(uses.compactMap { program.resultUsed(of: $0) })
    if read.isEmpty, methods.count == 1, uses.count == 1 { called = methods.first }
  }

  private init(_ uses: [ValueUse], value: String?, in program: Program) {
    self.value = value
    for use in uses {
      switch use.action {
      case .reads(let property):
        if !read.contains(property) { read.append(property) }
        changes = changes || program.readsModel(use)
        if case .dictionary = use.type.unwrapped { changes = true }
        isElement = isElement || use.isElement
      case .sets, .calls: changes = true
      default: break
      }
    }
  }

  /// The names that the lines give to what they take out.
  var names: [String] {
    if isElement { return [read.count == 1 ? free((read.first ?? "") + "s") : free("values")] }
    return read.map(local)
  }

  /// Keeps names for other things that stand beside these lines.
  mutating func avoid(where isTaken: (String) -> Bool) {
    taken.formUnion((read + read.map { $0 + "s" } + ["values"]).filter(isTaken))
  }

  /// The values of the lines, as a message speaks of them.
  var those: String { names.count == 1 ? "that" : "these" }

  private func local(_ name: String) -> String {
    guard taken.contains(name), let value else { return name }
    let root = value.filter { $0 != "?" && $0 != "!" }.split(separator: ".").last ?? "model"
    return root + name.prefix(1).uppercased() + name.dropFirst()
  }

  /// What to write before the closure; nil when values alone don't do.
  var advice: String? {
    guard !changes, let first = read.first, let value else { return nil }
    guard isElement else {
      let lines = read.prefix(4).map { "`let \(local($0)) = \(value).\($0)`" }
        .joined(separator: ", ")
      return read.count > 4 ? "\(lines) and so on" : lines
    }
    if read.count == 1 {
      return "`let \(free(first + "s")) = \(value).map(\\.\(first))`"
    }
    return
      "`let \(free("values")) = \(value).map { (\(read.map { "$0.\($0)" }.joined(separator: ", "))) }`"
  }

  private func free(_ name: String) -> String {
    taken.contains(name) ? "taken\(name.prefix(1).uppercased())\(name.dropFirst())" : name
  }
}

extension Program {
  /// Whether a use reads a relationship, which gives models and not values.
  fileprivate func readsModel(_ use: ValueUse) -> Bool {
    guard case .reads(let property) = use.action, let model = model(in: use.type) else {
      return false
    }
    return self.model(in: type(ofMember: Name(property), of: .declared(model))) != nil
  }

  /// A captured value as code around the closure spells it; nil where the sources don't tell whether
  /// a part of it is optional.
  fileprivate func spelling(of capture: Capture) -> String? {
    let words = capture.value.split(separator: ".")
    guard words.count <= 2 else { return nil }
    let isOptional = isOptional(capture.source)
    if words.count == 2 {
      guard let use = capture.uses.first, headText(of: use.place) == String(words[0]),
        !mayStop(before: use.place)
      else { return nil }
    }
    return capture.value + (isOptional ? "?" : "")
  }

  /// Whether a variable holds an optional.
  private func isOptional(_ source: Ref) -> Bool {
    let type = property(declaredAt: source).map { self.type(ofProperty: $0) } ?? type(of: source)
    if case .optional = type { return true }
    return false
  }

  /// Whether a name means a local or a parameter around a node.
  fileprivate func isLocal(_ name: String, around node: Ref) -> Bool {
    if case .local? = lookUp(Name(name), from: node) { return true }
    return false
  }

  /// The method that a use calls for its result; nil where nothing is done with that.
  fileprivate func resultUsed(of use: ValueUse) -> String? {
    guard case .calls(let method) = use.action, !use.isElement, isAskedForResult(use.place) else {
      return nil
    }
    return method
  }
}
