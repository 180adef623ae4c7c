// The fields of a Pix code, named in the page's language.

import { element, terms } from "./dom.js";
import { asMoney, asYesOrNo } from "./format.js";
import { text } from "./texts.js";

/** An alert of an answer. */
export const alertOf = ({ codigo, detalhe }) => element(
  "div", { class: "finding warning" },
  element("p", {}, detalhe),
  element("p", { class: "hint" }, element("code", {}, codigo)),
);

const ORDER = [
  "tipo", "valor", "nome_recebedor", "cidade", "chave", "tipo_chave", "txid", "descricao",
  "cep", "mcc", "url", "url_recorrencia", "ispb_saque", "uso_unico",
];

/** A list of a code's fields; `null` is left out, but for the amount. */
export function pixFields(code) {
  return terms(ORDER.map((name) => [text(name), shown(name, code[name], code.tipo)]));
}

function shown(name, value, kind) {
  if (value === null || value === undefined) {
    return name === "valor" && kind === "estatico" ? text("payer_types") : null;
  }
  if (name === "tipo") return text(`tipo_${value}`);
  if (name === "valor") return asMoney(value);
  return asYesOrNo(value) ?? value;
}
