// The CNPJ form. It starts with a sandbox company, which is never counted.

import { keepAnswer } from "./answers.js";
import { call, currentKey } from "./api.js";
import { enableCopying } from "./copy.js";
import { byId, element, onInput, say, terms } from "./dom.js";
import { trimmed } from "./form.js";
import { asAddress, asCnae, asCnpj, asDate, asMoney, asPhone, asYesOrNo, joined } from "./format.js";
import { companySamples } from "./samples.js";
import { badge, statusWord } from "./situation.js";
import { text } from "./texts.js";

const ABSENT = "company_not_found";

/** Start the form. Return a function that shows the company of a number. */
export function companyBox() {
  const form = byId("cnpj-form");
  const input = () => trimmed(form.elements.cnpj.value);
  const samples = companySamples(byId("cnpj-samples-panel"));
  onInput(form, () => samples(input()));
  const answer = keepAnswer(form, {
    input,
    ask,
    show: ({ body }) => (body.code === ABSENT ? showAbsence(body) : show(body)),
    hide: hideAfter(byId("cnpj-name").textContent, byId("cnpj-fields").firstElementChild),
    result: byId("cnpj-fields"),
    words: { changed: text("cnpj_changed"), refused: text("refused") },
  });
  if (currentKey()) answer.ask({ quietly: true });
  const open = (cnpj) => {
    form.elements.cnpj.value = cnpj;
    form.elements.cnpj.dispatchEvent(new Event("input", { bubbles: true }));
    answer.ask();
  };
  for (const button of form.querySelectorAll("[data-cnpj]")) {
    button.addEventListener("click", () => open(button.dataset.cnpj));
  }
  return open;
}

/** Look up a company. That there is none is an answer too. */
async function ask(cnpj, by) {
  const answer = await call("POST", "skills/cnpj", { body: { cnpj }, ...by });
  return { ...answer, ok: answer.ok || answer.body.code === ABSENT };
}

const hideAfter = (title, first) => (words) => {
  byId("cnpj-status").replaceChildren();
  byId("cnpj-name").textContent = title;
  byId("cnpj-fields").replaceChildren(words ? element("p", {}, words) : first);
  say(byId("cnpj-message"), words);
};

function show(company) {
  const situation = company.situacao_cadastral.descricao;
  byId("cnpj-status").replaceChildren(
    statusWord(company.situacao_cadastral), company.desatualizado ? badge("warned", text("stale_word")) : "",
  );
  byId("cnpj-name").textContent = company.razao_social;
  say(byId("cnpj-message"), text("company_ready", { name: company.razao_social, status: situation }));
  byId("cnpj-fields").replaceChildren(
    terms([
      [text("cnpj"), element(
        "span", {}, element("span", { id: "cnpj-number" }, asCnpj(company.cnpj)), copyOf("cnpj-number"),
      )],
      [text("nome_fantasia"), company.nome_fantasia],
      [text("situacao"), joined(" · ", situation, asDate(company.situacao_cadastral.data))],
      [text("abertura"), asDate(company.data_inicio_atividade)],
      [text("natureza"), company.natureza_juridica?.descricao],
      [text("porte"), company.porte?.descricao],
      [text("capital"), asMoney(company.capital_social)],
      [text("atividade"), joined(" · ", asCnae(company.cnae_principal?.codigo), company.cnae_principal?.descricao)],
      [text("endereco"), asAddress(company.endereco ?? {})],
      [text("contato"), joined(" · ", company.email, ...(company.telefones ?? []).map(phoneOf))],
      [text("simples"), asYesOrNo(company.simples?.optante)],
      [text("mei"), asYesOrNo(company.mei?.optante)],
      [text("socios"), partnersOf(company.socios ?? [])],
      [text("fonte"), joined(" · ", company.fonte, asDate(company.data_base), company.desatualizado && text("stale"))],
    ]),
    element("div", { class: "folds" }, changesOf(company.cnpj), element(
      "details", {}, element("summary", {}, text("whole_record")),
      copyOf("cnpj-json"),
      element("pre", { id: "cnpj-json", tabindex: "0", role: "region", "aria-label": "JSON" }, JSON.stringify(company, null, 2)),
    )),
  );
  enableCopying(byId("cnpj-fields"));
}

/** Show an absence: no fault, and counted if confirmed. */
function showAbsence({ title, detail }) {
  byId("cnpj-status").replaceChildren(badge("none", text("no_company")));
  byId("cnpj-name").textContent = title;
  byId("cnpj-fields").replaceChildren(element("p", {}, detail));
  say(byId("cnpj-message"), detail);
}

const copyOf = (id) => element("button", { type: "button", class: "button quiet small-copy", "data-copy": id }, text("copy"));

function changesOf(cnpj) {
  const place = element("details", {}, element("summary", {}, text("show_changes")));
  const show = async () => (await import("./company-changes.js")).showChanges(cnpj, place);
  place.addEventListener("toggle", show, { once: true });
  return place;
}

const phoneOf = ({ ddd, numero }) => joined(" ", ddd && `(${ddd})`, asPhone(numero));

function partnersOf(partners) {
  if (partners.length === 0) return null;
  const items = partners.map((partner) => element(
    "li", {},
    joined(" · ", partner.nome, partner.qualificacao?.descricao,
      partner.data_entrada && text("partner_since", { date: asDate(partner.data_entrada) })),
  ));
  return element("ul", {}, ...items);
}
