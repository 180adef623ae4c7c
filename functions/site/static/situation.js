// A company's status as a coloured word: active, under restriction, closed.

import { element } from "./dom.js";

const KINDS = { "02": "good", "03": "warned", "04": "warned", "01": "bad", "08": "bad" };

/** The word of a `situacao_cadastral`, coloured by its code. */
export const statusWord = ({ codigo, descricao }) =>
  element("span", { class: "word", "data-kind": KINDS[codigo] ?? "none" }, descricao);
