// MARK: - Signatures of Swift's library, of Combine, SwiftData, SwiftUI, WidgetKit and App Intents

extension Signatures {
  /// The signatures from which types are told. What looks like a function with the name of a type is
  /// an initializer.
  static let standard = Signatures(swift + sequences + concurrency + frameworks)

  private static let swift = """
    struct Optional<Wrapped> {
      func map<U>(_ transform: (Wrapped) -> U) -> U?
      func flatMap<U>(_ transform: (Wrapped) -> U?) -> U?
      func take() -> Wrapped?
    }
    struct Result<Success, Failure> {
      func get() -> Success
      func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>
      func mapError<E>(_ transform: (Failure) -> E) -> Result<Success, E>
      func flatMap<T>(_ transform: (Success) -> Result<T, Failure>) -> Result<T, Failure>
      func flatMapError<E>(_ transform: (Failure) -> Result<Success, E>) -> Result<Success, E>
    }
    func Result<T>(catching body: () -> T) -> Result<T, Error>
    struct KeyPath<Root, Value> {}
    struct WritableKeyPath<Root, Value> {}
    struct ReferenceWritableKeyPath<Root, Value> {}
    func withExtendedLifetime<T, R>(_ value: T, _ body: (T) -> R) -> R
    func withExtendedLifetime<T, R>(_ value: T, _ body: () -> R) -> R
    func autoreleasepool<R>(invoking body: () -> R) -> R
    func min<T>(_ left: T, _ right: T, _ rest: T...) -> T
    func max<T>(_ left: T, _ right: T, _ rest: T...) -> T
    func zip<A, B>(_ left: [A], _ right: [B]) -> [(A, B)]
    func repeatElement<T>(_ element: T, count: Int) -> [T]

    """

  private static let sequences = """
    struct Sequence<Element> {
      var first: Element?
      var last: Element?
      var lazy: [Element]
      var count: Int
      var isEmpty: Bool
      func map<T>(_ transform: (Element) -> T) -> [T]
      func compactMap<T>(_ transform: (Element) -> T?) -> [T]
      func flatMap<T>(_ transform: (Element) -> [T]) -> [T]
      func asyncMap<T>(_ transform: (Element) -> T) -> [T]
      func asyncCompactMap<T>(_ transform: (Element) -> T?) -> [T]
      func concurrentMap<T>(_ transform: (Element) -> T) -> [T]
      func filter(_ isIncluded: (Element) -> Bool) -> [Element]
      func forEach(_ body: (Element) -> Void)
      func asyncForEach(_ body: (Element) -> Void)
      func concurrentForEach(_ body: (Element) -> Void)
      func first(where predicate: (Element) -> Bool) -> Element?
      func last(where predicate: (Element) -> Bool) -> Element?
      func contains(where predicate: (Element) -> Bool) -> Bool
      func allSatisfy(_ predicate: (Element) -> Bool) -> Bool
      func count(where predicate: (Element) -> Bool) -> Int
      func firstIndex(where predicate: (Element) -> Bool) -> Int?
      func lastIndex(where predicate: (Element) -> Bool) -> Int?
      func drop(while predicate: (Element) -> Bool) -> [Element]
      func prefix(while predicate: (Element) -> Bool) -> [Element]
      func removeAll(where predicate: (Element) -> Bool)
      func partition(by predicate: (Element) -> Bool) -> Int
      func sorted() -> [Element]
      func sorted(by areInOrder: (Element, Element) -> Bool) -> [Element]
      func sort(by areInOrder: (Element, Element) -> Bool)
      func min(by areInOrder: (Element, Element) -> Bool) -> Element?
      func max(by areInOrder: (Element, Element) -> Bool) -> Element?
      func elementsEqual(_ other: [Element], by areAlike: (Element, Element) -> Bool) -> Bool
      func reduce<R>(_ initial: R, _ next: (R, Element) -> R) -> R
      func reduce<R>(into initial: R, _ update: (R, Element) -> Void) -> R
      func enumerated() -> [(offset: Int, element: Element)]
      func joined() -> Element
      func remove(at index: Int) -> Element
      func removeFirst() -> Element
      func removeLast() -> Element
    }
    struct Array<Element> {
      func append(_ element: Element)
      func append(contentsOf elements: [Element])
      func insert(_ element: Element, at index: Int)
    }
    struct Collection<Element> {}
    struct RandomAccessCollection<Element> {}
    struct BidirectionalCollection<Element> {}
    struct MutableCollection<Element> {}
    struct Results<Element> {}
    struct List<Element> {}
    struct Set<Element> {
      func filter(_ isIncluded: (Element) -> Bool) -> Set<Element>
      func remove(_ member: Element) -> Element?
      func union(_ other: [Element]) -> Set<Element>
      func subtracting(_ other: [Element]) -> Set<Element>
      func intersection(_ other: [Element]) -> Set<Element>
      func symmetricDifference(_ other: [Element]) -> Set<Element>
    }
    struct Dictionary<Key, Value> {
      var keys: [Key]
      var values: [Value]
      func mapValues<T>(_ transform: (Value) -> T) -> [Key: T]
      func compactMapValues<T>(_ transform: (Value) -> T?) -> [Key: T]
      func filter(_ isIncluded: ((key: Key, value: Value)) -> Bool) -> [Key: Value]
      func removeValue(forKey key: Key) -> Value?
      func updateValue(_ value: Value, forKey key: Key) -> Value?
      func merging(_ other: [Key: Value], uniquingKeysWith combine: (Value, Value) -> Value)
        -> [Key: Value]
    }
    func Array<T>(_ elements: [T]) -> [T]
    func Array<T>(repeating element: T, count: Int) -> [T]
    func Set<T>(_ elements: [T]) -> Set<T>
    func Dictionary<K, T>(grouping elements: [T], by key: (T) -> K) -> [K: [T]]
    func Dictionary<K, V>(uniqueKeysWithValues pairs: [(K, V)]) -> [K: V]
    func Dictionary<K, V>(_ pairs: [(K, V)], uniquingKeysWith combine: (V, V) -> V) -> [K: V]

    """

