// The card of a payee check: what was checked, by whom, and what was not.

import { cardOf, heading } from "./card.js";
import { word } from "./card-texts.js";
import { element, terms } from "./dom.js";
import { alertOf } from "./fields.js";
import { asCnpj, asDate, asMoment, joined } from "./format.js";
import { detailsOf, outcomeOf } from "./payee-view.js";
import { badge } from "./situation.js";
import { text } from "./texts.js";

const KINDS = { confere: "good", parecido: "warned", diverge: "warned", valida: "good", invalida: "bad", nao_verificavel: "warned" };

export const show = cardOf((found) => {
  const [kind, outcome] = outcomeOf(found);
  const alerts = found.alertas.map(({ detalhe }) => detalhe);
  const title = heading(outcome);
  title.className = "outcome";
  title.dataset.kind = kind;
  return {
    said: [outcome, ...alerts].join(" "),
    content: [
      title,
      ...found.alertas.map(alertOf),
      element("h2", {}, word("checked")),
      checksOf(found),
      ...detailsOf({ ...found, alertas: [] }),
    ],
  };
});

/** What was checked and by whom; what was not is a line too, so that its absence is no sign of approval. */
const checksOf = ({ nome: name, recebedor: company, evidencia: from, assinatura: signature }) => terms([
  [word("name_check"), lineOf(company && name, company && sourceOf(from))],
  [word("charge_check"), lineOf(signature?.estado, signature?.estado === "valida" && signerOf(signature.certificado))],
  [word("account_check"), lineOf(null, word("only_banks"))],
]);

const sourceOf = ({ fonte: source, data_base: day, consultado_em: moment, desatualizado: stale }) => joined(
  " · ", source, day && word("data_of", { date: asDate(day) }), word("asked_at", { moment: asMoment(moment) }), stale && text("stale"),
);

const signerOf = ({ organizacao: organization, titular: host, cnpj, emissor: issuer }) => joined(
  " · ", organization ?? host, cnpj && asCnpj(cnpj), issuer,
);

const lineOf = (outcome, by) => element(
  "span", {}, badge(KINDS[outcome] ?? "none", word(KINDS[outcome] ? outcome : "unchecked")), by || "",
);
