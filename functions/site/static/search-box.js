// The search by name and place. Sent only on a press: each page counts. A row opens the company above.

import { keepAnswer } from "./answers.js";
import { call } from "./api.js";
import { byId, say } from "./dom.js";
import { contentOf } from "./form.js";
import { searchForm } from "./search-form.js";
import { word } from "./search-texts.js";
import { outcomeOf, resultOf, widerOf } from "./search-view.js";
import { text } from "./texts.js";

/** Start the form; `open(cnpj)` shows a company. */
export function searchBox(open) {
  const form = searchForm();
  byId("search").append(form);
  const ask = (fields, by) => call("POST", "skills/cnpj/busca", { body: fields, ...by });
  keepAnswer(form, {
    input: () => contentOf(form),
    ask,
    show({ body }) {
      const fields = contentOf(form);
      const active = fields.situacao === "ativa";
      const more = (cursor) => ask({ ...fields, cursor });
      render(outcomeOf(body, active), active && body.total === 0 ? [widerOf(form)] : resultOf(body, open, more));
    },
    hide: (words) => render(words, []),
    result: byId("search-result"),
    words: { changed: word("changed"), refused: text("refused_above") },
  });
}

function render(words, content) {
  say(byId("search-outcome"), words);
  byId("search-result").replaceChildren(...content);
}
