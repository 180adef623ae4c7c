// What changed of a company. It is loaded when it is asked for, since that counts a call.

import { call } from "./api.js";
import { element, terms } from "./dom.js";
import { asAddress, asDate, asMoney, asYesOrNo, joined } from "./format.js";
import { text } from "./texts.js";

const NAMES = {
  registro: "registration", razao_social: "razao_social", nome_fantasia: "nome_fantasia",
  situacao_cadastral: "situacao", natureza_juridica: "natureza", porte: "porte", capital_social: "capital",
  cnae_principal: "atividade", cnaes_secundarios: "other_activities", endereco: "endereco", simples: "simples",
  mei: "mei", socios: "socios",
};

/** Ask for a company's changes and show them, or why there are none. Return whether they are shown. */
export async function showChanges(cnpj, place) {
  const { ok, body } = await call("POST", "skills/cnpj/historico", { body: { cnpj } });
  place.replaceChildren(ok ? list(body) : body.detail);
  return ok;
}

function list({ desde, mudancas }) {
  const since = { date: asDate(desde) };
  if (mudancas.length === 0) return element("p", {}, text("unchanged", since));
  return element(
    "div", {}, element("p", {}, text("changes_since", since)),
    terms(mudancas.map((change) => [joined(" · ", asDate(change.data_base), text(NAMES[change.campo])), words(change)])),
  );
}

function words({ campo, de, para }) {
  if (campo === "registro") return text(`registration_${para}`);
  if (campo === "socios") {
    return joined(" · ", de.length && text("left", { names: names(de) }), para.length && text("came", { names: names(para) }));
  }
  return `${value(campo, de)} → ${value(campo, para)}`;
}

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
