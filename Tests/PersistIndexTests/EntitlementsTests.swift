import PersistProject
import Testing
@testable import PersistIndex

/// What an entitlements file says of CloudKit.
@Suite struct EntitlementsTests {
  private static let services =
    "<key>com.apple.developer.icloud-services</key><array><string>CloudKit</string></array>"
  private static let containers =
    "<key>com.apple.developer.icloud-container-identifiers</key><array><string>iCloud.a</string></array>"

  private static let both = services + containers
  private static let noContainer =
    services + "<key>com.apple.developer.icloud-container-identifiers</key><array/>"
  private static let noService =
    "<key>com.apple.developer.icloud-services</key><array/>" + containers
  private static let texts: [(String, Bool)] = [
    (both, true), (containers + services, true), (services, false), (noContainer, false),
    (noService, false), ("", false), ("<!-- later: \(both)-->", false), ("<!--\(both)", false),
    ("<!-- a - b --><dict>\(services)<!----><!-- -->\(containers)</dict>", true),
  ]

  @Test(arguments: texts)
  func syncNeedsTheServiceAndAContainer(text: String, syncs: Bool) {
    let list = "<plist><dict>\(text)</dict></plist>"
    #expect(Entitlements(Array(list.utf8)).letsSyncWithCloudKit == syncs)
  }
}
