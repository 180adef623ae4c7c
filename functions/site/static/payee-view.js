// What the registry says of a code's payee.

import { element, terms } from "./dom.js";
import { alertOf } from "./fields.js";
import { asCnpj, asDate, joined } from "./format.js";
import { statusWord } from "./situation.js";
import { text } from "./texts.js";

/** The colour and the words of the outcome. */
export function outcomeOf({ nome: name, alertas: alerts, recebedor: company }) {
  const clear = name === "confere" && alerts.length === 0;
  return [clear ? "good" : "warned", text(company ? `name_${name}` : "payee_none")];
}

export const detailsOf = (found) => [
  ...found.alertas.map(alertOf),
  ...(found.recebedor ? [companyOf(found.recebedor, found)] : []),
];

function companyOf(company, { nome_recebedor: written, evidencia: from }) {
  const status = company.situacao_cadastral;
  return terms([
    [text("name_written"), written],
    [text("razao_social"), company.razao_social],
    [text("nome_fantasia"), company.nome_fantasia],
    [text("cnpj"), asCnpj(company.cnpj)],
    [text("situacao"), element("span", {}, statusWord(status), asDate(status.data) ?? "")],
    [text("abertura"), asDate(company.data_inicio_atividade)],
    [text("municipio"), joined(", ", company.municipio, company.uf)],
    [text("fonte"), joined(" · ", from.fonte, asDate(from.data_base), from.desatualizado && text("stale"))],
  ]);
}
