import PersistSyntax
import Testing

@testable import PersistIndex

/// What the views of values, comparisons and key paths say of code.
@Suite struct CodeViewTests {
  private let file = Ref(file: 0, node: 0)

  @Test func aNameSaysErrorByAWordOfItsOwn() {
    let program = Names(
      "let all = [error, loadError, NSError, errors, my_error, mirror, terror, errorless]"
    ).program
    let found = program.descendants(file, .name).filter { program.namesError(in: $0) }
    #expect(
      found.map { program.nameText($0) } == ["error", "loadError", "NSError", "errors", "my_error"])
  }

  @Test func nilIsComparedOnEitherSide() {
    let program = Names("let all = a == nil && nil != b.c && d == e").program
    let found = program.nilComparisons(in: file)
    #expect(found.map { program.text($0.subject) } == ["a", "b.c"])
    #expect(found.map(\.isEqual) == [true, false])
  }

  private func isFailure(_ code: String) -> Bool {
    let program = Names("let value = \(code)").program
    return program.isFailure(program.descendants(file, .expression)[0])
  }

  @Test func aFailureIsACaseAndNotAMethod() {
    #expect(isFailure(".failure(error)"))
    #expect(isFailure("Result<Int, any Error>.failure(error)"))
    #expect(isFailure("Swift.Result.failure(error)"))
    #expect(!isFailure(".success(failure)"))
    #expect(!isFailure("failure(error)"))
    #expect(!isFailure("log.failure(error)"))
  }

  private func names(_ keyPath: String) -> [Name]? {
    let program = Names("let value = \(keyPath)").program
    return program.names(ofKeyPath: program.descendants(file, .keyPath)[0])
  }

  @Test func aKeyPathIsItsNamesWhereItOnlyNames() {
    #expect(names("\\Stop.trip.name") == ["Stop", "trip", "name"])
    #expect(names("\\Stop.trip?.name") == nil)
    #expect(names("\\Stop.tags[0]") == nil)
  }

  @Test func codeIsTheSameTokenByToken() {
    let program = Names("let all = [self.box.realm, box /* the same */ .realm!, box.other]").program
    let paths = program.descendants(file, .chain).dropFirst().map {
      program.tokens(ofPath: program.children($0))
    }
    #expect(paths[0] == paths[1])
    #expect(paths[0] != paths[2])
  }
}
