// What a decoded code says: its outcome, its findings and its fields.

import { element } from "./dom.js";
import { pixFields } from "./fields.js";
import { text } from "./texts.js";

/** The colour and the words of the outcome. */
export function outcomeOf({ valido: valid, erros: errors, alertas: alerts, sugestao: suggestion }) {
  if (suggestion) return ["warned", text("check_damaged")];
  const other = errors[0]?.regra === "not_a_pix_code";
  if (!valid) return ["bad", text(other ? "check_other" : "check_invalid")];
  return alerts.length > 0 ? ["warned", text("check_valid_warned")] : ["good", text("check_valid")];
}

export const findingsOf = ({ erros: errors, alertas: alerts }) => [
  ...errors.map((finding) => findingOf("error", finding)),
  ...alerts.map((finding) => findingOf("warning", finding)),
];

/** The code that a damaged text was, and a button that takes it in its place; empty without one. */
export function suggestionOf({ sugestao: suggestion }, use) {
  if (!suggestion) return [];
  const button = element("button", { type: "button", class: "button quiet" }, text("check_use"));
  button.addEventListener("click", () => use(suggestion.brcode));
  return [element("p", { class: "suggestion" }, element("code", {}, suggestion.brcode)), button];
}

export const fieldsOf = ({ tipo, campos }) => pixFields({ tipo, ...campos });

function findingOf(kind, finding) {
  return element(
    "div", { class: `finding ${kind}` },
    element("p", {}, element("strong", {}, `${text(kind)}: `), finding.detalhe),
    element("p", { class: "hint" }, element("code", {}, finding.regra), ` · ${finding.referencia}`),
  );
}
