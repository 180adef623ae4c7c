// One rule for every form: an answer is shown only for the input it answers.
// A QR beside an amount that it does not hold would be paid. So nothing is shown because it has just arrived:
// whatever may have changed something (a key pressed, an answer, another API key, a browser that brings the
// page back) only makes a form look again at what it asked last and at what it holds now.

import { currentKey, onKeyChange } from "./api.js";
import { onInput } from "./dom.js";
import { clearFault, clearProblem, hideSummary, showProblem } from "./problems.js";
import { text } from "./texts.js";

/**
 * Let `form` ask when it is submitted, and show the answer while it is one.
 *
 * `input()` is what would be sent now, and `ask(input, {signal, apiKey})` resolves to `{ok, body}`. `show(answer)`
 * fills `result`, `hide(words)` empties it; `words` says by state ("changed", "refused") what stands there
 * instead. A refusal is shown at the form, and answers for the API key as well. Returns `ask({quietly})`, which
 * leaves the focus where it is, and `forget()`.
 */
export function keepAnswer(form, { input, ask, show, hide, result, words = {} }) {
  const button = form.querySelector(".submit button");
  const said = { working: text("working"), ...words };
  const now = () => JSON.stringify(input());
  let asked = null; // the latest question: {sent, key, stop, quietly}, and its answer once it is there
  let state;

  function stateNow() {
    if (!asked) return "empty";
    if (asked.sent !== now()) return "changed";
    if (!asked.answer) return "working";
    return asked.answer.ok ? "shown" : "refused";
  }

  function look() {
    const refused = asked?.answer?.ok === false;
    // Typed again, the input may fare better; and it must not move the focus from under the typing.
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
    if (state !== "shown") return hide(said[state] ?? "");
    clearProblem(form);
    show(asked.answer);
  }

  async function put({ quietly = false } = {}) {
    look();
    if (state === "working" || (quietly && ["shown", "refused"].includes(state))) return;
    asked?.stop.abort();
    // An answer goes to its own question: one that comes after a later question was put is not looked at.
    const question = { sent: now(), key: currentKey(), stop: new AbortController(), quietly };
    asked = question;
    look();
    question.answer = await ask(JSON.parse(question.sent), { signal: question.stop.signal, apiKey: question.key });
    look();
  }

  form.addEventListener("input", ({ target }) => clearFault(target));
  onInput(form, look);
  onKeyChange(look);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    put();
  });
  askOncePerPress(form, button);
  return {
    ask: put,
    forget() {
      asked = null;
      look();
    },
  };
}

/** Every question may count: a double click is one, and so is a key held down. */
function askOncePerPress(form, button) {
  form.addEventListener("click", (event) => {
    if (event.target === button && event.detail > 1) event.preventDefault();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.repeat && !event.target.matches("textarea")) event.preventDefault();
  });
}
