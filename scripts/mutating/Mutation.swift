import Foundation

/// What each condition has been since it was reset: 1 for true, 2 for false, 3 for both.
package nonisolated(unsafe) let outcomes = {
  let outcomes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 14)
  outcomes.initialize(repeating: 0, count: 1 << 14)
  return outcomes
}()

/// The rows of the table of framework calls, in their order.
package nonisolated(unsafe) var rowNames: [String] = []

/// Writes what each condition has been to the file that OUTCOMES names, when the process ends.
private let keepsOutcomes: Bool = {
  guard ProcessInfo.processInfo.environment["OUTCOMES"] != nil else { return false }
  atexit {
    let path = ProcessInfo.processInfo.environment["OUTCOMES"] ?? ""
    try? Data(bytes: outcomes, count: 1 << 14).write(to: URL(fileURLWithPath: path))
  }
  return true
}()

/// The condition that is changed, and how, from MUTANT: `12:true`, `12:false` or `12:flip`.
package nonisolated(unsafe) var mutant: (site: Int, change: String) = {
  _ = keepsOutcomes
  let words = (ProcessInfo.processInfo.environment["MUTANT"] ?? "").split(separator: ":")
  guard words.count == 2, let site = Int(words[0]) else { return (-1, "") }
  return (site, String(words[1]))
}()

/// A condition of the sources, or what the mutant makes of it.
@inline(never)
package func mutated(_ site: Int, _ condition: Bool) -> Bool {
  outcomes[site] |= condition ? 1 : 2
  guard site == mutant.site else { return condition }
  return mutant.change == "flip" ? !condition : mutant.change == "true"
}
