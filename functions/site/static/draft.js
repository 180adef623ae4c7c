// Faults shown while a form is being filled in, by the API's own rules and without spending a call.
// A draft carries a field that the API does not know: such a request is always refused, a refusal is
// never counted, and it lists every other fault.

import { call } from "./api.js";
import { afterPause } from "./dom.js";
import { contentOf } from "./form.js";
import { clearFault, showFault } from "./problems.js";

const DRAFT = "rascunho";
const PAUSE = 500;

/** Check a form's fields as they are left, and a faulty one as it is being put right. */
export function checkWhileTyping(form, path) {
  const left = new Set();
  let running = new AbortController();

  async function check() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const draft = { ...contentOf(form), [DRAFT]: true };
    const answer = await call("POST", path, { body: draft, signal }).catch(() => null);
    const faults = answer?.body?.errors;
    // A fault shown now would move a button from under the finger that is pressing it.
    if (!faults || form.querySelector("button:active")) return;
    for (const control of left) {
      const fault = faults.find((found) => found.campo === control.name);
      if (fault && control.value) showFault(form, fault);
      else clearFault(control);
    }
  }

  const checkSoon = afterPause(PAUSE, check);
  form.addEventListener("change", ({ target }) => {
    left.add(target);
    check();
  });
  form.addEventListener("input", ({ target }) => {
    if (!target.hasAttribute("aria-invalid")) return;
    left.add(target);
    checkSoon();
  });
  form.addEventListener("submit", () => running.abort());
}
