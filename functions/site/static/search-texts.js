// The texts of a search, which is loaded when it is opened.

import { textsOf } from "./own-texts.js";

const PT = {
  nome: "Nome",
  nome_hint: "Razão social ou nome fantasia; o começo das palavras basta.",
  uf: "Estado",
  uf_hint: "Opcional.",
  municipio: "Município",
  municipio_hint: "Nome, ou código do IBGE; opcional.",
  situacao: "Situação",
  situacao_hint: "Todas inclui as que fecharam.",
  ativa: "Ativas",
  todas: "Todas",
  baixada: "Baixadas",
  inapta: "Inaptas",
  suspensa: "Suspensas",
  nula: "Nulas",
  search: "Buscar",
  counts_each: "Cada página conta uma chamada.",
  changed: "A busca mudou. Busque de novo.",
  total: "Encontradas: {total}.",
  more_than: "Encontradas: mais de {total}.",
  none: "Nenhuma empresa encontrada.",
  none_active: "Nenhuma empresa ativa encontrada.",
  near: "Palavras parecidas que existem: {words}.",
  search_all: "Buscar em todas as situações (conta uma chamada)",
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
  situacao: "Status",
  situacao_hint: "All includes those that have closed.",
  ativa: "Active (ativa)",
  todas: "All",
  baixada: "Closed (baixada)",
  inapta: "Unfit (inapta)",
  suspensa: "Suspended (suspensa)",
  nula: "Void (nula)",
  search: "Search",
  counts_each: "Each page counts one call.",
  changed: "The search has changed. Search again.",
  total: "Found: {total}.",
  more_than: "Found: more than {total}.",
  none: "No company found.",
  none_active: "No active company found.",
  near: "Similar words that exist: {words}.",
  search_all: "Search in every status (counts one call)",
  next: "Show more",
  counts: "Counts as one call.",
};

/** A text by its name, with values in place of `{…}`. */
export const word = textsOf(PT, EN);
