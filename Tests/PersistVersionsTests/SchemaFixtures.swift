import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions

/// The schemas of files given by path.
func schemas(_ files: KeyValuePairs<String, String>, platform: String = "iOS") -> SchemaProgram {
  SchemaProgram(
    files.map { path, text in
      SourceFile(path: path, outline: Outline(SourceText("import SwiftData\n" + text)))
    }, platform: platform)
}

/// The schemas of one file.
func schemas(_ text: String) -> SchemaProgram { schemas(["App/Schema.swift": text]) }

/// A version with these models, as its source.
func versionSource(_ name: String, _ models: String, _ body: String = "") -> String {
  """
  enum \(name): VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [\(models)] }
    \(body)
  }

  """
}

extension SchemaProgram {
  /// The version of this name.
  func version(_ name: String) -> SchemaVersion? { versions.first { $0.name == name } }

  /// The classes of a version, with the types around them; those only reached in brackets.
  func classes(_ name: String) -> [String] {
    version(name)?.uses.map { use in
      use.isListed ? use.model.qualifiedName : "(\(use.model.qualifiedName))"
    } ?? []
  }

  /// The facts of one entity in the first version or model, as the lock file has them.
  func facts(_ version: String, _ entity: String) -> [String] {
    let shape = self.version(version)?.shape ?? SchemaShape()
    return LockFile(versions: ["V": shape]).text.split(separator: "\n").map(String.init)
      .map { String($0.dropFirst(2)) }
      .filter { $0.hasPrefix("= \(entity)") || $0.hasPrefix("~ \(entity)") }
  }
}
