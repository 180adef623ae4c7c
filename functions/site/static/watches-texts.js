// The texts of watched companies, which are loaded when they are opened.

import { textsOf } from "./own-texts.js";

const PT = {
  cnpj: "CNPJ a monitorar",
  referencia: "Sua referência (opcional)",
  add: "Monitorar",
  added: "Empresa monitorada: as mudanças do cadastro aparecem aqui.",
  needs_key: "Para monitorar empresas, informe a sua chave em “Já tenho uma chave”.",
  none: "Nenhuma empresa monitorada.",
  more: "Mostradas as primeiras 100.",
  news: "Últimas mudanças:",
  end: "Deixar de monitorar",
  ended: "{cnpj} não é mais monitorada.",
  since: "desde {date}",
};

const EN = {
  cnpj: "CNPJ to watch",
  referencia: "Your reference (optional)",
  add: "Watch",
  added: "Company watched: changes in the register appear here.",
  needs_key: "To watch companies, enter your key under “I already have a key”.",
  none: "No watched company.",
  more: "The first 100 are shown.",
  news: "Latest changes:",
  end: "Stop watching",
  ended: "{cnpj} is no longer watched.",
  since: "since {date}",
};

/** A text by its name, with values in place of `{…}`. */
export const word = textsOf(PT, EN);
