import Foundation
import PersistIndex
import PersistSchema
import PersistSyntax
import Testing

func sources(_ root: String) -> [SchemaSource] {
  var result: [SchemaSource] = []
  let e = FileManager.default.enumerator(atPath: root)!
  while let p = e.nextObject() as? String {
    if p.hasSuffix(".swift"), let d = FileManager.default.contents(atPath: root + "/" + p) {
      result.append(SchemaSource(path: p, outline: Outline(SourceText([UInt8](d)))))
    }
  }
  return result
}

@Test func scratchShow() throws {
  let repos = try FileManager.default.contentsOfDirectory(atPath: "/work/corpus").sorted()
  let only = ProcessInfo.processInfo.environment["REPO"]
  var out = ""
  for repo in repos {
    if let only, !only.split(separator: ",").contains(where: { repo.contains($0) }) { continue }
    var isDir: ObjCBool = false
    guard FileManager.default.fileExists(atPath: "/work/corpus/" + repo, isDirectory: &isDir), isDir.boolValue else { continue }
    let t0 = ContinuousClock().now
    let s = sources("/work/corpus/" + repo)
    let t1 = ContinuousClock().now
    let p = SchemaProgram(s)
    let t2 = ContinuousClock().now
    out += "REPO \(repo) files \(s.count) outline \(t1 - t0) resolve \(t2 - t1) versions \(p.versions.count) plans \(p.plans.count) models \(p.models.count)\n"
    for v in p.versions where !v.isTest {
      let nested = v.uses.filter { $0.isListed && $0.isNested }.map(\.model.name).joined(separator: ",")
      let other = v.uses.filter { $0.isListed && !$0.isNested }.map { $0.model.qualifiedName }.joined(separator: ",")
      let reached = v.uses.filter { !$0.isListed }.map { $0.key }.joined(separator: ",")
      out += "VERSION \(repo)\t\(v.key)\t\(v.identifier.map { $0.map(String.init).joined(separator: ".") } ?? "?")\t\(v.uses.filter(\.isListed).count)\t\(v.uses.count)\tnested: \(nested) | live/other: \(other) | reached only: \(reached)\t\(v.place.path)\n"
      for g in v.shape.gaps { out += "  GAP \(g.entity).\(g.property) \(g.reason)\n" }
      for e in v.shape.entities { for pr in e.properties { if let a = pr.attribute, !a.type.isKnown { out += "  UNKNOWN \(e.key).\(pr.name) \(a.type)\n" }; if pr.relationship?.inverse == .ambiguous { out += "  AMBIG \(e.key).\(pr.name)\n" } } }
    }
    for pl in p.plans where !pl.isTest {
      out += "PLAN \(repo)\t\(pl.name)\tschemas \(pl.schemas.map { $0.map { p.versions[$0].name }.joined(separator: ",") } ?? "?")\tunknown \(pl.unknownSchemas)\tchain \(pl.chain.map { p.versions[$0].name }.joined(separator: ","))\n"
      for st in pl.stages ?? [] { out += "  STAGE \(st.name) \(st.kind) \(st.fromText)->\(st.toText) \(st.from != nil) \(st.to != nil) will \(st.hasWill) did \(st.hasDid)\n" }
      if pl.stages == nil { out += "  STAGES ?\n" }
      for st in pl.unlistedStages { out += "  UNLISTED \(st.name)\n" }
    }
  }
  try out.write(toFile: "/tmp/show.txt", atomically: true, encoding: .utf8)
}
