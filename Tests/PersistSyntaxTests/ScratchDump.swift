import PersistSyntax
import Testing
import Foundation

@Test func scratchDump() {
  let src = try! String(contentsOfFile: "/tmp/sample.swift", encoding: .utf8)
  let o = Outline(SourceText(src))
  var depth: [Int] = Array(repeating: 0, count: o.nodes.count)
  for (i, n) in o.nodes.enumerated() {
    if i > 0 { depth[i] = depth[Int(n.parent)] + 1 }
    let t = o.text[o.byteRange(of: i)].replacingOccurrences(of: "\n", with: "⏎").prefix(70)
    let nm = n.name == Node.noToken ? "" : " name=" + o.text(ofToken: Int(n.name))
    let lb = n.label == Node.noToken ? "" : " label=" + o.text(ofToken: Int(n.label))
    print("DUMP", String(repeating: "  ", count: depth[i]), n.kind, nm, lb, n.flags.rawValue, " | ", t)
  }
}
