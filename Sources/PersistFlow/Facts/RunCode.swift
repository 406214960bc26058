import PersistIndex
import PersistSyntax

extension Program {
  /// Whether something may run the code at a place: in a program with an app, a function that
  /// nothing names runs only where others may call it, or where it answers to somebody else.
  package func mayRun(_ place: Ref) -> Bool {
    guard !isUnused(place) else { return false }
    guard let id = enclosingFunction(place), functions[id].kind == .functionDecl, holdsApp else {
      return true
    }
    let declaration = functions[id]
    let outline = outline(declaration.ref)
    let node = Int(declaration.ref.node)
    guard outline.attributes(of: node).allSatisfy({ $0 == "MainActor" }),
      outline.modifiers(of: node).allSatisfy({ !["public", "open", "override"].contains($0) })
    else { return true }
    return uses(of: [declaration.name]).contains { use in
      !isExempt(use) && !(body(of: id).map { contains($0, use) } ?? false)
    }
  }

  /// Whether the sources hold the app itself, and not a library alone.
  private var holdsApp: Bool {
    types(inheritingFrom: [
      "App", "NSApplicationDelegate", "UIApplicationDelegate", "UIWindowSceneDelegate",
    ]).contains { types[$0].kind != .protocolDecl && !isExempt(types[$0].ref) }
  }
}

extension Program {
  /// What holds in the code; solved once for all threads.
  package var facts: Facts { index.once { Facts(of: self) } }
}
