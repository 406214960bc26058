import PersistIndex
import PersistSyntax

/// The schemas as the code of one platform declares them.
package struct PlatformSchema {
  /// As `os(…)` names it.
  package let platform: String
  package let schema: SchemaProgram
}

// MARK: - Plans that `#if` divides

extension Program {
  func findPlatformSchemas() -> [PlatformSchema] {
    guard let named = platformsNamed, !named.isEmpty else { return [whole] }
    let built = builtPlatforms ?? Set(named).union([Self.usualPlatform])
    return [whole] + sights(built.subtracting([whole.platform]))
  }

  func findClauseSchemas() -> [PlatformSchema] {
    guard let named = platformsNamed else { return [] }
    return sights(Set(named).subtracting([whole.platform]))
  }

  /// Whether no condition keeps a node out of what is built for a platform, where the sources are
  /// judged for several.
  package func isBuilt(_ node: Ref, on sight: PlatformSchema) -> Bool {
    guard platformSchemas.count > 1 else { return true }
    return !ancestors(node).contains { clause in
      kind(clause) == .ifConfigClause && !isActive(clause, named: sight.platform)
    }
  }

  /// Whether code that is built for a platform may pass a plan: where containers pass it, one of them
  /// does.
  package func mayPass(_ plan: MigrationPlan, on sight: PlatformSchema) -> Bool {
    let passing = sight.schema.containers.filter { container in
      guard case .plan(let index) = container.plan else { return false }
      return sight.schema.plans[index].name == plan.name
    }
    return passing.isEmpty
      || passing.contains { container in
        let built = projects.platforms(of: files[Int(container.call.file)].path)
        return built?.contains { $0.conditionName == sight.platform } ?? true
      }
  }

  private var whole: PlatformSchema {
    PlatformSchema(platform: mainPlatform, schema: schema)
  }

  private func sights(_ platforms: Set<String>) -> [PlatformSchema] {
    platforms.sorted().map { platform in
      PlatformSchema(platform: platform, schema: index.schema(on: platform))
    }
  }

  /// The platforms that conditions name, where there is a plan with several versions or stages that
  /// no list has; nil where there is none, and none where no condition names one.
  private var platformsNamed: [String]? {
    guard
      schema.plans.contains(where: { plan in
        !plan.isTest && (plan.chain.count > 1 || !plan.unlistedStages.isEmpty)
      })
    else { return nil }
    var named: Set<String> = []
    for file in files(usingAny: ["os", "canImport"] as [Name]) {
      let outline = files[file].outline
      for node in outline.nodes
      where node.kind == .ifConfigClause && node.label != Node.noToken {
        let tokens = (Int(node.first)..<Int(node.label)).map { outline.text(ofToken: $0) }
        for (index, token) in tokens.enumerated() where index + 2 < tokens.count {
          switch (token, tokens[index + 2]) {
          case ("os", let name): named.insert(name)
          case ("canImport", "AppKit"): named.insert("macOS")
          case ("canImport", "UIKit"): named.formUnion(["iOS", "macOS"])
          default: break
          }
        }
      }
    }
    return named.sorted()
  }
}
