// Faults shown while a form is being filled in, by the API's own rules and without spending a call.
// A draft carries a field that the API does not know: such a request is always refused, a refusal is
// never counted, and it lists every other fault.

import { call } from "./api.js";
import { afterPause } from "./dom.js";
import { contentOf } from "./form.js";
import { clearFault, showFault } from "./problems.js";

const DRAFT = "rascunho";
const PAUSE = 500;

/** Check a form's fields as they are left, and those with a fault as any other is being put right. */
export function checkWhileTyping(form, path) {
  const left = new Set();
  let running = null;

  async function check() {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    const { body } = await call("POST", path, { body: { ...contentOf(form), [DRAFT]: true }, signal });
    if (signal.aborted) return;
    running = null;
    // A fault shown now would move a button from under the finger that is pressing it.
    if (!body?.errors || form.querySelector("button:active")) return;
    for (const control of form.elements) {
      const fault = body.errors.find((found) => found.campo === control.name);
      if (!fault) clearFault(control);
      else if (control.value && (left.has(control) || control.hasAttribute("aria-invalid"))) showFault(form, fault);
    }
  }

  const checkSoon = afterPause(PAUSE, check);
  form.addEventListener("change", ({ target }) => {
    left.add(target);
    check();
  });
  form.addEventListener("input", ({ target }) => {
    left.delete(target);
    if (running || form.querySelector("[aria-invalid]")) checkSoon();
    running?.abort();
    running = null;
  });
  form.addEventListener("submit", () => running?.abort());
}
