// The list of programs with access to the account, with buttons to end access.

import { call, currentKey, demoKey, onKeyChange } from "./api.js";
import { byId, element, say, whileBusy } from "./dom.js";
import { asDay, joined } from "./format.js";
import { word } from "./grants-texts.js";

export function grantsBox() {
  const show = () => refresh("");
  byId("grants").addEventListener("toggle", show);
  onKeyChange(show);
  show();
}

/** Load the list for the key in use; `words` precede its message. */
async function refresh(words) {
  const apiKey = currentKey();
  byId("grants-list").replaceChildren();
  if (!byId("grants").open) return;
  if (apiKey === demoKey) {
    say(byId("grants-message"), word("key"));
    return;
  }
  const { ok, body } = await call("GET", "grants", { apiKey });
  if (apiKey !== currentKey()) return; // never show another account's grants
  const grants = ok ? body.acessos : [];
  say(byId("grants-message"), joined(" ", words, ok ? grants.length === 0 && word("none") : body.detail));
  byId("grants-list").replaceChildren(...grants.map((grant) => line(grant, apiKey)));
}

function line(grant, apiKey) {
  const calls = Object.values(grant.chamadas).reduce((sum, month) => sum + month, 0);
  const details = joined(
    " · ", word("since", { date: asDay(grant.concedido_em) }), word("used", { date: asDay(grant.usado_em) }),
    calls === 1 ? word("call") : word("calls", { calls }), destination(grant.redirecionado_a),
  );
  return element(
    "li", {},
    element(
      "div", {}, element("strong", {}, grant.programa),
      element("ul", {}, ...grant.escopos.map((scope) => element("li", {}, word(`scope_${scope}`)))),
      element("p", { class: "hint" }, details),
    ),
    ending(grant, apiKey),
  );
}

function destination(address) {
  const { protocol, host } = new URL(address);
  return protocol === "https:" ? word("to", { host }) : word("here");
}

/** The button that ends a grant; it is replaced by a confirmation when pressed. */
function ending({ id, programa }, apiKey) {
  const button = (words, work) => {
    const made = element("button", { type: "button", class: "button quiet", "aria-label": `${words}: ${programa}` }, words);
    made.addEventListener("click", work);
    return made;
  };
  const place = element("div");
  const ask = button(word("end"), () => {
    place.replaceChildren(asked);
    asked.focus();
  });
  const keep = button(word("keep"), () => {
    place.replaceChildren(ask);
    ask.focus();
  });
  const really = button(word("end_really"), () => whileBusy(really, () => end(id, programa, apiKey)));
  const question = element("p", { id: `end-${id}` }, word("question", { name: programa }));
  const asked = element("div", { class: "asked", role: "group", tabindex: "-1", "aria-labelledby": question.id }, question, really, keep);
  asked.addEventListener("keydown", ({ key }) => key === "Escape" && keep.click());
  place.append(ask);
  return place;
}

async function end(id, programa, apiKey) {
  const { ok, body } = await call("POST", "grants/end", { body: { id }, apiKey });
  // It may have been ended elsewhere: reload the list.
  byId("grants-title").focus();
  await refresh(ok || body.code === "not_found" ? word("ended", { name: programa }) : body.detail);
}
