// Checks the payee of a code. Sent only on a press: it may count, and a location's PSP is asked.

import { keepAnswer } from "./answers.js";
import { call } from "./api.js";
import { byId, say } from "./dom.js";
import { text } from "./texts.js";

/** Start the form. Return a function that sets a code with a CNPJ key or a location; `null` hides the form. */
export function payeeBox() {
  const form = byId("payee-form");
  let code = null;
  keepAnswer(form, {
    input: () => code,
    ask: (brcode, by) => call("POST", "skills/pix/conferir", { body: { brcode, seguir: true }, ...by }),
    view: () => import("./payee-view.js"),
    show: ({ body }, { outcomeOf, detailsOf }) => render(...outcomeOf(body), detailsOf(body)),
    hide: (words) => render("", words, []),
    result: byId("payee-result"),
    words: { changed: text("payee_changed"), refused: text("refused_above") },
  });
  return (other) => {
    code = other;
    form.hidden = code === null;
    form.dispatchEvent(new Event("change"));
  };
}

function render(kind, words, content) {
  byId("payee-outcome").dataset.kind = kind;
  say(byId("payee-outcome"), words);
  byId("payee-result").replaceChildren(...content);
}
