import PersistSchema
import PersistStore

/// Reads one input: a store, a store with its log, an archive of a model, or a DEFLATE stream, as its
/// first byte says.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  switch start[0] {
  case 1:
    guard bytes.count >= 4 else { return 0 }
    let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    let parts = bytes.dropFirst(4)
    read(Array(parts.prefix(length)), log: Array(parts.dropFirst(length)))
  case 2:
    (PropertyList(bytes)?.top).map { _ in () }
    (ModelArchive(bytes)?.shape).map(judge)
  case 3: _ = Inflate.inflate(bytes)
  default: read(bytes, log: nil)
  }
  return 0
}

private func read(_ bytes: [UInt8], log: [UInt8]?) {
  guard let store = try? StoreFile(StoreBytes(bytes), log: log.map { StoreBytes($0) }) else {
    return
  }
  precondition(store.pageSize >= 512, "a page size")
  precondition(store.tables.allSatisfy { $0.rows >= 0 && $0.pages >= 0 }, "weights")
  store.shape.map(judge)
}

/// What `store` does with a model: it compares, and judges the ways there and back.
private func judge(_ shape: SchemaShape) {
  let other = SchemaShape(entities: [Entity(name: "Trip", properties: [])])
  for version in [shape, other] {
    _ = StoreComparison(name: "V1", store: shape, version: version).differences
    _ = Migration(from: shape, to: version).judgements
    _ = Migration(from: version, to: shape).likelyRenames
  }
  _ = shape.facts
}
