/* What a script adds: completions while typing, keys, a look for first hits. Every page is complete without it.
   Nothing here moves on the screen, so there is nothing to still for those who want less motion. */

const PAUSE = 120; // milliseconds without a key before completions are asked for
const MOST = 8; // completions; the server gives no more

/** The box as a combobox (ARIA 1.2) with a list of completions under it. What fails, fails silently. */
class Completions {
  #box;
  #list = document.createElement("ul");
  #count = document.createElement("span");
  #asking = new AbortController();
  #timer = 0;
  #at = -1; // the option that is chosen; -1: the box itself
  #known = null; // what was typed last, and all that begins so

  constructor(box) {
    this.#box = box;
    const start = box.selectionStart;
    box.type = "text"; // what a combobox may be (ARIA in HTML); Escape does not empty it
    if (document.activeElement === box) box.setSelectionRange(start, start);
    set(box, { role: "combobox", "aria-autocomplete": "list", "aria-controls": "completions" });
    set(this.#list, { id: "completions", role: "listbox", "aria-label": box.form.dataset.completions });
    set(this.#count, { role: "status" });
    box.form.append(this.#list, this.#count);
    this.close();
    box.addEventListener("input", (event) => event.isComposing || this.#typed());
    box.addEventListener("compositionend", () => this.#typed());
    box.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener("blur", () => this.close());
    box.form.addEventListener("submit", () => this.close());
    this.#list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
    this.#list.addEventListener("click", (event) => this.#take(event.target.closest("[role=option]")));
  }

  close() {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#show([]);
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#asking.abort();
    const typed = this.#box.value;
    if (!typed.trim()) return this.close();
    if (this.#knows(typed)) return this.#show(this.#known.found);
    this.#timer = setTimeout(() => this.#ask(), PAUSE);
  }

  /** Whether what began so before is all that does now: then the server is spared. */
  #knows(typed) {
    const still = ({ name }) => folded(name).includes(folded(typed));
    return this.#known && typed.startsWith(this.#known.typed) && this.#known.found.every(still);
  }

  async #ask() {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const typed = this.#box.value;
    const found = await completions(typed, signal);
    if (signal.aborted) return;
    this.#known = found?.length < MOST && /[\p{L}\p{N}]/u.test(typed) ? { typed, found } : null;
    this.#show(found ?? []);
  }

  #show(found) {
    const { value, form } = this.#box;
    this.#list.replaceChildren(...found.map((one, at) => option(one, at, value, form.dataset)));
    this.#list.hidden = !found.length;
    this.#count.textContent = found.length ? `${this.#box.form.dataset.completions}: ${found.length}` : "";
    set(this.#box, { "aria-expanded": found.length > 0 });
    this.#choose(-1);
  }

  #choose(at) {
    this.#list.children[this.#at]?.setAttribute("aria-selected", "false");
    this.#at = at;
    const chosen = this.#list.children[at];
    if (!chosen) return this.#box.removeAttribute("aria-activedescendant");
    set(chosen, { "aria-selected": "true" });
    set(this.#box, { "aria-activedescendant": chosen.id });
    chosen.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    if (this.#list.hidden || event.isComposing || withModifier(event)) return;
    const places = this.#list.children.length + 1; // the box is one of them
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) this.#choose(((this.#at + 1 + move + places) % places) - 1);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && this.#at >= 0) this.#take(this.#list.children[this.#at]);
    else return;
    event.preventDefault();
  }

  #take(chosen) {
    if (!chosen) return;
    if (chosen.dataset.address) return location.assign(chosen.dataset.address);
    this.#box.value = chosen.dataset.query;
    this.#box.form.requestSubmit();
  }
}

/** What may be meant, each with the page that it leads to, if that is one; null when nobody tells. */
async function completions(typed, signal) {
  try {
    const answer = await fetch(new URL(`../api/suggest?${new URLSearchParams({ q: typed })}`, import.meta.url), { signal });
    const [, names, pages, addresses] = answer.ok ? await answer.json() : [];
    return names?.map((name, at) => ({ name, page: pages[at], address: addresses[at] })) ?? null;
  } catch {
    return null; // no longer wanted, or the server cannot be reached
  }
}

function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** One completion: bold what would be added, its kind (query, page or section), and where it leads. */
function option({ name, page, address }, number, typed, kinds) {
  const kind = page ? (new URL(address).hash ? "section" : "page") : "query";
  const one = set(document.createElement("li"), { "data-query": name, dir: "auto" });
  const text = set(document.createElement("span"), { class: "name" });
  for (const [piece, isAdded] of pieces(name, typed)) {
    text.append(isAdded ? document.createElement("b") : piece);
    if (isAdded) text.lastChild.textContent = piece;
  }
  one.append(text, set(document.createElement("span"), { class: "kind" }));
  one.lastChild.textContent = kinds[kind];
  if (page) {
    one.dataset.address = address;
    one.append(set(document.createElement("span"), { class: "leads", dir: "auto", translate: "no" }));
    one.lastChild.textContent = page;
  }
  return set(one, { id: `completion-${number}`, role: "option", "aria-selected": "false" });
}

/** A name in pieces, each with whether it is more than was typed: letters and figures count, signs do not. */
function pieces(name, typed) {
  const letters = [...name.matchAll(/[\p{L}\p{N}]/gu)].map((one) => [folded(one[0])[0] ?? "", one.index]);
  const wanted = folded(typed).replace(/[^\p{L}\p{N}]/gu, "");
  const line = letters.map(([letter]) => letter).join("");
  const starts = (at) => at === 0 || !/[\p{L}\p{N}]/u.test(name[letters[at][1] - 1]);
  let at = wanted ? line.indexOf(wanted) : -1;
  while (at > 0 && !starts(at) && line.includes(wanted, at + 1)) at = line.indexOf(wanted, at + 1);
  if (at < 0) return [[name, false]];
  const [start, end] = [letters[at][1], letters[at + wanted.length]?.[1] ?? name.length];
  return [[name.slice(0, start), true], [name.slice(start, end), false], [name.slice(end), true]].filter(([piece]) => piece);
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Keys for the whole page: to the box, through the hits, and a dialog that tells which keys there are. */
class Keys {
  #box;
  #dialog;
  #single; // the check box: whether keys of one character count, which WCAG 2.2, 2.1.4, wants to be a choice

  constructor(box, dialog, button) {
    this.#box = box;
    this.#dialog = dialog;
    this.#single = dialog.querySelector("#keys-single");
    this.#single.checked = kept("keys") !== "off";
    this.#single.addEventListener("change", () => keep("keys", this.#single.checked ? "on" : "off"));
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside it
    button.hidden = false;
    button.addEventListener("click", () => dialog.showModal());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.defaultPrevented || event.isComposing || withModifier(event) || this.#dialog.open) return;
    const key = latin(event);
    const inField = event.target.closest("input, textarea, select");
    if (inField ? inField !== this.#box : key.length === 1 && !this.#single.checked) return;
    const action = (inField ? {} : this.#letters())[key] ?? this.#others()[key];
    if (action?.()) event.preventDefault();
  }

  /** Each tells whether there was something to do. */
  #letters() {
    return {
      "/": () => this.#toBox(),
      "?": () => this.#dialog.showModal() ?? true,
      j: () => this.#step(1),
      k: () => this.#step(-1),
    };
  }

  #others() {
    return { ArrowDown: () => this.#step(1), ArrowUp: () => this.#step(-1), Escape: () => this.#toBox() };
  }

  #toBox() {
    if (!this.#box || document.activeElement === this.#box) return false;
    this.#box.focus();
    this.#box.select();
    return true;
  }

  /** From hit to hit, from the box to the first one, from nowhere to the first that can be seen. */
  #step(move) {
    const links = [...document.querySelectorAll(".hit h2 a")];
    const here = document.activeElement;
    const at = links.findIndex((link) => link.closest(".hit").contains(here));
    if (at === 0 && move < 0) return this.#toBox();
    if (at < 0 && (move < 0 || (here !== this.#box && here !== document.body))) return false;
    const seen = (link) => here === this.#box || link.getBoundingClientRect().top >= 0;
    const next = at < 0 ? links.find(seen) : links[at + move];
    next?.focus();
    return Boolean(next);
  }
}

/** Menus close when the focus or a click goes elsewhere, and by Escape, which leaves the focus on them. */
function closeMenus(event) {
  for (const menu of document.querySelectorAll("details.about[open], .narrow details[open]")) {
    const within = menu.contains(event.target);
    if (within && event.key !== "Escape") continue;
    if (within) {
      menu.querySelector("summary").focus();
      event.preventDefault();
    }
    menu.open = false;
  }
}

/** Shows how the crawl gets on, and opens what the link leads to once that is no longer the same. */
async function lookAgain(link) {
  const answer = await fetch(link.href).catch(() => null);
  const page = new DOMParser().parseFromString((await answer?.text()) ?? "", "text/html");
  const told = page.querySelector(".progress");
  if (told) document.querySelector(".progress")?.replaceWith(told);
  const typing = box && box.value !== box.defaultValue;
  if (answer?.ok && !typing && !page.querySelector("[data-again]")) location.replace(link.href);
}

function withModifier(event) {
  return event.ctrlKey || event.altKey || event.metaKey;
}

/** The key by its character, or by its place where the keyboard writes another script. */
function latin(event) {
  if (event.key.length > 1 || event.key <= "~") return event.key;
  return { KeyJ: "j", KeyK: "k", Slash: event.shiftKey ? "?" : "/" }[event.code] ?? event.key;
}

function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // the browser keeps nothing for us
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // it holds for this page
  }
}

for (const name of ["click", "focusin"]) document.addEventListener(name, closeMenus);
document.addEventListener("keydown", (event) => event.key === "Escape" && closeMenus(event));
const box = document.querySelector("#q");
if (box) new Completions(box);
for (const link of document.querySelectorAll("[data-again]")) {
  setInterval(lookAgain, link.dataset.again * 1000, link);
}
new Keys(box, document.querySelector("#keys"), document.querySelector("#show-keys"));
