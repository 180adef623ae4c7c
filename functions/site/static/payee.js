// Compares the payee of a code with the company registry. Sent only on a press, because it may count.

import { keepAnswer } from "./answers.js";
import { call } from "./api.js";
import { byId, element, say, terms } from "./dom.js";
import { alertOf } from "./fields.js";
import { asCnpj, asDate, joined } from "./format.js";
import { statusWord } from "./situation.js";
import { text } from "./texts.js";

/** Start the form. Return a function that sets the decoded code with a CNPJ key; `null` hides the form. */
export function payeeBox() {
  const form = byId("payee-form");
  let code = null;
  keepAnswer(form, {
    input: () => code,
    ask: (brcode, by) => call("POST", "skills/pix/conferir", { body: { brcode }, ...by }),
    show: ({ body }) => show(body),
    hide: (words) => render("", words, []),
    result: byId("payee-result"),
    words: { changed: text("payee_changed"), refused: text("refused_above") },
  });
  return (other) => {
    code = other;
    form.hidden = code === null;
    form.dispatchEvent(new Event("change"));
  };
}

function render(kind, words, content) {
  byId("payee-outcome").dataset.kind = kind;
  say(byId("payee-outcome"), words);
  byId("payee-result").replaceChildren(...content);
}

function show(found) {
  const company = found.recebedor;
  const clear = found.nome === "confere" && found.alertas.length === 0;
  render(clear ? "good" : "warned", text(company ? `name_${found.nome}` : "payee_none"), [
    ...found.alertas.map(alertOf),
    ...(company ? [companyOf(company, found)] : []),
  ]);
}

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
