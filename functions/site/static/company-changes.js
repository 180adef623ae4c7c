// What changed of a company. Loaded when it is asked for, since that counts a call.

import { call } from "./api.js";
import { element, say, terms, whileBusy } from "./dom.js";
import { word } from "./company-changes-texts.js";
import { asAddress, asDate, asMoney, asYesOrNo, joined } from "./format.js";
import { text } from "./texts.js";

const OF_RECORD = {
  razao_social: "razao_social", nome_fantasia: "nome_fantasia", situacao_cadastral: "situacao",
  natureza_juridica: "natureza", porte: "porte", capital_social: "capital", cnae_principal: "atividade",
  endereco: "endereco", simples: "simples", mei: "mei", socios: "socios",
};
const OWN = { registro: "registration", cnaes_secundarios: "other_activities" };

/** Ask for a company's changes and add them to `place`, or why there are none. */
export async function showChanges(cnpj, place) {
  const answer = element("div", { role: "status" });
  place.append(answer, watchButton(cnpj));
  const { ok, body } = await call("POST", "skills/cnpj/historico", { body: { cnpj } });
  answer.append(ok ? list(body) : body.detail);
}

/** A button that watches the company, with the key in use. */
function watchButton(cnpj) {
  const outcome = element("span", { class: "hint", role: "status" });
  const button = element("button", { type: "button", class: "button quiet" }, word("watch"));
  button.addEventListener("click", () => whileBusy(button, async () => {
    const { watch } = await import("./watches.js");
    say(outcome, (await watch({ cnpj })) || word("watched"));
  }));
  return element("p", { class: "submit" }, button, " ", outcome);
}

function list({ desde, mudancas }) {
  const since = { date: asDate(desde) };
  if (mudancas.length === 0) return element("p", {}, word("unchanged", since));
  return element(
    "div", {}, element("p", {}, word("changes_since", since)),
    terms(mudancas.map(changeTerms)),
  );
}

/** A change as a term, its day and field, and what it says. */
export const changeTerms = (change) => [joined(" · ", asDate(change.data_base), named(change.campo)), words(change)];

function words({ campo, de, para }) {
  if (campo === "registro") return word(`registration_${para}`);
  if (campo === "socios") {
    return joined(" · ", de.length && word("left", { names: names(de) }), para.length && word("came", { names: names(para) }));
  }
  return `${value(campo, de)} → ${value(campo, para)}`;
}

const named = (field) => (OWN[field] ? word(OWN[field]) : text(OF_RECORD[field]));

const names = (partners) => partners.map(({ nome }) => nome).join(", ");

function value(field, found) {
  if (found === null || found.length === 0) return "—";
  if (field === "capital_social") return asMoney(found);
  if (field === "endereco") return asAddress(found);
  if (field === "cnaes_secundarios") return found.map(({ descricao, codigo }) => descricao ?? codigo).join("; ");
  if (field === "simples" || field === "mei") return asYesOrNo(found.optante);
  if (field === "situacao_cadastral") return joined(" · ", found.descricao, asDate(found.data));
  return found.descricao ?? found.codigo ?? found;
}
