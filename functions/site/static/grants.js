// The programs that may call in the account's name, and their end.

import { call, currentKey, demoKey, onKeyChange } from "./api.js";
import { byId, element, say, whileBusy } from "./dom.js";
import { asDate, joined } from "./format.js";
import { text } from "./texts.js";

export function grantsBox() {
  const show = () => refresh("");
  byId("grants").addEventListener("toggle", show);
  onKeyChange(show);
}

/** The list as it is now, for the key in use; `words` come before what is said of it. */
async function refresh(words) {
  const apiKey = currentKey();
  byId("grants-list").replaceChildren();
  if (!byId("grants").open) return;
  if (apiKey === demoKey) {
    say(byId("grants-said"), text("grants_key"));
    return;
  }
  const { ok, body } = await call("GET", "grants", { apiKey });
  if (apiKey !== currentKey()) return; // what another account allowed is nobody else's to see
  const grants = ok ? body.acessos : [];
  say(byId("grants-said"), joined(" ", words, ok ? grants.length === 0 && text("grants_none") : body.detail));
  byId("grants-list").replaceChildren(...grants.map((grant) => line(grant, apiKey)));
}

function line({ id, programa, escopos, redirecionado_a: address, concedido_em: since, chamadas }, apiKey) {
  const calls = Object.values(chamadas).reduce((sum, month) => sum + month, 0);
  const button = element("button", { type: "button", class: "small", "aria-label": `${text("grants_end")}: ${programa}` }, text("grants_end"));
  button.addEventListener("click", () => whileBusy(button, () => end(id, programa, apiKey)));
  const told = joined(
    " · ", escopos.join(", "), text("grants_since", { date: asDate(since.slice(0, 10)) }),
    text("grants_calls", { calls }), text("grants_to", { host: new URL(address).host }),
  );
  return element("li", {}, element("div", {}, element("strong", {}, programa), element("p", { class: "hint" }, told)), button);
}

async function end(id, programa, apiKey) {
  const { ok, body } = await call("POST", "grants/end", { body: { id }, apiKey });
  // Somebody else may have ended it: the list tells.
  byId("grants-title").focus();
  await refresh(ok || body.code === "not_found" ? text("grants_ended", { name: programa }) : body.detail);
}
