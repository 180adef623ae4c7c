// The card of a company: its status, where and what it is, and how old the data are.

import { cardOf, heading } from "./card.js";
import { word } from "./card-texts.js";
import { element, terms } from "./dom.js";
import { asAddress, asCnae, asCnpj, asDate, asMoment, asNumber, joined } from "./format.js";
import { badge, statusWord } from "./situation.js";
import { text } from "./texts.js";

export const show = cardOf((company) => {
  const { situacao_cadastral: status, desatualizado: stale } = company;
  return {
    said: text("company_ready", { name: company.razao_social, status: status.descricao }),
    content: [
      element("p", {}, statusWord(status), stale ? badge("warned", text("stale_word")) : ""),
      heading(company.razao_social),
      terms([
        [text("cnpj"), copied("cnpj", asCnpj(company.cnpj))],
        [text("nome_fantasia"), company.nome_fantasia],
        [text("situacao"), joined(" · ", status.descricao, asDate(status.data))],
        [text("abertura"), asDate(company.data_inicio_atividade)],
        [text("endereco"), asAddress(company.endereco ?? {})],
        [text("atividade"), activity(company.cnae_principal)],
        [word("partners"), company.socios && asNumber(company.socios.length)],
        [text("fonte"), joined(" · ", company.fonte, asDate(company.data_base), stale && text("stale"))],
        [word("asked"), company.consultado_em && asMoment(company.consultado_em)],
      ]),
      ...others(company.cnaes_secundarios ?? []),
    ],
  };
});

const activity = (cnae) => joined(" · ", asCnae(cnae?.codigo), cnae?.descricao);

function others(activities) {
  if (activities.length === 0) return [];
  const items = activities.map((cnae) => element("li", {}, activity(cnae)));
  const summary = element("summary", {}, word("others", { count: asNumber(activities.length) }));
  return [element("details", {}, summary, element("ul", {}, ...items))];
}

const copied = (id, words) => element(
  "span", {}, element("span", { id }, words),
  element("button", { type: "button", class: "button quiet small-copy", "data-copy": id, "aria-live": "polite" }, text("copy")),
);
