import Testing

/// The types that the carets of the pages in `Types/` say.
@Suite struct TypePageTests {
  @Test(arguments: TypePage.samples)
  func caretsSayTheTypes(sample: TypePage.Sample) {
    let (said, told) = sample.types()
    #expect(!said.isEmpty)
    for (said, told) in zip(said, told) { #expect(told == said) }
  }
}
