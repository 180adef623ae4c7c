// What a decoded code says: its outcome, its findings and its fields.

import { element } from "./dom.js";
import { pixFields } from "./fields.js";
import { text } from "./texts.js";

/** The colour and the words of the outcome. */
export function outcomeOf({ valido: valid, erros: errors, alertas: alerts }) {
  const other = errors[0]?.regra === "not_a_pix_code";
  if (!valid) return ["bad", text(other ? "check_other" : "check_invalid")];
  return alerts.length > 0 ? ["warned", text("check_valid_warned")] : ["good", text("check_valid")];
}

export const findingsOf = ({ erros: errors, alertas: alerts }) => [
  ...errors.map((finding) => findingOf("error", finding)),
  ...alerts.map((finding) => findingOf("warning", finding)),
];

export const fieldsOf = ({ tipo, campos }) => pixFields({ tipo, ...campos });

function findingOf(kind, finding) {
  return element(
    "div", { class: `finding ${kind}` },
    element("p", {}, element("strong", {}, `${text(kind)}: `), finding.detalhe),
    element("p", { class: "hint" }, element("code", {}, finding.regra), ` · ${finding.referencia}`),
  );
}
