extension HTMLFormat {
  static let style = """
    .controls {
      position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1rem;
      align-items: center; padding: .75rem 0; background: var(--ground);
      border-bottom: 1px solid var(--line);
    }
    #filter { flex: 1 1 16rem; min-width: 0; }
    .boxes { display: flex; flex-wrap: wrap; gap: .25rem .75rem; }
    kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; font-size: .8em; }
    article {
      margin: .75rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 8px;
      scroll-margin-top: 5rem;
    }
    article:target, article:focus { border-color: var(--link); }
    .row { display: block; min-height: 1.45em; }
    .here { background: var(--ground); }
    .added { background: var(--added); } .removed { background: var(--removed); }
    summary { cursor: pointer; }
    .page { padding: .25rem 0 .5rem; }
    #findings[data-group=rule] .rule { display: none; }
    @media (max-width: 40rem) { .keys { display: none; } article { padding: .5rem; } }

    """

  static let script = """

    "use strict";
    (() => {
      const main = document.getElementById("findings");
      const filter = document.getElementById("filter");
      if (!filter) return;
      const group = document.getElementById("group");
      const count = document.getElementById("count");
      const nothing = document.getElementById("nothing");
      const boxes = [...document.querySelectorAll("input[name=severity]")];
      const articles = [...main.querySelectorAll("article")];
      const byRule = [...main.children];
      const words = new Map(articles.map((one) => [one,
        [one.dataset.rule, one.dataset.file, one.textContent].join(" ").toLowerCase()]));

      function byFile() {
        const sections = new Map();
        for (const article of articles) {
          const file = article.dataset.file;
          if (!sections.has(file)) {
            const section = document.createElement("section");
            section.dataset.key = file;
            const heading = document.createElement("h2");
            heading.textContent = file;
            section.append(heading);
            sections.set(file, section);
          }
          sections.get(file).append(article);
        }
        return [...sections.keys()].sort().map((file) => sections.get(file));
      }

      function regroup() {
        main.dataset.group = group.value;
        if (group.value === "file") {
          main.replaceChildren(...byFile());
        } else {
          for (const article of articles) {
            byRule.find((one) => one.dataset.key === article.dataset.rule).append(article);
          }
          main.replaceChildren(...byRule);
        }
        show();
      }

      function show() {
        const wanted = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
        const severities = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
        let shown = 0;
        for (const article of articles) {
          const fits = severities.has(article.dataset.severity)
            && wanted.every((word) => words.get(article).includes(word));
          article.hidden = !fits;
          if (fits) shown += 1;
        }
        for (const section of main.children) {
          section.hidden = !section.querySelector("article:not([hidden])");
        }
        nothing.hidden = shown > 0;
        count.textContent = shown === articles.length ? "" : `${shown} of ${articles.length}`;
      }

      function step(by) {
        const seen = [...main.querySelectorAll("article:not([hidden])")];
        const at = seen.indexOf(document.activeElement.closest("article"));
        const next = seen[at < 0 ? (by > 0 ? 0 : seen.length - 1) : at + by];
        if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
      }

      filter.addEventListener("input", show);
      for (const box of boxes) box.addEventListener("change", show);
      group.addEventListener("change", regroup);
      filter.form.addEventListener("submit", (event) => event.preventDefault());
      document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target.matches("input[type=search], select")) {
          if (event.key === "Escape") { filter.value = ""; show(); event.target.blur(); }
          return;
        }
        if (event.key === "/") { filter.focus(); event.preventDefault(); }
        if (event.key === "j") step(1);
        if (event.key === "k") step(-1);
      });
      addEventListener("beforeprint", () => {
        for (const one of document.querySelectorAll("details:not([open])")) {
          one.open = true;
          one.dataset.printed = "";
        }
      });
      addEventListener("afterprint", () => {
        for (const one of document.querySelectorAll("details[data-printed]")) {
          one.open = false;
          delete one.dataset.printed;
        }
      });
      main.dataset.group = "rule";
      show();
    })();

    """
}
