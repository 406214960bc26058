/// What an app is allowed to do, as its `.entitlements` file says.
package enum Entitlements {
  /// Whether the file asks for CloudKit and names a container, without which nothing syncs.
  package static func letSyncWithCloudKit(_ bytes: [UInt8]) -> Bool {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "<key>")
    let services = parts.first { $0.hasPrefix("com.apple.developer.icloud-services<") }
    let containers = parts.first {
      $0.hasPrefix("com.apple.developer.icloud-container-identifiers<")
    }
    guard let services, let containers else { return false }
    return services.contains("<string>CloudKit") && containers.contains("<string>")
  }
}
