import Testing

@testable import PersistIndex

/// What an entitlements file says of CloudKit.
@Suite struct EntitlementsTests {
  private static let services =
    "<key>com.apple.developer.icloud-services</key><array><string>CloudKit</string></array>"
  private static let containers =
    "<key>com.apple.developer.icloud-container-identifiers</key><array><string>iCloud.a</string></array>"

  @Test(arguments: [
    (services + containers, true), (containers + services, true), (services, false),
    (services + "<key>com.apple.developer.icloud-container-identifiers</key><array/>", false),
    ("<key>com.apple.developer.icloud-services</key><array/>" + containers, false), ("", false),
  ])
  func syncNeedsTheServiceAndAContainer(text: String, syncs: Bool) {
    #expect(Entitlements.letSyncWithCloudKit(Array(text.utf8)) == syncs)
  }
}
