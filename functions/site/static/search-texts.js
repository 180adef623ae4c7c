// The texts of a search, which is loaded when it is opened.

import { language } from "./texts.js";

const PT = {
  changed: "A busca mudou. Busque de novo.",
  total: "Encontradas: {total}.",
  more_than: "Encontradas: mais de {total}.",
  none: "Nenhuma empresa encontrada.",
  near: "Nenhuma empresa encontrada. Palavras parecidas que existem: {words}.",
  next: "Mostrar mais",
  counts: "Conta uma chamada.",
};

const EN = {
  changed: "The search has changed. Search again.",
  total: "Found: {total}.",
  more_than: "Found: more than {total}.",
  none: "No company found.",
  near: "No company found. Similar words that exist: {words}.",
  next: "Show more",
  counts: "Counts as one call.",
};

/** A text by its name, with values in place of `{…}`. */
export const word = (name, values = {}) =>
  (language === "en" ? EN : PT)[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
