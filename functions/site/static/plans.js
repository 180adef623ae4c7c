// Subscribing: the API names the processor's page, and the visitor goes there with their own key's account.

import { call, currentKey, demoKey } from "./api.js";
import { byId, whileBusy } from "./dom.js";
import { text } from "./texts.js";

export function planButton() {
  const button = byId("subscribe");
  button.addEventListener("click", () => whileBusy(button, subscribe));
}

async function subscribe() {
  if (currentKey() === demoKey) {
    say(text("subscribe_key"));
    return;
  }
  let answer = await call("POST", "billing/checkout");
  if (answer.body?.code === "already_subscribed") answer = await call("POST", "billing/portal");
  if (answer.ok) location.assign(answer.body.url);
  else say(answer.body.detail);
}

function say(words) {
  byId("plans-said").textContent = words;
  byId("plans-said").hidden = false;
}
