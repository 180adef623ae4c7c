// The form of the search, made when it is opened.

import { element } from "./dom.js";
import { word } from "./search-texts.js";

const STATUSES = ["ativa", "todas", "baixada", "inapta", "suspensa", "nula"];
const STATES = "AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO EX";

/** The form, with places for the outcome and the companies. */
export function searchForm() {
  const statuses = STATUSES.map((status) => element("option", { value: status }, word(status)));
  const states = STATES.split(" ").map((state) => element("option", {}, state));
  return element(
    "form", { id: "search-form", class: "card", autocomplete: "off", novalidate: true },
    element("div", { class: "summary", hidden: true, tabindex: "-1" }),
    element(
      "div", { class: "options" },
      field("nome", element("input", { value: "SANDBOX", spellcheck: "false" })),
      field("uf", element("select", {}, element("option"), ...states)),
      field("municipio", element("input")),
      field("situacao", element("select", {}, ...statuses)),
    ),
    element(
      "p", { class: "submit" },
      element("button", { class: "button" }, word("search")), " ", element("span", { class: "hint" }, word("counts_each")),
    ),
    element("p", { role: "status", id: "search-outcome" }),
    element("div", { id: "search-result" }),
  );
}

function field(name, control) {
  const id = `search-${name}`;
  control.id = id;
  control.name = name;
  control.setAttribute("aria-describedby", `${id}-hint`);
  return element(
    "div", { class: "field" },
    element("label", { for: id }, word(name)), control, element("p", { class: "hint", id: `${id}-hint` }, word(`${name}_hint`)),
  );
}
