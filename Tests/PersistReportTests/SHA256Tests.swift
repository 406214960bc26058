import Testing

@testable import PersistReport

@Suite struct SHA256Tests {
  /// From FIPS 180-4's examples, in base 64.
  @Test(arguments: [
    ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
    ),
  ]) func hashesAreThoseOfTheStandard(text: String, hash: String) {
    #expect(SHA256.source(of: text) == "sha256-\(hash)")
  }
}
