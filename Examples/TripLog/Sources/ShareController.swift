import UIKit

/// The screen of the share extension.
final class ShareController: UIViewController {
  private let container = TripStore.openForSharing()
}
