import PersistIndex

// MARK: - Where notifications are posted

extension Frameworks {
  /// Notifications that stores post on queues of their own, and those of contexts, which post them
  /// where they are.
  static let notificationsOfStores: Set<Name> = [
    "NSPersistentStoreRemoteChange", "eventChangedNotification", "CKAccountChanged",
  ]
  static let notificationsOfContexts: Set<Name> = [
    "NSManagedObjectContextDidSave", "NSManagedObjectContextWillSave",
    "NSManagedObjectContextObjectsDidChange", "didSaveObjectsNotification",
    "willSaveObjectsNotification", "didChangeObjectsNotification",
  ]
  /// Those of apps and their scenes, which the system posts on the main thread.
  static let notificationsOfApps: Set<Name> = [
    "didFinishLaunchingNotification", "didBecomeActiveNotification",
    "willResignActiveNotification", "didEnterBackgroundNotification",
    "willEnterForegroundNotification", "willTerminateNotification", "willHideNotification",
    "didHideNotification", "didActivateNotification", "willDeactivateNotification",
    "didReceiveMemoryWarningNotification", "protectedDataDidBecomeAvailableNotification",
    "protectedDataWillBecomeUnavailableNotification", "significantTimeChangeNotification",
    "UIApplicationDidFinishLaunching", "UIApplicationDidBecomeActive",
    "UIApplicationWillResignActive", "UIApplicationDidEnterBackground",
    "UIApplicationWillEnterForeground", "UIApplicationWillTerminate",
  ]
}
