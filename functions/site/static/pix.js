// The Pix form: validated while typing, counted when submitted.

import { keepAnswer } from "./answers.js";
import { call, unreachable } from "./api.js";
import { refill } from "./copy.js";
import { byId, element, onInput, say } from "./dom.js";
import { checkWhileTyping } from "./draft.js";
import { alertOf, pixFields } from "./fields.js";
import { contentOf } from "./form.js";
import { pixSamples } from "./samples.js";
import { text } from "./texts.js";

const PATH = "skills/pix";

export function pixForm() {
  const form = byId("pix-form");
  const input = () => contentOf(form);
  const samples = pixSamples(byId("pix-samples"));
  onInput(form, () => samples(input()));
  checkWhileTyping(form, PATH);
  keepAnswer(form, {
    input,
    ask,
    show,
    hide: hideAfter(byId("pix-qr").firstElementChild),
    result: byId("pix-result"),
    words: { changed: text("pix_changed"), refused: text("refused") },
  });
}

/** Call the API; the QR module is loaded first, so that nothing is counted without it. */
async function ask(body, by) {
  const drawing = await import("./qr.js").catch(() => null);
  return drawing ? { ...(await call("POST", PATH, { body, ...by })), drawing } : unreachable;
}

function show({ body: code, drawing }) {
  const svg = drawing.qrOf(code.brcode, text("qr_label", { name: code.nome_recebedor }));
  const adjustments = adjustmentsOf(code);
  byId("pix-qr").replaceChildren(svg);
  refill(byId("pix-code"), code.brcode);
  byId("pix-fields").replaceChildren(
    ...code.alertas.map(alertOf), pixFields(code), element("p", { class: "hint" }, adjustments),
  );
  const alerts = code.alertas.map(({ detalhe }) => detalhe);
  say(byId("pix-message"), text("code_ready", { adjustments: [adjustments, ...alerts].join(" ") }));
  enableButtons(true);
  byId("pix-download").onclick = () => drawing.download(svg, "pix.svg");
}

// Removed, not dimmed: a camera reads a dimmed QR.
const hideAfter = (first) => (words) => {
  byId("pix-qr").replaceChildren(words ? element("p", {}, words) : first);
  refill(byId("pix-code"), "");
  byId("pix-fields").replaceChildren();
  say(byId("pix-message"), words);
  enableButtons(false);
};

function enableButtons(enabled) {
  for (const button of byId("pix-result").querySelectorAll("button")) button.disabled = !enabled;
}

function adjustmentsOf(code) {
  const changes = code.ajustes.map(({ de, para }) => `${de} → ${para}`).join("; ");
  return changes && text("adjusted", { changes });
}