  private static let concurrency = """
    struct Task<Success, Failure> {
      var value: Success
      var result: Result<Success, Failure>
      static func detached<T>(
        name: String? = nil, priority: TaskPriority? = nil, operation: () -> T) -> Task<T, Error>
    }
    func Task<T>(name: String? = nil, priority: TaskPriority? = nil, operation: () -> T)
      -> Task<T, Error>
    struct MainActor {
      static func run<T>(resultType: T.Type = T.self, body: () -> T) -> T
      static func assumeIsolated<T>(_ operation: () -> T) -> T
    }
    struct CheckedContinuation<Success, Failure> {}
    struct UnsafeContinuation<Success, Failure> {}
    func withCheckedContinuation<T>(_ body: (CheckedContinuation<T, Never>) -> Void) -> T
    func withCheckedThrowingContinuation<T>(_ body: (CheckedContinuation<T, Error>) -> Void) -> T
    func withTaskGroup<T, R>(
      of type: T.Type, returning result: R.Type = R.self, body: (TaskGroup<T>) -> R) -> R
    func withThrowingTaskGroup<T, R>(
      of type: T.Type, returning result: R.Type = R.self,
      body: (ThrowingTaskGroup<T, Error>) -> R) -> R
    struct TaskGroup<Element> {}
    struct ThrowingTaskGroup<Element, Failure> {}
    struct AsyncStream<Element> {}
    struct AsyncThrowingStream<Element, Failure> {}
    struct Mutex<Value> {
      func withLock<R>(_ body: (Value) -> R) -> R
    }
    struct OSAllocatedUnfairLock<State> {
      func withLock<R>(_ body: (State) -> R) -> R
    }
    struct CurrentValueSubject<Output, Failure> { var value: Output }
    struct DispatchQueue {
      func sync<T>(execute work: () -> T) -> T
      func sync<T>(flags: DispatchWorkItemFlags, execute work: () -> T) -> T
    }
    struct MainQueue {
      func sync<T>(execute work: () -> T) -> T
    }

    """

