/* Lycosa's box and hits in a page of another site:
     <script src="https://search.example/static/embed.js" defer></script>
     <lycosa-search site="www.example.org"></lycosa-search>
   What strangers wrote goes in as text, never as markup. */
(() => {
  "use strict";

  const SERVER = new URL("..", document.currentScript.src).href.slice(0, -1); // without the slash
  const PAUSE = 200; // milliseconds without a key before hits are asked for
  const WAIT = 8000; // milliseconds for an answer, before the form is sent as any other
  const SIZE = 10; // hits, where the page does not say how many
  const MOST = 100; // hits; the server gives no more at once
  const WORDS = {
    en: { search: "Search", hits: "Results", none: "No results", all: "All results", meant: "Did you mean:" },
    fa: { search: "جستجو", hits: "نتایج", none: "چیزی پیدا نشد", all: "همهٔ نتایج", meant: "آیا منظورتان این بود:" },
    pl: { search: "Szukaj", hits: "Wyniki", none: "Nic nie znaleziono", all: "Wszystkie wyniki", meant: "Czy chodziło Ci o:" },
    ru: { search: "Поиск", hits: "Найдено", none: "Ничего не найдено", all: "Все результаты", meant: "Возможно, вы имели в виду:" },
    zh: { search: "搜索", hits: "结果", none: "没有找到", all: "全部结果", meant: "您是不是要找：" },
  };

  // Made by a constructor, the sheet needs no permission of the page's own policy (CSP).
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host {
      display: block;
      background: var(--lycosa-ground, transparent);
      color: var(--lycosa-ink, inherit);
      font: var(--lycosa-font, inherit);
      overflow-wrap: anywhere;
    }
    :host([hidden]), a[hidden], p[hidden] { display: none; }
    form { display: flex; gap: 0.5em; }
    input, button {
      padding: 0.55em 0.8em;
      border: 1px solid var(--lycosa-edge, #857f76);
      border-radius: var(--lycosa-radius, 0.5em);
      font: inherit;
    }
    input { flex: 1; min-inline-size: 0; background: var(--lycosa-ground, transparent); color: inherit; }
    button {
      border-color: transparent;
      background: var(--lycosa-accent, #f3b63f);
      color: var(--lycosa-on-accent, #24211d);
      font-weight: 600;
      cursor: pointer;
    }
    :focus-visible { outline: 3px solid var(--lycosa-link, LinkText); outline-offset: 2px; }
    p { margin: 0.2em 0 0; }
    form + p { margin-block-start: 0.7em; }
    form + p:empty { margin: 0; }
    ol { margin: 0; padding: 0; list-style: none; }
    li { margin-block: 1em; }
    a { color: var(--lycosa-link, LinkText); }
    li a { font-size: 1.1em; text-decoration: none; }
    li a:is(:hover, :focus) { text-decoration: underline; }
    mark {
      border-radius: 0.2em;
      background: var(--lycosa-mark, #ffe9a6);
      color: var(--lycosa-on-mark, #24211d);
    }
    .quiet {
      color: var(--lycosa-quiet, color-mix(in srgb, currentColor 78%, transparent));
      font-size: 0.9em;
    }
  `);

  class LycosaSearch extends HTMLElement {
    #box;
    #count = made("p", { role: "status", class: "quiet" });
    #meant = made("p", { hidden: "" });
    #hits = made("ol", { role: "list" });
    #all = made("a", { hidden: "" });
    #asking = new AbortController();
    #timer = 0;
    #words = WORDS.en;

    connectedCallback() {
      if (this.shadowRoot) return; // it was moved
      const language = (this.lang || document.documentElement.lang || "en").toLowerCase();
      this.#words = WORDS[language.split("-")[0]] ?? WORDS.en;
      const name = this.getAttribute("placeholder") ?? "";
      const label = { "aria-label": name || this.#words.search, placeholder: name };
      this.#box = made("input", { name: "q", type: "search", dir: "auto", maxlength: 1000, ...label });
      const form = made("form", { role: "search", action: `${SERVER}/search` });
      form.append(this.#box, made("button", {}, this.#words.search));
      form.addEventListener("submit", (event) => this.#submitted(event));
      this.#box.addEventListener("input", (event) => event.isComposing || this.#typed());
      this.#box.addEventListener("compositionend", () => this.#typed());
      this.#all.textContent = this.#words.all;
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      root.append(form, this.#count, this.#meant, this.#hits, this.#all);
      root.addEventListener("keydown", (event) => this.#key(event));
    }

    /** Hits come as one types; the form is there for whoever does not wait for them. */
    #typed() {
      clearTimeout(this.#timer);
      this.#asking.abort();
      if (this.#box.value.trim()) this.#timer = setTimeout(() => this.#search(() => {}), PAUSE);
      else this.#clear();
    }

    #submitted(event) {
      event.preventDefault();
      clearTimeout(this.#timer);
      this.#search((address) => location.assign(address)); // as the plain form does
    }

    /** Shows the hits for what is in the box; without an answer `instead` gets the address of the hits. */
    async #search(instead) {
      this.#asking.abort();
      const words = this.#box.value.trim();
      if (!words) return;
      const asking = (this.#asking = new AbortController());
      const late = setTimeout(() => asking.abort(), WAIT);
      const site = this.getAttribute("site");
      const query = new URLSearchParams({ q: site ? `site:${site} ${words}` : words });
      const results = await answered(`${SERVER}/api/search?${query}&size=${this.#size()}`, asking.signal);
      clearTimeout(late);
      if (asking !== this.#asking) return; // something else was asked meanwhile
      const address = `${SERVER}/search?${query}`;
      if (results) this.#show(results, address);
      else instead(address);
    }

    #clear() {
      this.#asking = new AbortController(); // an answer under way is no longer for what is in the box
      this.#count.textContent = "";
      this.#hits.replaceChildren();
      this.#meant.hidden = this.#all.hidden = true;
    }

    #size() {
      return Math.min(Math.max(parseInt(this.getAttribute("size"), 10) || SIZE, 1), MOST);
    }

    #show(results, address) {
      const { hits, none } = this.#words;
      this.#count.textContent = results.total ? `${hits}: ${results.total.toLocaleString()}` : none;
      this.#offer(results.did_you_mean);
      const names = Object.fromEntries(results.sites.map(({ host, name }) => [host, name]));
      this.#hits.replaceChildren(...results.hits.map((hit) => shown(hit, names)));
      this.#all.href = address;
      this.#all.hidden = results.total <= results.hits.length;
    }

    /** What may be meant, without the site that the page narrows it to; a click searches for it here. */
    #offer(meant) {
      const site = `site:${this.getAttribute("site")} `;
      const words = meant.startsWith(site) ? meant.slice(site.length) : meant;
      const link = made("a", { href: `${SERVER}/search?${new URLSearchParams({ q: meant })}`, dir: "auto" }, words);
      link.addEventListener("click", (event) => {
        this.#box.value = words;
        this.#submitted(event);
        this.#box.focus();
      });
      this.#meant.replaceChildren(`${this.#words.meant} `, link);
      this.#meant.hidden = !words;
    }

    /** Arrows lead through box and hits, Escape back to the box. */
    #key(event) {
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      const stops = [this.#box, ...this.#hits.querySelectorAll("a")];
      const at = stops.indexOf(this.shadowRoot.activeElement);
      const to = event.key === "Escape" ? 0 : at + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0);
      if (at < 0 || to === at || !stops[to]) return;
      event.preventDefault();
      stops[to].focus();
    }
  }

  /** What the server answers; null when it does not, does not in time, or does not let this page read it. */
  async function answered(address, signal) {
    try {
      const answer = await fetch(address, { signal, credentials: "omit" });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  function shown(hit, names) {
    const title = hit.section ? `${hit.title || hit.url} › ${hit.section}` : hit.title || hit.url;
    const link = webLink(hit);
    const item = made("li", { lang: hit.language, dir: "auto" });
    item.append(link ? made("a", { href: link.href }, title) : made("span", {}, title));
    if (link) item.append(made("p", { class: "quiet", dir: "auto" }, crumbs(link, names[link.host])));
    item.append(marked(hit));
    return item;
  }

  /** The passage with its matches marked; they are counted in code points, a string of ours in UTF-16 units. */
  function marked({ snippet, marks }) {
    const [letters, passage] = [[...snippet], made("p", {})];
    let at = 0;
    for (const [start, end] of marks) {
      passage.append(letters.slice(at, start).join(""), made("mark", {}, letters.slice(start, end).join("")));
      at = end;
    }
    passage.append(letters.slice(at).join(""));
    return passage;
  }

  /** The site and the steps to a page on it, as people read them; what is no UTF-8 stays encoded. */
  function crumbs(link, name) {
    const steps = link.pathname.split("/").filter(Boolean).map((step) => {
      try {
        return decodeURIComponent(step);
      } catch {
        return step;
      }
    });
    return [name ? `${name} (${link.host})` : link.host, ...steps].join(" › ");
  }

  /** Where a hit leads; null for anything but http and https. */
  function webLink(hit) {
    try {
      const url = new URL(hit.link);
      return /^https?:$/.test(url.protocol) ? url : null;
    } catch {
      return null;
    }
  }

  function made(name, attributes, text = "") {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  }

  if (!customElements.get("lycosa-search")) customElements.define("lycosa-search", LycosaSearch);
})();
