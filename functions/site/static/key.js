// Get a key, or bring one: the page then uses it, in memory only.

import { call, currentKey, onKeyChange, useKey } from "./api.js";
import { byId, whileBusy } from "./dom.js";
import { clearProblem, showProblem } from "./problems.js";
import { contentOf } from "./form.js";
import { text } from "./texts.js";

export function keyBox() {
  const form = byId("key-form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(form.querySelector("button"), () => create(form));
  });
  const own = byId("own-form");
  own.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(own.querySelector("button"), () => bring(own));
  });
  onKeyChange(() => { byId("key-shown").value = currentKey(); });
}

async function create(form) {
  const answer = await call("POST", "keys", { body: contentOf(form), apiKey: null });
  if (!answer.ok) {
    showProblem(form, answer.body);
    return;
  }
  clearProblem(form);
  useKey(answer.body.api_key);
  byId("key-said").textContent = text("key_ready");
  byId("key-shown").focus();
  byId("key-shown").select();
}

async function bring(form) {
  const apiKey = form.elements.own.value.trim();
  const answer = await call("GET", "usage", { apiKey });
  if (!answer.ok) {
    showProblem(form, { ...answer.body, errors: [{ campo: "own", detail: answer.body.detail }] });
    return;
  }
  clearProblem(form);
  form.reset();
  useKey(apiKey);
  const { chamadas: calls, limite: limit, mes: month } = answer.body;
  byId("key-said").textContent = text(limit === null ? "key_unlimited" : "key_used", { calls, limit, month });
}
