import PersistIndex
import PersistReport

extension Program {
  /// What is wrong in the schemas themselves, so that some of them can't be judged.
  var schemaNotices: [Notice] {
    var notices: [Notice] = []
    for plan in schema.plans where !plan.isTest && !isExempt(plan.place) {
      for name in plan.unknownSchemas {
        notices.append(
          notice(
            at: plan.schemasPlace ?? plan.place,
            "`\(name)` in `schemas` is not a version that the sources declare, so \(plan.name) is not "
              + "judged"))
      }
    }
    let named = Dictionary(grouping: schema.versions.filter { !$0.isTest }, by: \.key)
    for (key, versions) in named.sorted(by: { $0.key < $1.key }) where versions.count > 1 {
      guard let first = versions.first, let second = versions.last else { continue }
      notices.append(
        notice(
          at: second.place,
          "\(key) is declared twice, first in \(first.place.path), and names can mean either"))
    }
    return notices
  }

  private func isExempt(_ place: SchemaPlace) -> Bool { place.ref.map(isExempt) ?? false }

  private func notice(at place: SchemaPlace, _ message: String) -> Notice {
    guard let ref = place.ref else {
      return Notice(path: place.path, message: "\(place.path): \(message)")
    }
    let (line, column) = files[Int(ref.file)].lineAndColumn(of: place.range.lowerBound)
    return Notice(path: place.path, message: "\(place.path):\(line):\(column): \(message)")
  }
}
