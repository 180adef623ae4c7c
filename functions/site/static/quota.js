// What is left of the month: of the key in use, as the latest call tells it.

import { text } from "./texts.js";

const places = [...document.querySelectorAll("[data-quota]")].map((place) => [place, place.textContent]);
const listeners = [];
let known = null;
let told = 0;

/** `{limit, remaining, resets}` of the key in use (the last in milliseconds), or `null` where nothing is known. */
export const currentQuota = () => known;

export const onQuota = (listener) => listeners.push(listener);

/** Show a quota beside every button that counts; `null` takes it away. */
export function tellQuota(quota) {
  known = quota;
  for (const [place, before] of places) place.textContent = quota ? text("remaining", quota) : before;
  for (const listener of listeners) listener();
}

/** Take the quota of an answer's headers; of two calls under way, the one made later knows better. */
export function readQuota(headers, turn) {
  if (!headers.has("X-RateLimit-Limit") || turn < told) return;
  told = turn;
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) => Number(headers.get(`X-RateLimit-${name}`)));
  tellQuota({ limit, remaining, resets: reset * 1000 });
}

// Somebody may have called, paid or waited for another month since the page was left.
addEventListener("pageshow", ({ persisted }) => persisted && tellQuota(null));
