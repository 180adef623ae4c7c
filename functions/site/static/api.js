// Calls to the API that serves this page, with the key in use.
// The key is kept in this module alone: closing the tab forgets it.

import { readQuota, setQuota } from "./quota.js";
import { language, text } from "./texts.js";

export const base = new URL("../../", import.meta.url).href; // from static/<version>/
export const demoKey = document.body.dataset.demoKey; // empty where there is none
export const unreachable = { ok: false, body: { code: "network", detail: text("network") } };

let key = demoKey;
let turns = 0;
const changed = new EventTarget();

export const currentKey = () => key;

/** Use another key and notify listeners. */
export function useKey(other) {
  key = other;
  setQuota(null);
  changed.dispatchEvent(new Event("key"));
}

export const onKeyChange = (listener) => changed.addEventListener("key", listener);

/**
 * Call the API. Resolves to `{ok, status, body}`; if not ok, the body is a problem (RFC 9457), or the result is
 * `unreachable` if there was no answer or `signal` aborted it.
 */
export async function call(method, path, { body, signal, apiKey = key } = {}) {
  const turn = ++turns;
  const headers = { "Accept": "application/json", "Accept-Language": language };
  if (apiKey) headers["X-API-Key"] = apiKey;
  if (body) headers["Content-Type"] = "application/json";
  try {
    const response = await fetch(`${base}api/v1/${path}`, {
      method, headers, signal, body: body && JSON.stringify(body), cache: "no-store",
    });
    const written = await response.text();
    const answer = written ? JSON.parse(written) : null;
    if (apiKey === key) readQuota(response.headers, turn);
    return { ok: response.ok, status: response.status, body: inOneLanguage(answer, response) };
  } catch {
    return unreachable;
  }
}

/** Reduce a problem in Portuguese and English to the page's language. */
function inOneLanguage(answer, { ok, headers }) {
  const sides = ok || headers.has("Content-Language") ? [] : answer?.detail?.split(" / ") ?? [];
  return sides.length === 2 ? { ...answer, detail: sides[language === "en" ? 1 : 0] } : answer;
}
