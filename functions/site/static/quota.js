// The remaining quota of the key in use, from the headers of the latest call.

import { asNumber } from "./format.js";
import { text } from "./texts.js";

const places = [...document.querySelectorAll("[data-quota]")].map((place) => [place, place.textContent]);
const listeners = [];
let known = null;
let latestTurn = 0;

/** Return `{limit, remaining, resets}` (ms) of the key, or `null`. */
export const currentQuota = () => known;

export const onQuota = (listener) => listeners.push(listener);

/** Show a quota beside every button that counts; `null` hides it. */
export function setQuota(quota) {
  known = quota;
  const values = quota && { limit: asNumber(quota.limit), remaining: asNumber(quota.remaining) };
  for (const [place, before] of places) place.textContent = quota ? text("remaining", values) : before;
  for (const listener of listeners) listener();
}

/** Read the quota from an answer's headers; the latest call made decides. */
export function readQuota(headers, turn) {
  if (!headers.has("X-RateLimit-Limit") || turn < latestTurn) return;
  latestTurn = turn;
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) => Number(headers.get(`X-RateLimit-${name}`)));
  setQuota({ limit, remaining, resets: reset * 1000 });
}

// The quota may have changed while the page was in the browser's cache.
addEventListener("pageshow", ({ persisted }) => persisted && setQuota(null));
