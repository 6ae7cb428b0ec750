/* Lycosa's box and hits in a page of another site:
     <script src="https://search.example/static/embed.js" defer></script>
     <lycosa-search site="www.example.org"></lycosa-search>
   With the attribute "dialog" there is a button, and box and hits come in a dialog, also by Ctrl K.
   What strangers wrote goes in as text, never as markup. */
(() => {
  "use strict";

  const SERVER = new URL("..", document.currentScript.src).href.slice(0, -1); // without the slash
  const PAUSE = 200; // milliseconds without a key before hits are asked for
  const WAIT = 8000; // milliseconds for an answer, before the form is sent as any other
  const SIZE = 10; // hits, where the page does not say how many
  const MOST = 100; // hits; the server gives no more at once
  const OFFERED = 5; // completions: they stand above the hits
  const WORDS = {
    en: {
      search: "Search", close: "Close", offered: "Suggestions", hits: "Results", none: "No results",
      all: "All results", meant: "Did you mean:", instead: "Showing results for:",
    },
    fa: {
      search: "جستجو", close: "بستن", offered: "پیشنهادها", hits: "نتایج", none: "چیزی پیدا نشد",
      all: "همهٔ نتایج", meant: "آیا منظورتان این بود:", instead: "نتیجه‌ها برای:",
    },
    pl: {
      search: "Szukaj", close: "Zamknij", offered: "Podpowiedzi", hits: "Wyniki", none: "Nic nie znaleziono",
      all: "Wszystkie wyniki", meant: "Czy chodziło Ci o:", instead: "Wyniki dla:",
    },
    ru: {
      search: "Поиск", close: "Закрыть", offered: "Подсказки", hits: "Найдено", none: "Ничего не найдено",
      all: "Все результаты", meant: "Возможно, вы имели в виду:", instead: "Показаны результаты по запросу:",
    },
    zh: {
      search: "搜索", close: "关闭", offered: "搜索建议", hits: "结果", none: "没有找到",
      all: "全部结果", meant: "您是不是要找：", instead: "以下是此搜索词的结果：",
    },
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
    :host([hidden]), [hidden] { display: none; }
    :host([dialog]) { display: inline-block; background: none; }
    form { display: flex; gap: 0.5em; }
    input, button {
      padding: 0.55em 0.8em;
      border: 1px solid var(--lycosa-edge, #857f76);
      border-radius: var(--lycosa-radius, 0.5em);
      font: inherit;
    }
    dialog {
      box-sizing: border-box;
      inline-size: min(44em, 100vw - 2em);
      max-block-size: 84vh;
      margin-block-start: 8vh;
      padding: 1em;
      border: 1px solid var(--lycosa-edge, #857f76);
      border-radius: var(--lycosa-radius, 0.5em);
      background: var(--lycosa-ground, Canvas);
      color: var(--lycosa-ink, CanvasText);
      text-align: start;
    }
    dialog::backdrop { background: var(--lycosa-backdrop, rgb(0 0 0 / 55%)); }
    dialog form {
      position: sticky;
      inset-block-start: -1em; /* the dialog's own padding */
      margin-block-start: -1em;
      padding-block: 1em 0.3em;
      background: inherit;
    }
    kbd { margin-inline-start: 0.6em; font: inherit; font-size: 0.85em; font-weight: normal; }
    input { flex: 1; min-inline-size: 0; background: var(--lycosa-ground, transparent); color: inherit; }
    button {
      border-color: transparent;
      background: var(--lycosa-accent, #f3b63f);
      color: var(--lycosa-on-accent, #24211d);
      font-weight: 600;
      cursor: pointer;
    }
    .close { border-color: var(--lycosa-edge, #857f76); background: none; color: inherit; }
    :focus-visible { outline: 3px solid var(--lycosa-link, LinkText); outline-offset: 2px; }
    p { margin: 0.2em 0 0; }
    [role=status] { margin-block-start: 0.7em; }
    [role=status]:empty { margin: 0; }
    ol, ul { margin: 0; padding: 0; list-style: none; }
    ul { margin-block-start: 0.4em; }
    ul li { padding: 0.3em 0.8em; border-radius: var(--lycosa-radius, 0.5em); cursor: pointer; }
    ul li:is(:hover, [aria-selected=true]) { background: color-mix(in srgb, currentColor 12%, transparent); }
    ul li[aria-selected=true] { outline: 2px solid var(--lycosa-link, LinkText); outline-offset: -2px; }
    ul .quiet { margin-inline-start: 0.8em; }
    ol li { margin-block: 1em; }
    a { color: var(--lycosa-link, LinkText); }
    ol a { font-size: 1.1em; text-decoration: none; }
    ol a:is(:hover, :focus) { text-decoration: underline; }
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
    #dialog = null; // with the attribute of that name
    #offers = made("ul", { id: "offers", role: "listbox", hidden: "" });
    #at = -1; // the completion that is chosen; -1: the box itself
    #count = made("p", { role: "status", class: "quiet" });
    #meant = made("p", { hidden: "" });
    #hits = made("ol", { role: "list" });
    #all = made("a", { hidden: "" });
    #asking = new AbortController();
    #timer = 0;
    #words = WORDS.en;
    #shortcut = (event) => this.#pressed(event);

    connectedCallback() {
      if (!this.shadowRoot) this.#build();
      if (this.#dialog) document.addEventListener("keydown", this.#shortcut);
    }

    disconnectedCallback() {
      document.removeEventListener("keydown", this.#shortcut);
    }

    #build() {
      const language = (this.lang || document.documentElement.lang || "en").toLowerCase();
      this.#words = WORDS[language.split("-")[0]] ?? WORDS.en;
      const parts = [this.#form(), this.#offers, this.#count, this.#meant, this.#hits, this.#all];
      this.#offers.setAttribute("aria-label", this.#words.offered);
      this.#offers.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
      this.#offers.addEventListener("click", (event) => this.#take(event.target.closest("li")));
      this.#all.textContent = this.#words.all;
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      root.append(...(this.hasAttribute("dialog") ? this.#inDialog(parts) : parts));
      root.addEventListener("keydown", (event) => this.#key(event));
    }

    #form() {
      const name = this.getAttribute("placeholder") ?? "";
      const label = { "aria-label": name || this.#words.search, placeholder: name, maxlength: 1000 };
      const list = { role: "combobox", "aria-autocomplete": "list", "aria-controls": "offers", "aria-expanded": "false" };
      const typing = { dir: "auto", autocomplete: "off", enterkeyhint: "search", autofocus: "" };
      if (!this.hasAttribute("dialog")) delete typing.autofocus; // a page's focus is its own
      this.#box = made("input", { name: "q", type: "text", ...label, ...list, ...typing });
      const form = made("form", { role: "search", action: `${SERVER}/search` });
      form.append(this.#box, made("button", {}, this.#words.search));
      form.addEventListener("submit", (event) => this.#submitted(event));
      this.#box.addEventListener("input", (event) => event.isComposing || this.#typed());
      this.#box.addEventListener("compositionend", () => this.#typed());
      return form;
    }

    /** The browser keeps the focus within the dialog, and gives it back to where it was. */
    #inDialog(parts) {
      const dialog = (this.#dialog = made("dialog", { "aria-label": this.#words.search }));
      const close = made("button", { type: "button", class: "close", "aria-label": this.#words.close }, "×");
      close.addEventListener("click", () => dialog.close());
      parts[0].append(close);
      dialog.append(...parts);
      dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
      const keys = { "aria-haspopup": "dialog", "aria-keyshortcuts": "Control+K Meta+K" };
      const opener = made("button", { type: "button", ...keys }, this.getAttribute("placeholder") || this.#words.search);
      const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
      opener.append(made("kbd", { "aria-hidden": "true" }, isMac ? "⌘K" : "Ctrl K"));
      opener.addEventListener("click", () => dialog.showModal());
      return [opener, dialog];
    }

    /** Ctrl K or ⌘ K anywhere in the page, unless that has done something with it. */
    #pressed(event) {
      const isK = event.code === "KeyK" || event.key.toLowerCase() === "k";
      if (!isK || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey || event.defaultPrevented) return;
      event.preventDefault();
      if (this.#dialog.open) this.#dialog.close();
      else this.#dialog.showModal();
      this.#box.select();
    }

    /** Completions and hits come as one types; the form is there for whoever does not wait for them. */
    #typed() {
      this.#stop();
      if (!this.#box.value.trim()) return this.#clear();
      this.#timer = setTimeout(() => {
        this.#search(() => {});
        this.#complete(this.#asking.signal);
      }, PAUSE);
    }

    #submitted(event) {
      event.preventDefault();
      this.#stop();
      this.#offer([]);
      this.#search((address) => location.assign(address)); // as the plain form does
    }

    /** What was asked for is no longer for what is in the box. */
    #stop() {
      clearTimeout(this.#timer);
      this.#asking.abort();
      this.#asking = new AbortController();
    }

    /** Shows the hits for what is in the box; without an answer `instead` gets the address of the hits. */
    async #search(instead) {
      const words = this.#box.value.trim();
      if (!words) return;
      const asking = this.#asking;
      const late = setTimeout(() => asking.abort(), WAIT);
      const query = this.#narrowed(words);
      let results = await this.#ask(query, asking.signal);
      let meant = results?.did_you_mean ?? "";
      if (meant && !results.total) {
        const other = await this.#ask(meant, asking.signal);
        if (other?.total) results = other;
      }
      clearTimeout(late);
      if (asking !== this.#asking) return; // something else was asked meanwhile
      if (results) this.#show(results, meant, query);
      else instead(pageOf(query));
    }

    /** A query within the site that the page narrows it to. */
    #narrowed(words) {
      const site = this.getAttribute("site");
      return site ? `site:${site} ${words}` : words;
    }

    #ask(query, signal) {
      const size = Math.min(Math.max(parseInt(this.getAttribute("size"), 10) || SIZE, 1), MOST);
      return answered(`${SERVER}/api/search?${new URLSearchParams({ q: query, size })}`, signal);
    }

    #clear() {
      this.#offer([]);
      this.#count.textContent = "";
      this.#hits.replaceChildren();
      this.#meant.hidden = this.#all.hidden = true;
    }

    #show(results, meant, query) {
      const { hits, none } = this.#words;
      this.#count.textContent = results.total ? `${hits}: ${results.total.toLocaleString()}` : none;
      this.#correct(meant, results.query !== query);
      const names = Object.fromEntries(results.sites.map(({ host, name }) => [host, name]));
      this.#hits.replaceChildren(...results.hits.map((hit) => shown(hit, names)));
      this.#all.href = pageOf(results.query);
      this.#all.hidden = results.total <= results.hits.length;
    }

    /** What may be meant, without the site that the page narrows it to; a click searches for it here. */
    #correct(meant, isShown) {
      const site = this.#narrowed("");
      const words = meant.startsWith(site) ? meant.slice(site.length) : meant;
      const link = made("a", { href: pageOf(meant), dir: "auto" }, words);
      link.addEventListener("click", (event) => {
        this.#box.value = words;
        this.#submitted(event);
        this.#box.focus();
      });
      this.#meant.replaceChildren(`${isShown ? this.#words.instead : this.#words.meant} `, link);
      this.#meant.hidden = !words;
    }

    async #complete(signal) {
      const typed = this.#box.value;
      const [, names, pages, addresses] = (await answered(`${SERVER}/api/suggest?${new URLSearchParams({ q: typed })}`, signal)) ?? [];
      if (signal.aborted || !names) return;
      const found = names.map((name, at) => ({ name, page: pages[at], link: webLink(addresses[at]) }));
      this.#offer(found.filter((one) => !one.page || this.#isWithin(one.link)).slice(0, OFFERED), typed);
    }

    /** Whether a page is of the site that this page narrows the search to. */
    #isWithin(link) {
      const [host, ...path] = (this.getAttribute("site") ?? "").split("/");
      const isHost = !host || link?.host === host || link?.host.endsWith(`.${host}`);
      return Boolean(link) && isHost && link.pathname.startsWith(`/${path.join("/")}`);
    }

    #offer(found, typed = "") {
      this.#offers.replaceChildren(...found.map((one, at) => option(one, at, typed)));
      this.#offers.hidden = !found.length;
      this.#box.setAttribute("aria-expanded", found.length > 0);
      this.#choose(-1);
    }

    #choose(at) {
      this.#offers.children[this.#at]?.setAttribute("aria-selected", "false");
      this.#at = at;
      const chosen = this.#offers.children[at];
      if (!chosen) return this.#box.removeAttribute("aria-activedescendant");
      chosen.setAttribute("aria-selected", "true");
      this.#box.setAttribute("aria-activedescendant", chosen.id);
    }

    /** Goes to the page that a completion names, or searches for it. */
    #take(chosen) {
      if (!chosen) return;
      if (chosen.dataset.address) return location.assign(chosen.dataset.address);
      this.#box.value = chosen.dataset.query;
      this.#box.form.requestSubmit();
    }

    /** Arrows lead through completions and hits, Escape back: to the box, then out of the dialog. */
    #key(event) {
      if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const isDone = move ? this.#move(move) : event.key === "Escape" ? this.#leave() : this.#enter(event.key);
      if (isDone) event.preventDefault();
    }

    #enter(key) {
      if (key !== "Enter" || this.#at < 0) return false;
      this.#take(this.#offers.children[this.#at]);
      return true;
    }

    #move(by) {
      const hits = [...this.#hits.querySelectorAll("a")];
      const offers = this.#offers.children.length;
      const here = this.shadowRoot.activeElement;
      const at = here === this.#box ? this.#at + 1 : hits.indexOf(here) + offers + 1;
      if (here !== this.#box && !hits.includes(here)) return false;
      const to = at + by;
      if (to < 0 || to > offers + hits.length) return false;
      this.#choose(to <= offers ? to - 1 : -1);
      (to <= offers ? this.#box : hits[to - offers - 1]).focus();
      return true;
    }

    #leave() {
      const isInBox = this.shadowRoot.activeElement === this.#box;
      if (!this.#offers.hidden && isInBox) this.#offer([]);
      else if (!isInBox && this.#hits.contains(this.shadowRoot.activeElement)) this.#box.focus();
      else if (this.#dialog?.open) this.#dialog.close();
      else return false;
      return true;
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

  /** The address of the hits of a query, on the search page itself. */
  function pageOf(query) {
    return `${SERVER}/search?${new URLSearchParams({ q: query })}`;
  }

  /** A completion: bold what is more than was typed, and the page that it leads to, if that is one. */
  function option({ name, page, link }, number, typed) {
    const one = made("li", { id: `offer-${number}`, role: "option", "aria-selected": "false", dir: "auto" });
    const [start, end] = typedWithin(name, typed);
    for (const [text, isAdded] of [[name.slice(0, start), true], [name.slice(start, end)], [name.slice(end), true]]) {
      if (text) one.append(isAdded ? made("b", {}, text) : text);
    }
    one.dataset.query = name;
    if (!page) return one;
    one.dataset.address = link.href;
    one.append(made("span", { class: "quiet", dir: "auto" }, page));
    return one;
  }

  /** From where to where a name has what was typed: letters and figures count, case, accents and signs do not. */
  function typedWithin(name, typed) {
    const letters = [...name.matchAll(/[\p{L}\p{N}]/gu)];
    const line = letters.map(([letter]) => folded(letter)[0] ?? " ").join("");
    const wanted = folded(typed).replace(/[^\p{L}\p{N}]/gu, "");
    const isStart = (at) => at === 0 || !/[\p{L}\p{N}]/u.test(name[letters[at].index - 1]);
    let at = wanted ? line.indexOf(wanted) : -1;
    while (at > 0 && !isStart(at) && line.includes(wanted, at + 1)) at = line.indexOf(wanted, at + 1);
    return at < 0 ? [0, name.length] : [letters[at].index, letters[at + wanted.length]?.index ?? name.length];
  }

  function folded(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function shown(hit, names) {
    const title = hit.section ? `${hit.title || hit.url} › ${hit.section}` : hit.title || hit.url;
    const link = webLink(hit.link);
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

  /** A URL; null for anything but http and https. */
  function webLink(address) {
    try {
      const url = new URL(address);
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
