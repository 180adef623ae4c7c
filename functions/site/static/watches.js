// Watched companies of the key in use, and what changed in them. Loaded when it is opened.

import { call, currentKey, demoKey, onKeyChange } from "./api.js";
import { changeTerms } from "./company-changes.js";
import { byId, element, say, terms, whileBusy } from "./dom.js";
import { trimmed } from "./form.js";
import { asCnpj, asDay, joined } from "./format.js";
import { word } from "./watches-texts.js";

const message = element("p", { role: "status", id: "watches-message" });
const list = element("ul", { class: "grants", id: "watches-list" });
const news = element("div", { id: "watches-news" });

/** Start the part; `open(cnpj)` shows a company. */
export function watchesBox(open) {
  byId("watches").append(addForm(open), message, list, news);
  onKeyChange(() => refresh(open, ""));
  refresh(open, "");
}

function addForm(open) {
  const field = (name) => [
    element("label", { for: `watches-${name}` }, word(name)),
    element("input", { id: `watches-${name}`, name, autocomplete: "off", maxlength: name === "cnpj" ? 30 : 100 }),
  ];
  const button = element("button", { class: "button quiet" }, word("add"));
  const form = element("form", { novalidate: true }, ...["cnpj", "referencia"].map((name) => element("div", { class: "field" }, ...field(name))), button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(button, async () => {
      const { cnpj, referencia } = form.elements;
      const own = trimmed(referencia.value);
      const problem = await watch({ cnpj: trimmed(cnpj.value), ...(own && { referencia: own }) });
      if (problem) return say(message, problem);
      form.reset();
      await refresh(open, word("added"));
    });
  });
  return form;
}

/** Watch a company. Return what is wrong, or an empty text. */
export async function watch(body) {
  const answer = await call("POST", "watches", { body });
  return answer.ok ? "" : answer.body.errors?.[0]?.detail ?? answer.body.detail;
}

/** Load both lists for the key in use; `words` precede their message. */
async function refresh(open, words) {
  const apiKey = currentKey();
  list.replaceChildren();
  news.replaceChildren();
  if (apiKey === demoKey) return say(message, word("needs_key"));
  const watched = await call("GET", "watches?limite=100", { apiKey });
  const changed = watched.ok ? await lastChanges(apiKey) : watched;
  if (apiKey !== currentKey()) return; // never show another account's companies
  if (!changed.ok) return say(message, changed.body.detail);
  const { watches, cursor } = watched.body;
  say(message, joined(" ", words, watches.length === 0 && word("none"), cursor && word("more")));
  list.replaceChildren(...watches.map((each) => lineOf(each, apiKey, open)));
  if (changed.found.length > 0) news.replaceChildren(element("p", {}, word("news")), ...changed.found.map(newsOf));
}

const PAGES = 20; // of a hundred changes

/** The newest changes: the feed begins with the oldest, so its pages are read up to the end. */
async function lastChanges(apiKey) {
  let found = [], cursor = "";
  for (let page = 0; page < PAGES; page += 1) {
    const answer = await call("GET", `changes?limite=100${cursor}`, { apiKey });
    if (!answer.ok) return answer;
    found = [...found, ...answer.body.mudancas].slice(-10);
    if (answer.body.mudancas.length < 100) break;
    cursor = `&cursor=${answer.body.cursor}`;
  }
  return { ok: true, found: found.reverse() };
}

function lineOf({ cnpj, referencia, desde }, apiKey, open) {
  const link = element("a", { href: "#cnpj" }, asCnpj(cnpj));
  link.addEventListener("click", () => open(cnpj));
  const button = element("button", { type: "button", class: "button quiet", "aria-label": `${word("end")}: ${asCnpj(cnpj)}` }, word("end"));
  button.addEventListener("click", () => whileBusy(button, async () => {
    const { ok, body } = await call("DELETE", `watches/${cnpj}`, { apiKey });
    if (!ok) return say(message, body.detail);
    byId("watches-title").focus();
    await refresh(open, word("ended", { cnpj: asCnpj(cnpj) }));
  }));
  const details = joined(" · ", referencia, word("since", { date: asDay(desde) }));
  return element("li", {}, element("div", {}, link, element("p", { class: "hint" }, details)), button);
}

const newsOf = ({ cnpj, referencia, mudancas }) =>
  element("div", {}, element("p", {}, joined(" · ", asCnpj(cnpj), referencia)), terms(mudancas.map(changeTerms)));
