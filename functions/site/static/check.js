// The form that checks a code: decoded while typing, never counted.

import { keepAnswer } from "./answers.js";
import { call, currentKey, demoKey } from "./api.js";
import { afterPause, byId, onInput, say } from "./dom.js";
import { trimmed } from "./form.js";
import { payeeBox } from "./payee.js";
import { text } from "./texts.js";

const PAUSE = 350;
// One digit of the amount was changed after the CRC was computed.
const INVALID =
  "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540559.905802BR" +
  "5916Padaria Sao Joao6009Sao Paulo62070503***630429C5";
// Pays a sandbox company, which is never counted.
const COMPANY =
  "00020126360014br.gov.bcb.pix0114SANDBOX1000170520400005303986540549.905802BR" +
  "5918Empresa de Exemplo6009Sao Paulo62070503***6304DB96";

export function checkBox() {
  const form = byId("check-form");
  const input = () => trimmed(form.elements.brcode.value);
  const offerPayee = payeeBox();
  const answer = keepAnswer(form, {
    input,
    // Decoding is free, so the demo key is used if there is one.
    ask: (brcode, { signal }) => call("POST", "skills/pix/decode", { body: { brcode }, apiKey: demoKey || currentKey(), signal }),
    view: () => import("./check-view.js"),
    show({ body }, { outcomeOf, findingsOf, suggestionOf, fieldsOf }) {
      showResult(...outcomeOf(body));
      byId("check-findings").replaceChildren(...suggestionOf(body, read), ...findingsOf(body));
      byId("check-fields").replaceChildren(fieldsOf(body));
      const { tipo_chave: kind, url, url_recorrencia: recurrence } = body.campos;
      offerPayee(kind === "cnpj" || url || recurrence ? input() : null);
    },
    hide(words) {
      hide(words);
      offerPayee(null);
    },
    result: byId("check-result"),
    words: { changed: text("working"), refused: text("refused") },
  });
  const readSoon = afterPause(PAUSE, () => input() && answer.ask({ quietly: true }));
  onInput(form, () => {
    if (!input()) answer.forget();
    readSoon();
  });
  function read(code) {
    form.elements.brcode.value = code;
    answer.ask();
  }
  for (const [id, code] of [["check-example", INVALID], ["check-company", COMPANY]]) {
    byId(id).addEventListener("click", () => read(code));
  }
}

function hide(words) {
  showResult("", words || text("check_empty"));
  byId("check-findings").replaceChildren();
  byId("check-fields").replaceChildren();
}

function showResult(kind, words) {
  byId("check-outcome").dataset.kind = kind;
  say(byId("check-outcome"), words);
}
