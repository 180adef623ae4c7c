// The form that checks a code: decoded while typing, never counted.

import { keepAnswer } from "./answers.js";
import { call, currentKey, demoKey } from "./api.js";
import { afterPause, byId, element, onInput, say } from "./dom.js";
import { pixFields } from "./fields.js";
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
    show({ body }) {
      show(body);
      offerPayee(body.campos.tipo_chave === "cnpj" ? input() : null);
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
  for (const [id, code] of [["check-example", INVALID], ["check-company", COMPANY]]) {
    byId(id).addEventListener("click", () => {
      form.elements.brcode.value = code;
      answer.ask();
    });
  }
}

function hide(words) {
  showResult("", words || text("check_empty"));
  byId("check-findings").replaceChildren();
  byId("check-fields").replaceChildren();
}

function show(found) {
  const warned = found.valido && found.alertas.length > 0;
  const other = found.erros[0]?.regra === "not_a_pix_code";
  if (!found.valido) showResult("bad", other ? text("check_other") : text("check_invalid"));
  else showResult(warned ? "warned" : "good", text(warned ? "check_valid_warned" : "check_valid"));
  byId("check-findings").replaceChildren(
    ...found.erros.map((finding) => findingOf("error", finding)),
    ...found.alertas.map((finding) => findingOf("warning", finding)),
  );
  byId("check-fields").replaceChildren(pixFields({ tipo: found.tipo, ...found.campos }));
}

function showResult(kind, words) {
  byId("check-outcome").dataset.kind = kind;
  say(byId("check-outcome"), words);
}

function findingOf(kind, finding) {
  return element(
    "div", { class: `finding ${kind}` },
    element("p", {}, element("strong", {}, `${text(kind)}: `), finding.detalhe),
    element("p", { class: "hint" }, element("code", {}, finding.regra), ` · ${finding.referencia}`),
  );
}
