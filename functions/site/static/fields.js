// The fields of a Pix code, named in the page's language.

import { terms } from "./dom.js";
import { text } from "./texts.js";

const ORDER = [
  "tipo", "valor", "nome_recebedor", "cidade", "chave", "tipo_chave", "txid", "descricao",
  "cep", "mcc", "url", "url_recorrencia", "ispb_saque", "uso_unico",
];

/** A list of what an answer holds; `null` is left out. */
export function pixFields(code) {
  return terms(ORDER.map((name) => [text(name), shown(name, code[name])]));
}

function shown(name, value) {
  if (value === null || value === undefined) return null;
  if (name === "tipo") return text(`tipo_${value}`);
  if (name === "valor") return `R$ ${value}`;
  return typeof value === "boolean" ? text(value ? "yes" : "no") : value;
}
