// The documentation: copy buttons on code, and a search over all guides.

import { enableCopying } from "./copy.js";
import { byId, element } from "./dom.js";
import { text } from "./texts.js";

const MOST = 8; // results
const LANGUAGES = { sh: "Terminal", json: "JSON", python: "Python", ts: "TypeScript", toml: "TOML", text: "", php: "PHP", java: "Java", go: "Go", cs: "C#" };
const { index: indexAddress, docs } = document.body.dataset;
let sections = null;
let loading = null;

addCopyButtons();
search(byId("search"), byId("found"));
foldMenuOnPhones();

function addCopyButtons() {
  document.querySelectorAll("article pre[data-language]").forEach((pre, at) => {
    const code = pre.firstElementChild;
    code.id = `code-${at}`;
    const button = element("button", { type: "button", class: "small", "data-copy": code.id }, text("copy"));
    const figure = element("figure", { class: "code" });
    pre.replaceWith(figure);
    figure.append(element("figcaption", {}, element("span", {}, LANGUAGES[pre.dataset.language] ?? pre.dataset.language), button), pre);
  });
  enableCopying();
}

function search(field, found) {
  field.addEventListener("focus", load, { once: true });
  field.addEventListener("input", async () => {
    await load();
    show(found, field.value);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(found, (field.value = ""));
    if (event.key === "ArrowDown") found.querySelector("a")?.focus();
    if (event.key === "Enter") found.querySelector("a")?.click();
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    byId("search").closest("details").open = true;
    field.focus();
  });
}

/** Load the index once: a second answer would show the results again, and take the focus from them. */
async function load() {
  loading ??= fetch(new URL(indexAddress, document.baseURI)).then((answer) => answer.json());
  try {
    sections = await loading;
  } catch (error) {
    loading = null; // the next letter tries again
    throw error;
  }
}

/** A text without case and accents. */
const plain = (words) => words.normalize("NFD").replace(/\p{Diacritic}/gu, "").toLowerCase();

function show(found, typed) {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  found.replaceChildren(...(words.length ? results(words) : []));
}

function results(words) {
  const scored = sections.map((section) => [score(section, words), section]).filter(([points]) => points > 0);
  scored.sort(([one], [other]) => other - one);
  if (scored.length === 0) return [element("p", {}, text("results_none"))];
  return scored.slice(0, MOST).map(([, { name, anchor, guide, title }]) => element(
    "a", { href: `${docs}${name}#${anchor}` },
    element("strong", {}, title), title === guide ? "" : element("span", {}, guide),
  ));
}

/** Every word must be in the section; one in a title weighs more. */
function score({ guide, title, text: prose }, words) {
  const places = [[plain(title), 8], [plain(guide), 4], [plain(prose), 1]];
  const points = words.map((word) => places.reduce((sum, [place, weight]) => sum + (place.includes(word) ? weight : 0), 0));
  return points.every(Boolean) ? points.reduce((sum, each) => sum + each, 0) : 0;
}

function foldMenuOnPhones() {
  const narrow = matchMedia("(max-width: 62rem)");
  const menu = document.querySelector(".guides-menu");
  const fold = () => (menu.open = !narrow.matches);
  fold();
  narrow.addEventListener("change", fold);
}
