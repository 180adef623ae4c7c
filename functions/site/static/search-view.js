// The companies that a search found, and the next pages.

import { element, say, whileBusy } from "./dom.js";
import { asCnae, asCnpj, asNumber, joined } from "./format.js";
import { word } from "./search-texts.js";
import { statusWord } from "./situation.js";

/** How many were found; if none, words that are near. `active`: only active companies were searched. */
export function outcomeOf({ total, total_exato: exact, sugestoes: near }, active) {
  if (total > 0) return word(exact ? "total" : "more_than", { total: asNumber(total) });
  return joined(" ", word(active ? "none_active" : "none"), near.length > 0 && word("near", { words: near.join(", ") }));
}

/** A button that searches again in every status. */
export function widerOf(form) {
  const button = element("button", { type: "button", class: "button quiet" }, word("search_all"));
  button.addEventListener("click", () => {
    form.elements.situacao.value = "todas";
    form.querySelector(".submit button").focus(); // this one goes with its answer
    form.requestSubmit();
  });
  return element("p", {}, button);
}

/** A list of companies, and a button that adds the next page, if there is one; `next(cursor)` asks for it. */
export function resultOf(page, open, next) {
  const list = element("ul", { class: "found" }, ...page.empresas.map((company) => rowOf(company, open)));
  return page.cursor ? [list, moreOf(list, page.cursor, open, next)] : [list];
}

function rowOf(company, open) {
  const name = element("a", { href: "#cnpj" }, company.razao_social);
  name.addEventListener("click", () => open(company.cnpj));
  const activity = company.cnae_principal;
  return element(
    "li", {},
    statusWord(company.situacao_cadastral), name,
    element("p", { class: "hint" }, joined(
      " · ", company.nome_fantasia, asCnpj(company.cnpj), joined("/", company.municipio, company.uf),
      activity && `${asCnae(activity.codigo)} ${activity.descricao ?? ""}`,
    )),
  );
}

function moreOf(list, cursor, open, next) {
  const message = element("span", { class: "hint", role: "status" });
  const button = element("button", { type: "button", class: "button quiet" }, word("next"));
  const more = element("p", { class: "submit" }, button, " ", message);
  say(message, word("counts"));
  let following = cursor;
  button.addEventListener("click", () => whileBusy(button, async () => {
    const { ok, body } = await next(following);
    if (!ok) return say(message, body.detail);
    const added = body.empresas.map((company) => rowOf(company, open));
    list.append(...added);
    added[0]?.querySelector("a").focus();
    following = body.cursor;
    if (!following) more.remove();
  }));
  return more;
}
