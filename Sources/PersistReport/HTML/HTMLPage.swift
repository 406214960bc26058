/// A page of HTML that stands by itself: it loads nothing, and runs and paints only what is in it.
package struct HTMLPage: Sendable {
  /// How every page begins.
  package static let beginning =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    + "<meta name=\"generator\" content=\"persistlint\">\n"

  private let title: String
  private let style: String
  private let script: String
  private let body: String

  /// `title` is plain text; the rest is as it is to stand in the page.
  package init(title: String, style: String, script: String, body: String) {
    self.title = title
    self.style = HTMLPage.style + style
    self.script = script
    self.body = body
  }

  /// The whole page, with a line break at the end.
  package var text: String {
    // What a name from the sources might smuggle in is neither run nor loaded.
    let policy =
      "default-src 'none'; style-src '\(SHA256.source(of: style))'; "
      + "script-src '\(SHA256.source(of: script))'; base-uri 'none'; form-action 'none'"
    return """
      \(HTMLPage.beginning)<meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="referrer" content="no-referrer">
      <title>\(title.html)</title>
      <style>\(style)</style>
      </head>
      <body>
      \(body)<script>\(script)</script>
      </body>
      </html>

      """
  }

  /// What all pages share: colours for light and dark, headings, code, print.
  private static let style = """

    :root {
      color-scheme: light dark;
      --text: #1c1c1e; --soft: #5c5c66; --ground: #fff; --raised: #f5f5f7; --line: #d5d5dc;
      --link: #0b57d0; --error: #b3261e; --warning: #8a5300; --note: #2456a6; --good: #1b6e3c;
      --mark: #fff0b3; --added: #e3f6e8; --removed: #fde7e6;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --text: #ececf1; --soft: #a5a5b2; --ground: #17171b; --raised: #222228; --line: #3d3d48;
        --link: #8ab4f8; --error: #ff8a80; --warning: #f2b866; --note: #9cc2ff; --good: #7fd69b;
        --mark: #574a12; --added: #173823; --removed: #47201e;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; color: var(--text);
      background: var(--ground); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
    }
    h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
    h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
    h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    code, pre { font: .875rem/1.45 ui-monospace, Menlo, Consolas, monospace; }
    pre {
      margin: .5rem 0; padding: .5rem .75rem; overflow-x: auto; background: var(--raised);
      border: 1px solid var(--line); border-radius: 6px; overflow-wrap: normal;
    }
    mark { color: inherit; background: var(--mark); }
    .soft { color: var(--soft); }
    .tag {
      display: inline-block; padding: 0 .5em; border: 1px solid currentColor; border-radius: 1em;
      font-size: .8125rem; white-space: nowrap;
    }
    .error { color: var(--error); } .warning { color: var(--warning); }
    .note { color: var(--note); } .good { color: var(--good); }
    input, select, button {
      font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line);
      border-radius: 6px; padding: .25rem .6rem;
    }
    [hidden] { display: none !important; }
    @media print {
      body { max-width: none; padding: 0; font-size: 10pt; color: #000; background: #fff; }
      .controls { display: none; }
      pre { white-space: pre-wrap; overflow: visible; }
      article, .card { break-inside: avoid; }
      details::details-content { content-visibility: visible; block-size: auto; }
    }

    """
}

extension String {
  /// The text as HTML shows it, in content and in attributes; what controls something is shown as a
  /// character.
  package var html: String {
    var text = ""
    for scalar in visible.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The same, with what stands between backquotes as code.
  package var htmlWithCode: String {
    let parts = split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count % 2 == 1 else { return html }
    return parts.enumerated().map { index, part in
      index % 2 == 0 ? String(part).html : "<code>\(String(part).html)</code>"
    }.joined()
  }

  /// The text as a part of an id: each other character than ASCII letters and digits by its number.
  package var htmlID: String {
    unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? String(scalar) : "_\(scalar.value)_"
    }.joined()
  }
}
