// A box to check any code: read as it is typed, never counted.

import { keepAnswer } from "./answers.js";
import { call, demoKey } from "./api.js";
import { afterPause, byId, element, onInput, say } from "./dom.js";
import { pixFields } from "./fields.js";
import { text } from "./texts.js";

const PAUSE = 350;
// One digit of the amount was changed after the CRC was computed.
const EXAMPLE =
  "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540559.905802BR" +
  "5916Padaria Sao Joao6009Sao Paulo62070503***6304";

export function checkBox() {
  const form = byId("check-form");
  const input = () => form.elements.brcode.value.trim();
  const answer = keepAnswer(form, {
    input,
    // Reading is free, so the public key does, whatever key the visitor has.
    ask: (brcode, { signal }) => call("POST", "skills/pix/decode", { body: { brcode }, apiKey: demoKey, signal }),
    show: ({ body }) => show(body),
    hide,
    result: byId("check-result"),
    words: { changed: text("working"), refused: text("refused") },
  });
  const readSoon = afterPause(PAUSE, () => input() && answer.ask({ quietly: true }));
  onInput(form, () => {
    if (!input()) answer.forget();
    readSoon();
  });
  byId("check-example").addEventListener("click", () => {
    form.elements.brcode.value = `${EXAMPLE}29C5`;
    answer.ask();
  });
}

function hide(words) {
  verdict("", words || text("check_empty"));
  byId("check-findings").replaceChildren();
  byId("check-fields").replaceChildren();
}

function show(found) {
  const warned = found.valido && found.alertas.length > 0;
  if (!found.valido) verdict("bad", text("check_invalid"));
  else verdict(warned ? "warned" : "good", text(warned ? "check_valid_warned" : "check_valid"));
  byId("check-findings").replaceChildren(
    ...found.erros.map((finding) => findingOf("error", finding)),
    ...found.alertas.map((finding) => findingOf("warning", finding)),
  );
  byId("check-fields").replaceChildren(pixFields({ tipo: found.tipo, ...found.campos }));
}

function verdict(kind, words) {
  byId("check-verdict").dataset.kind = kind;
  say(byId("check-verdict"), words);
}

function findingOf(kind, finding) {
  return element(
    "div", { class: `finding ${kind}` },
    element("p", {}, element("strong", {}, `${text(kind)}: `), finding.detalhe),
    element("p", { class: "hint" }, element("code", {}, finding.regra), ` · ${finding.referencia}`),
  );
}
