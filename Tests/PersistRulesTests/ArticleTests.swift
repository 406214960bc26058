import Testing

@testable import PersistRules

@Suite struct ArticleTests {
  @Test(arguments: [
    ("Album", "an `Album`"), ("Trip", "a `Trip`"), ("item", "an `item`"), ("User", "a `User`"),
    ("Unit", "a `Unit`"), ("UnindexedRow", "an `UnindexedRow`"), ("Upload", "an `Upload`"),
    ("Hour", "an `Hour`"), ("House", "a `House`"), ("OneTimeCode", "a `OneTimeCode`"),
    ("Order", "an `Order`"), ("Euro", "a `Euro`"), ("Event", "an `Event`"),
    ("NSItem", "an `NSItem`"), ("URLEntry", "a `URLEntry`"), ("T", "a `T`"), ("E", "an `E`"),
    ("_account", "an `_account`"), ("SchemaV2.Trip", "a `SchemaV2.Trip`"), ("", "a ``"),
  ])
  func theArticleFollowsTheFirstSound(name: String, expected: String) {
    #expect(name.withArticle == expected)
  }
}
