import PersistIndex

// MARK: - Handlers that the system calls on threads of its own

extension API {
  /// Methods of the system whose last closure runs on a thread of the framework's, by what Apple's
  /// documentation says of each, and the members by which the shared object is asked for.
  static let handlers: [API] =
    methods(
      of: "UNUserNotificationCenter", shared: "current",
      [
        "add", "requestAuthorization", "getNotificationSettings", "getPendingNotificationRequests",
        "getDeliveredNotifications", "getNotificationCategories", "setBadgeCount",
      ])
    + methods(of: "CNContactStore", ["requestAccess"])
    + methods(of: "PHPhotoLibrary", shared: "shared", ["performChanges"])
    + methods(of: "PHPhotoLibrary", isStatic: true, ["requestAuthorization"])
    + methods(of: "AVCaptureDevice", isStatic: true, ["requestAccess"])
    + methods(of: "AVAssetExportSession", ["exportAsynchronously"])
    + methods(of: "AVURLAsset", ["loadValuesAsynchronously"])
    + methods(
      of: "HKHealthStore",
      [
        "requestAuthorization", "save", "delete", "deleteObjects", "enableBackgroundDelivery",
        "getRequestStatusForAuthorization",
      ])
    + [
      "HKSampleQuery", "HKStatisticsQuery", "HKObserverQuery", "HKAnchoredObjectQuery",
      "HKActivitySummaryQuery", "HKSourceQuery",
    ].map { runs($0, "init") }
    + methods(
      of: "EKEventStore",
      [
        "requestAccess", "requestFullAccessToEvents", "requestFullAccessToReminders",
        "requestWriteOnlyAccessToEvents", "fetchReminders",
      ])
    + methods(
      of: "NSItemProvider",
      [
        "loadObject", "loadItem", "loadDataRepresentation", "loadFileRepresentation",
        "loadInPlaceFileRepresentation",
      ])
    + methods(of: "LAContext", ["evaluatePolicy"])
    + methods(
      of: "ASCredentialIdentityStore", shared: "shared",
      [
        "getState", "saveCredentialIdentities", "removeCredentialIdentities",
        "removeAllCredentialIdentities", "replaceCredentialIdentities",
      ])
    + methods(of: "SFSpeechRecognizer", isStatic: true, ["requestAuthorization"])
    + methods(of: "INPreferences", isStatic: true, ["requestSiriAuthorization"])
    + methods(of: "ATTrackingManager", isStatic: true, ["requestTrackingAuthorization"])
    + methods(
      of: "CSSearchableIndex", shared: "default",
      ["indexSearchableItems", "deleteSearchableItems", "deleteAllSearchableItems"])
    + methods(of: "LPMetadataProvider", ["startFetchingMetadata"])
    + methods(
      of: "QLThumbnailGenerator", shared: "shared",
      ["generateBestRepresentation", "generateRepresentations"])
    + methods(of: "UIImage", ["prepareThumbnail", "prepareForDisplay"])
    + methods(of: "CMPedometer", ["queryPedometerData", "startUpdates"])
    + methods(
      of: "CKContainer", shared: "default",
      ["accountStatus", "fetchUserRecordID", "requestApplicationPermission"])
    + [
      "privateCloudDatabase", "publicCloudDatabase", "sharedCloudDatabase",
    ].map { API(type: "CKContainer", name: $0, result: .external("CKDatabase")) }
    + methods(
      of: "CKDatabase",
      ["fetch", "save", "delete", "perform", "fetchAllRecordZones", "fetchAllSubscriptions"])
    + ["Process", "FileHandle"].map { API(type: $0, name: "init", result: .external($0)) }
    + methods(of: "Process", ["terminationHandler"])
    + methods(of: "FileHandle", ["readabilityHandler", "writeabilityHandler"])
    + messages + answers + monitors

  /// Messages to the watch, whose answer and failure have a closure each.
  private static let messages: [API] =
    [API(type: "WCSession", name: "default", isStatic: true, result: .external("WCSession"))]
    + ["sendMessage", "sendMessageData"].map { name in
      API(
        type: "WCSession", name: name,
        closures: ["replyHandler", "errorHandler"].map {
          Closure(operand: .labelled($0), place: .background, given: [.unknown], isDelayed: true)
        })
    }

  /// Objects of Network, whose handlers run on the queue with which they are started.
  private static let monitors: [API] = [
    "NWPathMonitor": ["pathUpdateHandler", "cancelHandler"],
    "NWConnection": [
      "stateUpdateHandler", "pathUpdateHandler", "viabilityUpdateHandler",
      "betterPathUpdateHandler",
    ],
    "NWListener": [
      "stateUpdateHandler", "newConnectionHandler", "serviceRegistrationUpdateHandler",
    ],
    "NWBrowser": ["stateUpdateHandler", "browseResultsChangedHandler"],
  ].flatMap { (type: Name, handlers: [Name]) -> [API] in
    [
      API(type: type, name: "init", result: .holder(type, nil)),
      API(
        type: type, name: "start",
        closures: [
          Closure(
            operand: .waiting, place: .queue(.labelled("queue")), given: [.unknown],
            isDelayed: true)
        ]),
    ]
      + handlers.map {
        API(
          type: type, name: $0,
          flows: [Flow(value: .last, into: .receiver, cell: "waiting")])
      }
  }

  /// Requests of Alamofire, whose answers come to the main queue unless another one is named.
  private static let answers: [API] =
    ["AF", "Alamofire"].flatMap { type in
      ["request", "upload", "download"].map { name in
        API(
          type: type, name: name, isStatic: true,
          result: .external(name == "download" ? "DownloadRequest" : "DataRequest"))
      }
    }
    + ["DataRequest", "DownloadRequest", "UploadRequest"].flatMap { type in
      [API(type: type, name: "validate", result: .value(.receiver))]
        + [
          "response", "responseData", "responseDecodable", "responseJSON", "responseString",
        ].map { name in
          API(
            type: type, name: name, result: .value(.receiver),
            closures: [
              Closure(
                operand: .last, place: .queueOr(.labelled("queue"), otherwise: .main),
                given: [.unknown], isDelayed: true)
            ])
        }
    }

  private static func methods(
    of type: Name, shared: Name? = nil, isStatic: Bool = false, _ names: [Name]
  ) -> [API] {
    names.map { runs(type, $0, isStatic: isStatic) }
      + (shared.map { [API(type: type, name: $0, isStatic: true, result: .external(type))] } ?? [])
  }

  private static func runs(_ type: Name, _ name: Name, isStatic: Bool = false) -> API {
    API(
      type: type, name: name, isStatic: isStatic,
      closures: [
        Closure(operand: .last, place: .background, given: [.unknown], isDelayed: true)
      ])
  }
}
