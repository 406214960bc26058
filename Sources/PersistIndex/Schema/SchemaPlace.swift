/// A place in a file: the byte range of what is meant.
package struct SchemaPlace: Hashable, Sendable {
  package var path: String
  package var range: Range<Int>
  /// The node of the program; nil in files that are not Swift.
  package var ref: Ref?
  /// From 1; only for files that are not Swift.
  package var line: Int
  package var column: Int

  package init(
    path: String, range: Range<Int>, ref: Ref? = nil, line: Int = 1, column: Int = 1
  ) {
    self.path = path
    self.range = range
    self.ref = ref
    self.line = line
    self.column = column
  }
}
