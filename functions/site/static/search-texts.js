// The texts of a search, which is loaded when it is opened.

import { textsOf } from "./own-texts.js";

const PT = {
  nome: "Nome",
  nome_hint: "Razão social ou nome fantasia; o começo das palavras basta.",
  uf: "Estado",
  uf_hint: "Opcional.",
  municipio: "Município",
  municipio_hint: "Nome, ou código do IBGE; opcional.",
  search: "Buscar",
  active: "Empresas ativas. Cada página conta uma chamada.",
  changed: "A busca mudou. Busque de novo.",
  total: "Encontradas: {total}.",
  more_than: "Encontradas: mais de {total}.",
  none: "Nenhuma empresa encontrada.",
  near: "Nenhuma empresa encontrada. Palavras parecidas que existem: {words}.",
  next: "Mostrar mais",
  counts: "Conta uma chamada.",
};

const EN = {
  nome: "Name",
  nome_hint: "Legal or trade name; the beginnings of words will do.",
  uf: "State",
  uf_hint: "Optional.",
  municipio: "City",
  municipio_hint: "Name, or IBGE's code; optional.",
  search: "Search",
  active: "Active companies. Each page counts one call.",
  changed: "The search has changed. Search again.",
  total: "Found: {total}.",
  more_than: "Found: more than {total}.",
  none: "No company found.",
  near: "No company found. Similar words that exist: {words}.",
  next: "Show more",
  counts: "Counts as one call.",
};

/** A text by its name, with values in place of `{…}`. */
export const word = textsOf(PT, EN);