  private static let frameworks = """
    struct FetchDescriptor<T> {}
    struct ModelContext {
      func enumerate<T>(
        _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (T) -> Void)
    }
    struct JSONDecoder { func decode<T>(_ type: T.Type, from data: Data) -> T }
    struct PropertyListDecoder { func decode<T>(_ type: T.Type, from data: Data) -> T }
    struct Timeline<Entry> { var entries: [Entry] }
    protocol TimelineProvider {
      associatedtype Entry
      func placeholder(in context: TimelineProviderContext) -> Entry
      func getSnapshot(in context: TimelineProviderContext, completion: (Entry) -> Void)
      func getTimeline(in context: TimelineProviderContext, completion: (Timeline<Entry>) -> Void)
    }
    protocol IntentTimelineProvider {
      associatedtype Entry
      associatedtype Intent
      func placeholder(in context: TimelineProviderContext) -> Entry
      func getSnapshot(
        for configuration: Intent, in context: TimelineProviderContext, completion: (Entry) -> Void)
      func getTimeline(
        for configuration: Intent, in context: TimelineProviderContext,
        completion: (Timeline<Entry>) -> Void)
    }
    protocol AppIntentTimelineProvider {
      associatedtype Entry
      associatedtype Intent
      func placeholder(in context: TimelineProviderContext) -> Entry
      func snapshot(for configuration: Intent, in context: TimelineProviderContext) -> Entry
      func timeline(for configuration: Intent, in context: TimelineProviderContext)
        -> Timeline<Entry>
    }
    func StaticConfiguration<P>(kind: String, provider: P, content: (P.Entry) -> Any)
      -> StaticConfiguration
    func IntentConfiguration<I, P>(
      kind: String, intent: I.Type, provider: P, content: (P.Entry) -> Any) -> IntentConfiguration
    func AppIntentConfiguration<I, P>(
      kind: String, intent: I.Type = I.self, provider: P, content: (P.Entry) -> Any)
      -> AppIntentConfiguration
    protocol EntityQuery {
      associatedtype Entity
      func entities(for identifiers: [String]) -> [Entity]
      func suggestedEntities() -> [Entity]
    }
    protocol EntityStringQuery {
      associatedtype Entity
      func entities(for identifiers: [String]) -> [Entity]
      func entities(matching string: String) -> [Entity]
    }
    protocol EnumerableEntityQuery {
      associatedtype Entity
      func allEntities() -> [Entity]
    }
    protocol DynamicOptionsProvider {
      associatedtype Result
      func results() -> Result
    }
    protocol AppEntity {
      associatedtype ID
      associatedtype DefaultQuery
      static var defaultQuery: DefaultQuery { get }
      var id: ID { get }
    }
    protocol Identifiable {
      associatedtype ID
      var id: ID { get }
    }
    protocol UIViewRepresentable {
      associatedtype UIViewType
      associatedtype Coordinator
      func makeUIView(context: Context) -> UIViewType
      func makeCoordinator() -> Coordinator
    }
    protocol UIViewControllerRepresentable {
      associatedtype UIViewControllerType
      associatedtype Coordinator
      func makeUIViewController(context: Context) -> UIViewControllerType
      func makeCoordinator() -> Coordinator
    }
    protocol EnvironmentKey {
      associatedtype Value
      static var defaultValue: Value { get }
    }
    protocol DependencyKey {
      associatedtype Value
      static var liveValue: Value { get }
    }
    struct Predicate<T> {}
    func FetchDescriptor<T>(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = [])
      -> FetchDescriptor<T>
    func ModelContainer(
      for types: Any..., migrationPlan: Any = nil, configurations: ModelConfiguration...)
      -> ModelContainer
    func Realm(configuration: Configuration, queue: Any = nil) -> Realm
    func withAnimation<R>(_ animation: Animation? = nil, _ body: () -> R) -> R
    func ForEach<T>(_ data: [T], id: KeyPath<T, Any> = id, content: (T) -> Any) -> ForEach
    func List<T>(_ data: [T], id: KeyPath<T, Any> = id, rowContent: (T) -> Any) -> List
    func Table<T>(_ data: [T], columns: (T) -> Any) -> Table
    """
}
