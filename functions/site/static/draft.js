// Validate a form while it is filled in, uncounted: the draft has an unknown field, so that the API
// always rejects it, and lists all other issues.

import { call } from "./api.js";
import { afterPause } from "./dom.js";
import { contentOf } from "./form.js";
import { clearIssue, showIssue } from "./problems.js";

const DRAFT = "rascunho";
const PAUSE = 500;

/** Check fields when they are left, and fields with issues while typing. */
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
    // Showing an issue now would move the button that is being pressed.
    if (!body?.errors || form.querySelector("button:active")) return;
    for (const control of form.elements) {
      const issue = body.errors.find((found) => found.campo === control.name);
      if (!issue) clearIssue(control);
      else if (control.value && (left.has(control) || control.hasAttribute("aria-invalid"))) showIssue(form, issue);
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
