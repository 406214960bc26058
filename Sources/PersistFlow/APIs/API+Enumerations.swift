import PersistIndex

// MARK: - Methods that run a closure before they return

extension API {
  /// Methods of the system that call their last closure in place, once for each thing that they come
  /// to or with what they lend.
  static let enumerations: [API] = [
    "CNContactStore": ["enumerateContacts"],
    "EKEventStore": ["enumerateEvents"],
    "PHFetchResult": ["enumerateObjects"],
    "NSArray": ["enumerateObjects"],
    "NSOrderedSet": ["enumerateObjects"],
    "NSSet": ["enumerateObjects"],
    "NSDictionary": ["enumerateKeysAndObjects"],
    "NSIndexSet": ["enumerate", "enumerateRanges"],
    "NSRegularExpression": ["enumerateMatches"],
    "NSAttributedString": ["enumerateAttribute", "enumerateAttributes"],
    "NSMutableAttributedString": ["enumerateAttribute", "enumerateAttributes"],
    "NSString": ["enumerateLines", "enumerateSubstrings", "enumerateLinguisticTags"],
    "String": ["enumerateLines", "enumerateSubstrings", "withCString", "withUTF8"],
    "NSLinguisticTagger": ["enumerateTags"],
    "NLTagger": ["enumerateTags"],
    "NLTokenizer": ["enumerateTokens"],
    "Calendar": ["enumerateDates"],
    "HKStatisticsCollection": ["enumerateStatistics"],
    "Data": ["withUnsafeBytes", "enumerateBytes"],
    "NSLock": ["withLock"],
    "NSRecursiveLock": ["withLock"],
    "OSAllocatedUnfairLock": ["withLock", "withLockUnchecked"],
    "Mutex": ["withLock"],
  ].flatMap { (type: Name, methods: [Name]) -> [API] in
    methods.map { name in
      API(
        type: type, name: name, result: .unknown,
        closures: [
          Closure(operand: .last, place: .inPlace, given: [.unknown, .unknown, .unknown])
        ])
    }
  }
}
