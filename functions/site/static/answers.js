// An answer is shown only beside its input: a QR beside another amount might be paid.
// Every event that may change something (typing, an answer, another key, a restored page)
// compares the latest request with the form's content, and renders the resulting state.

import { currentKey, onKeyChange, unreachable } from "./api.js";
import { onInput } from "./dom.js";
import { clearIssue, clearProblem, hideSummary, showProblem } from "./problems.js";
import { text } from "./texts.js";

/**
 * Send `form`'s content when it is submitted, and show the answer as long as it is current.
 *
 * `input()` returns what would be sent now; `ask(input, {signal, apiKey})` resolves to `{ok, body}`. `show(answer)`
 * fills `result`, `hide(words, refusal)` empties it; `words` has the text by state ("changed", "refused"). Problems are
 * shown at the form, until input or API key change. `view()`, if any, imports a module that `show(answer, module)`
 * needs; nothing is asked without it. Returns `ask({quietly})`, which does not move the focus,
 * `forget()`, and `offer(input, answer)`, for an answer that is known before anything was asked.
 */
export function keepAnswer(form, { input, ask, view, show, hide, result, words = {} }) {
  const button = form.querySelector(".submit button");
  const texts = { working: text("working"), ...words };
  const now = () => JSON.stringify(input());
  let asked = null; // the latest request: {sent, key, stop, quietly, answer}
  let state;

  function stateNow() {
    if (!asked) return "empty";
    if (asked.sent !== now()) return "changed";
    if (!asked.answer) return "working";
    return asked.answer.ok ? "shown" : "refused";
  }

  function update() {
    const refused = asked?.answer?.ok === false;
    // A problem is forgotten at the next edit, which must not move the focus.
    if (refused && (asked.sent !== now() || asked.key !== currentKey())) asked = null;
    const next = stateNow();
    if (next === state) return;
    state = next;
    result?.setAttribute("data-state", state);
    result?.setAttribute("aria-busy", String(state === "working"));
    if (state === "working") button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
    if (state === "empty" || state === "changed") hideSummary(form);
    if (state === "refused") showProblem(form, asked.answer.body, { focus: !asked.quietly });
    if (state !== "shown") return hide(texts[state] ?? "", state === "refused" ? asked.answer : null);
    clearProblem(form);
    show(asked.answer, asked.module);
  }

  async function send({ quietly = false } = {}) {
    update();
    if (state === "working" || (quietly && ["shown", "refused"].includes(state))) return;
    asked?.stop.abort();
    // An answer is stored with its request: one that arrives after a later request is ignored.
    const request = { sent: now(), key: currentKey(), stop: new AbortController(), quietly };
    asked = request;
    update();
    request.module = await view?.().catch(() => null);
    request.answer = request.module === null ? unreachable
      : await ask(JSON.parse(request.sent), { signal: request.stop.signal, apiKey: request.key });
    update();
  }

  form.addEventListener("input", ({ target }) => clearIssue(target));
  onInput(form, update);
  onKeyChange(update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  askOncePerPress(form, button);
  return {
    ask: send,
    offer(known, answer) {
      asked ??= { sent: JSON.stringify(known), key: currentKey(), stop: new AbortController(), quietly: true, answer };
      update();
    },
    forget() {
      asked = null;
      update();
    },
  };
}

/** Send one request for a double click or a key held down: each may count. */
function askOncePerPress(form, button) {
  form.addEventListener("click", (event) => {
    if (event.target === button && event.detail > 1) event.preventDefault();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.repeat && !event.target.matches("textarea")) event.preventDefault();
  });
}
