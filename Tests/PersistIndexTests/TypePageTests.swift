import Testing

/// The types that the carets of the pages in `Types/` say.
@Suite struct TypePageTests {
  @Test(arguments: TypePage.samples, [false, true])
  func caretsSayTheTypesInAnyOrder(sample: TypePage.Sample, isTurned: Bool) {
    let (said, told) = sample.types(isTurned: isTurned)
    #expect(!said.isEmpty)
    for (said, told) in zip(said, told) { #expect(told == said) }
  }
}
