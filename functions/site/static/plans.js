// The button to subscribe: the API returns the payment page.

import { call, currentKey, demoKey, onKeyChange } from "./api.js";
import { byId, whileBusy } from "./dom.js";
import { text } from "./texts.js";

export function planButton() {
  const button = byId("subscribe");
  if (!button) return; // Pro is not for sale
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
  // Another key would be another account.
  if (apiKey !== currentKey()) return;
  if (answer.ok) location.assign(answer.body.url);
  else notice(answer.body.detail);
}

function notice(words) {
  byId("plans-message").textContent = words;
  byId("plans-message").hidden = !words;
}
