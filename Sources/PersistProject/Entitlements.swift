/// What an app is allowed to do, as its `.entitlements` file or its manifest says.
package struct Entitlements: Sendable, Equatable {
  /// Whether the file names an app group, in whose folder SwiftData then puts a store that is given
  /// no other place.
  package var namesAppGroup = false
  /// Whether the file asks for CloudKit and names a container, without which nothing syncs.
  package var letsSyncWithCloudKit = false

  package init(namesAppGroup: Bool = false, letsSyncWithCloudKit: Bool = false) {
    self.namesAppGroup = namesAppGroup
    self.letsSyncWithCloudKit = letsSyncWithCloudKit
  }

  package init(_ bytes: [UInt8]) {
    let values = Self.values(in: bytes)
    namesAppGroup = values[Self.groups]?.contains("<string>") ?? false
    letsSyncWithCloudKit =
      (values[Self.services]?.contains("<string>CloudKit") ?? false)
      && (values[Self.containers]?.contains("<string>") ?? false)
  }

  /// What a manifest allows, by the texts that it gives for each key.
  package init(texts: (String) -> [String]) {
    namesAppGroup = !texts(Self.groups).isEmpty
    letsSyncWithCloudKit =
      texts(Self.services).contains("CloudKit") && !texts(Self.containers).isEmpty
  }

  private static let groups = "com.apple.security.application-groups"
  private static let services = "com.apple.developer.icloud-services"
  private static let containers = "com.apple.developer.icloud-container-identifiers"

  /// What two files allow together.
  package func joined(with other: Entitlements) -> Entitlements {
    Entitlements(
      namesAppGroup: namesAppGroup || other.namesAppGroup,
      letsSyncWithCloudKit: letsSyncWithCloudKit || other.letsSyncWithCloudKit)
  }

  /// What stands between each key and the next one, comments left out.
  private static func values(in bytes: [UInt8]) -> [String: Substring] {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "<!--", omittingEmptySubsequences: false)
    let behind = parts.dropFirst().map { comment in
      comment.split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
        .joined()
    }
    let whole = (parts.first ?? "") + behind.joined()
    var values: [String: Substring] = [:]
    for part in whole.split(separator: "<key>").dropFirst() {
      let key = part.prefix { $0 != "<" }
      if values[String(key)] == nil { values[String(key)] = part.dropFirst(key.count) }
    }
    return values
  }
}
