// A box to check any code: read as it is typed, never counted.

import { call, demoKey } from "./api.js";
import { afterPause, byId, element } from "./dom.js";
import { pixFields } from "./fields.js";
import { clearProblem, showProblem } from "./problems.js";
import { text } from "./texts.js";

const PAUSE = 350;
// One digit of the amount was changed after the CRC was computed.
const EXAMPLE =
  "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540559.905802BR" +
  "5916Padaria Sao Joao6009Sao Paulo62070503***6304";

export function checkBox() {
  const form = byId("check-form");
  let running = new AbortController();

  async function check(submitted) {
    running.abort();
    running = new AbortController();
    const brcode = form.elements.brcode.value.trim();
    if (!brcode && !submitted) return forget(form);
    // Reading is free, so the public key does, whatever key the visitor has.
    const answer = await call("POST", "skills/pix/decode", { body: { brcode }, apiKey: demoKey, signal: running.signal })
      .catch(() => null);
    if (!answer) return;
    if (answer.ok) show(form, answer.body);
    else if (submitted) showProblem(form, answer.body);
  }

  form.elements.brcode.addEventListener("input", afterPause(PAUSE, () => check(false)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check(true);
  });
  byId("check-example").addEventListener("click", () => {
    form.elements.brcode.value = `${EXAMPLE}29C5`;
    check(true);
  });
}

function forget(form) {
  clearProblem(form);
  say("", text("check_empty"));
  byId("check-findings").replaceChildren();
  byId("check-fields").replaceChildren();
}

function show(form, found) {
  clearProblem(form);
  const warned = found.valido && found.alertas.length > 0;
  if (!found.valido) say("bad", text("check_invalid"));
  else say(warned ? "warned" : "good", text(warned ? "check_valid_warned" : "check_valid"));
  byId("check-findings").replaceChildren(
    ...found.erros.map((finding) => findingOf("error", finding)),
    ...found.alertas.map((finding) => findingOf("warning", finding)),
  );
  byId("check-fields").replaceChildren(pixFields({ tipo: found.tipo, ...found.campos }));
}

function say(kind, words) {
  byId("check-verdict").dataset.kind = kind;
  byId("check-verdict").textContent = words;
}

function findingOf(kind, finding) {
  return element(
    "div", { class: `finding ${kind}` },
    element("p", {}, element("strong", {}, `${text(kind)}: `), finding.detalhe),
    element("p", { class: "hint" }, element("code", {}, finding.regra), ` · ${finding.referencia}`),
  );
}
