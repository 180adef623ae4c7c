// Subscribing: the API names the processor's page, and the visitor goes there with their own key's account.

import { call, currentKey, demoKey, onKeyChange } from "./api.js";
import { byId, whileBusy } from "./dom.js";
import { text } from "./texts.js";

export function planButton() {
  const button = byId("subscribe");
  if (!button) return; // nothing is sold here
  button.addEventListener("click", () => whileBusy(button, subscribe));
  onKeyChange(() => notice(""));
}

async function subscribe() {
  const apiKey = currentKey();
  notice("");
  if (apiKey === demoKey) {
    notice(text("subscribe_key"));
    return;
  }
  let answer = await call("POST", "billing/checkout", { apiKey });
  if (answer.body?.code === "already_subscribed") answer = await call("POST", "billing/portal", { apiKey });
  // With another key in use, it would be another account that pays.
  if (apiKey !== currentKey()) return;
  if (answer.ok) location.assign(answer.body.url);
  else notice(answer.body.detail);
}

function notice(words) {
  byId("plans-said").textContent = words;
  byId("plans-said").hidden = !words;
}
