// Calls to the API that serves this page, with the key in use.
// The key lives in this module and nowhere else: closing the tab forgets it.

import { language, text } from "./texts.js";

export const base = new URL(".", document.baseURI).href;
export const demoKey = document.body.dataset.demoKey;

let key = demoKey;
const changed = new EventTarget();

export const currentKey = () => key;

/** Take another key; every part of the page that shows it hears of it. */
export function useKey(other) {
  key = other;
  changed.dispatchEvent(new Event("key"));
}

export const onKeyChange = (listener) => changed.addEventListener("key", listener);

/**
 * One call. Resolves to `{ok, body, quota}`, where a body that is not ok is a problem (RFC 9457);
 * rejects only when `signal` aborts it.
 */
export async function call(method, path, { body, signal, apiKey = key } = {}) {
  const headers = { "Accept": "application/json", "Accept-Language": language };
  if (apiKey) headers["X-API-Key"] = apiKey;
  if (body) headers["Content-Type"] = "application/json";
  try {
    const response = await fetch(`${base}api/v1/${path}`, {
      method, headers, signal, body: body && JSON.stringify(body), cache: "no-store",
    });
    const answer = await response.text();
    showQuota(response.headers);
    return { ok: response.ok, body: answer ? JSON.parse(answer) : null };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return { ok: false, body: { code: "network", detail: text("network") } };
  }
}

/** Counted answers say how the month stands: show it beside every button that counts. */
function showQuota(headers) {
  if (!headers.has("X-RateLimit-Limit")) return;
  const said = text("remaining", {
    remaining: headers.get("X-RateLimit-Remaining"), limit: headers.get("X-RateLimit-Limit"),
  });
  for (const place of document.querySelectorAll("[data-quota]")) place.textContent = said;
}
