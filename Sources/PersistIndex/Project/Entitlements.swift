/// What an app is allowed to do, as its `.entitlements` file says.
package enum Entitlements {
  /// Whether the file asks for CloudKit and names a container, without which nothing syncs.
  package static func letSyncWithCloudKit(_ bytes: [UInt8]) -> Bool {
    guard let services = value(of: "com.apple.developer.icloud-services", in: bytes),
      let containers = value(of: "com.apple.developer.icloud-container-identifiers", in: bytes)
    else { return false }
    return services.contains("<string>CloudKit") && containers.contains("<string>")
  }

  /// Whether the file names an app group, in whose folder SwiftData then puts a store that is given
  /// no other place.
  package static func nameAppGroup(_ bytes: [UInt8]) -> Bool {
    value(of: "com.apple.security.application-groups", in: bytes)?.contains("<string>") ?? false
  }

  /// What stands between a key and the next one, comments left out.
  private static func value(of key: String, in bytes: [UInt8]) -> Substring? {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "<!--", omittingEmptySubsequences: false)
    let behind = parts.dropFirst().map { comment in
      comment.split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
        .joined()
    }
    return ((parts.first ?? "") + behind.joined()).split(separator: "<key>").first {
      $0.hasPrefix(key + "<")
    }
  }
}
