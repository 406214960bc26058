// swift-format-ignore-file
// Made from Rules/*.md by scripts/rule-pages; edit the pages and run it again.

extension RulePage {
  /// The pages of all rules in the order of their names.
  package static let all: [RulePage] = [
    RulePage(
      id: "invalid-suppression",
      title: "Suppressions name a rule, give a reason, and are needed",
      impact: "LOW",
      impactDescription: "a finding stays hidden that nobody decided to hide",
      severity: .warning,
      tags: ["persistlint"],
      since: "0.1.0",
      body: #"""
## Suppressions name a rule, give a reason, and are needed

`// persistlint:ignore[rule-id] reason` silences one rule on its own line, or on the next line of code when it stands alone. A suppression without a reason can't be reviewed. One with a misspelt id hides nothing, and one that is no longer needed would hide the next mistake on that line.

**Incorrect (no reason, an unknown id, no id):**

```swift
func open() throws {
  // persistlint:ignore[invalid-suppression]
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the next reader can't tell why this is safe…
  // persistlint:ignore[swallowed-save-eror] the widget saves again
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ there is no rule `swallowed-save-eror`…
  // persistlint:ignore the widget saves again
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this comment silences nothing; name the rule…
}
```

**Correct (the rule by its id, and why):**

```swift sketch
try? context.save()  // persistlint:ignore[swallowed-save-error] the import saves again at its end
```

**When NOT to use:** the rule can be switched off, but a suppression is then never checked again.

Reference: `persistlint rules` lists the ids

"""#),
  ]
}
