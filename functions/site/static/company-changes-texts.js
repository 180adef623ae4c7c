// The texts of a company's changes, which are loaded when they are shown.

import { textsOf } from "./own-texts.js";

const PT = {
  changes_since: "Mudanças no cadastro desde {date}, mês a mês:",
  unchanged: "Nada mudou no cadastro desde {date}.",
  registration: "Registro",
  registration_novo: "entrou no cadastro",
  registration_ausente: "saiu do cadastro",
  left: "saiu: {names}",
  came: "entrou: {names}",
  other_activities: "Atividades secundárias",
  watch: "Monitorar",
  watched: "Empresa monitorada.",
};

const EN = {
  changes_since: "Changes of the record since {date}, month by month:",
  unchanged: "Nothing has changed in the record since {date}.",
  registration: "Registration",
  registration_novo: "entered the register",
  registration_ausente: "left the register",
  left: "left: {names}",
  came: "came: {names}",
  other_activities: "Other activities",
  watch: "Watch",
  watched: "Company watched.",
};

/** A text by its name, with values in place of `{…}`. */
export const word = textsOf(PT, EN);
