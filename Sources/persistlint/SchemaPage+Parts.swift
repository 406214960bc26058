extension SchemaPage {
  static let style = """
    body { max-width: 110rem; }
    .controls {
      display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .75rem 0;
    }
    #filter { flex: 1 1 14rem; max-width: 24rem; min-width: 0; }
    kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; font-size: .8em; }
    h4 { margin: .75rem 0 .25rem; font-size: .875rem; }
    .row {
      display: flex; gap: .75rem; align-items: flex-start; margin: 0; padding: .5rem .25rem 1rem;
      list-style: none; overflow-x: auto;
    }
    .card { border: 1px solid var(--line); border-radius: 8px; padding: .5rem .9rem; }
    .card h3 { margin: 0 0 .25rem; }
    .card p { margin: .25rem 0; }
    .version { flex: 0 0 15rem; background: var(--raised); }
    .step { flex: 0 0 19rem; border-style: dashed; font-size: .875rem; }
    .path { font-size: .8125rem; }
    .entities { margin: .5rem 0 0; padding: 0; list-style: none; }
    .entities a { display: block; padding: .1rem 0; }
    .changes { margin: 0; padding-left: 1.1rem; }
    .adds { list-style-type: "+ "; } .drops { list-style-type: "− "; }
    .renames { list-style-type: "↷ "; }
    .entity { display: none; max-width: 80rem; margin: .5rem 0 1.5rem; scroll-margin-top: 1rem; }
    .entity:target { display: block; border-color: var(--link); }
    .close { float: right; font-weight: normal; }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; min-width: 100%; margin: .5rem 0; }
    th, td {
      border: 1px solid var(--line); padding: .2rem .6rem; text-align: left; font-weight: normal;
      white-space: nowrap;
    }
    thead th { background: var(--raised); }
    .added { background: var(--added); } .removed { background: var(--removed); }
    .changed { background: var(--mark); }
    .entities .found a { background: var(--mark); }
    @media (max-width: 40rem) {
      .row { flex-direction: column; align-items: stretch; }
      .version, .step { flex: none; }
      .step h3 span[aria-hidden] { display: inline-block; transform: rotate(90deg); }
      .keys { display: none; }
    }
    @media print {
      .row { flex-wrap: wrap; overflow: visible; }
      .entity { display: block; }
      .close { display: none; }
    }

    """

  static let script = """

    "use strict";
    (() => {
      const filter = document.getElementById("filter");
      if (!filter) return;
      const count = document.getElementById("count");
      const names = [...document.querySelectorAll(".entities li")];

      function show() {
        const wanted = filter.value.trim().toLowerCase();
        const found = new Set();
        for (const one of names) {
          const fits = one.dataset.entity.toLowerCase().includes(wanted);
          one.hidden = !fits;
          one.classList.toggle("found", fits && wanted !== "");
          if (fits) found.add(one.querySelector("a").hash);
        }
        count.textContent = wanted === "" ? "" : found.size === 1 ? "1 entity" : `${found.size} entities`;
      }

      function opened() {
        const one = location.hash && document.getElementById(location.hash.slice(1));
        if (one && one.matches(".entity")) one.focus();
      }

      let last = null;
      for (const link of document.querySelectorAll(".entities a")) {
        link.addEventListener("click", () => { last = link; });
      }
      filter.addEventListener("input", show);
      filter.form.addEventListener("submit", (event) => event.preventDefault());
      addEventListener("hashchange", opened);
      document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target === filter) {
          if (event.key === "Escape") { filter.value = ""; show(); filter.blur(); }
          return;
        }
        if (event.key === "/") { filter.focus(); event.preventDefault(); }
        if (event.key === "Escape" && document.querySelector(".entity:target")) {
          location.hash = "";
          if (last) last.focus();
        }
      });
      opened();
    })();

    """
}
