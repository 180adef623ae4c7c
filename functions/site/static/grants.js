// The list of programs with access to the account, with buttons to end access.

import { call, currentKey, demoKey, onKeyChange } from "./api.js";
import { byId, element, say, whileBusy } from "./dom.js";
import { asDay, joined } from "./format.js";
import { text } from "./texts.js";

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
    say(byId("grants-message"), text("grants_key"));
    return;
  }
  const { ok, body } = await call("GET", "grants", { apiKey });
  if (apiKey !== currentKey()) return; // never show another account's grants
  const grants = ok ? body.acessos : [];
  say(byId("grants-message"), joined(" ", words, ok ? grants.length === 0 && text("grants_none") : body.detail));
  byId("grants-list").replaceChildren(...grants.map((grant) => line(grant, apiKey)));
}

function line(grant, apiKey) {
  const calls = Object.values(grant.chamadas).reduce((sum, month) => sum + month, 0);
  const details = joined(
    " · ", text("grants_since", { date: asDay(grant.concedido_em) }), text("grants_used", { date: asDay(grant.usado_em) }),
    calls === 1 ? text("grants_call") : text("grants_calls", { calls }), destination(grant.redirecionado_a),
  );
  return element(
    "li", {},
    element(
      "div", {}, element("strong", {}, grant.programa),
      element("ul", {}, ...grant.escopos.map((scope) => element("li", {}, text(`scope_${scope}`)))),
      element("p", { class: "hint" }, details),
    ),
    ending(grant, apiKey),
  );
}

function destination(address) {
  const { protocol, host } = new URL(address);
  return protocol === "https:" ? text("grants_to", { host }) : text("grants_here");
}

/** The button that ends a grant; it is replaced by a confirmation when pressed. */
function ending({ id, programa }, apiKey) {
  const button = (words, work) => {
    const made = element("button", { type: "button", class: "button quiet", "aria-label": `${words}: ${programa}` }, words);
    made.addEventListener("click", work);
    return made;
  };
  const place = element("div");
  const ask = button(text("grants_end"), () => {
    place.replaceChildren(asked);
    asked.focus();
  });
  const keep = button(text("grants_keep"), () => {
    place.replaceChildren(ask);
    ask.focus();
  });
  const really = button(text("grants_end_really"), () => whileBusy(really, () => end(id, programa, apiKey)));
  const question = element("p", { id: `end-${id}` }, text("grants_question", { name: programa }));
  const asked = element("div", { class: "asked", role: "group", tabindex: "-1", "aria-labelledby": question.id }, question, really, keep);
  asked.addEventListener("keydown", ({ key }) => key === "Escape" && keep.click());
  place.append(ask);
  return place;
}

async function end(id, programa, apiKey) {
  const { ok, body } = await call("POST", "grants/end", { body: { id }, apiKey });
  // It may have been ended elsewhere: reload the list.
  byId("grants-title").focus();
  await refresh(ok || body.code === "not_found" ? text("grants_ended", { name: programa }) : body.detail);
}
