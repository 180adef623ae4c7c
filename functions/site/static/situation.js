// A company's status as a coloured word: active, under restriction, closed.

import { element } from "./dom.js";

const KINDS = { "02": "good", "03": "warned", "04": "warned", "01": "bad", "08": "bad" };

/** A word in the colour of a kind. */
export const badge = (kind, words) => element("span", { class: "word", "data-kind": kind }, words);

/** The word of a `situacao_cadastral`, coloured by its code. */
export const statusWord = ({ codigo, descricao }) => badge(KINDS[codigo] ?? "none", descricao);
