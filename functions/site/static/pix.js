// The call at the top: a Pix code with its QR, validated while typing, counted when submitted.

import { keepAnswer } from "./answers.js";
import { call, unreachable } from "./api.js";
import { refill } from "./copy.js";
import { byId, element, onInput, say } from "./dom.js";
import { checkWhileTyping } from "./draft.js";
import { alertOf } from "./fields.js";
import { contentOf } from "./form.js";
import { pixSamples } from "./samples.js";
import { text } from "./texts.js";

const PATH = "skills/pix";
const EXAMPLE = JSON.parse(byId("pix-answer").textContent);
const EXAMPLE_REQUEST = Object.fromEntries(["chave", "valor", "nome_recebedor", "cidade"].map((name) => (
  [name, EXAMPLE.ajustes.find(({ campo }) => campo === name)?.de ?? EXAMPLE[name]]
)));

export async function pixForm() {
  const form = byId("pix-form");
  const input = () => contentOf(form);
  const samples = pixSamples(byId("pix-samples-panel"));
  onInput(form, () => samples(input()));
  checkWhileTyping(form, PATH);
  const answer = keepAnswer(form, {
    input,
    ask,
    show,
    hide: hideAfter(byId("pix-qr").firstElementChild),
    result: byId("pix-result"),
    words: { changed: text("pix_changed"), refused: text("refused") },
  });
  const drawing = await load();
  if (drawing) answer.offer(EXAMPLE_REQUEST, { ok: true, body: EXAMPLE, drawing, measured: text("example") });
}

/** The module that draws, or `null`; once it failed, browsers load it again. */
const load = () => import("./qr.js").catch(() => null);

/** Call the API; the QR module is loaded first, so that nothing is counted without it. */
async function ask(body, by) {
  const drawing = await load();
  if (!drawing) return unreachable;
  const started = performance.now();
  const answer = await call("POST", PATH, { body, ...by });
  const ms = Math.round(performance.now() - started);
  return { ...answer, drawing, measured: answer.status ? text("measured", { status: answer.status, ms }) : "" };
}

function show({ body: code, drawing, measured, status }) {
  byId("pix-qr").replaceChildren(drawing.qrOf(code.brcode, text("qr_label", { name: code.nome_recebedor })));
  refill(byId("pix-code"), code.brcode);
  showAnswer(code, measured);
  offerPictures(drawing, code.brcode);
  const adjustments = adjustmentsOf(code);
  byId("pix-notes").replaceChildren(...code.alertas.map(alertOf), element("p", { class: "hint" }, adjustments));
  const alerts = code.alertas.map(({ detalhe }) => detalhe);
  // The example of the page is announced to nobody.
  say(byId("pix-message"), status ? text("code_ready", { adjustments: [adjustments, ...alerts].join(" ") }) : "");
  enableControls(true);
}

// Removed, not dimmed: a camera reads a dimmed QR.
const hideAfter = (first) => (words, refusal) => {
  byId("pix-qr").replaceChildren(words ? element("p", {}, words) : first);
  refill(byId("pix-code"), "");
  if (refusal?.measured) showAnswer(refusal.body, refusal.measured);
  else showAnswer(null, "");
  byId("pix-notes").replaceChildren();
  say(byId("pix-message"), words);
  enableControls(false);
};

function showAnswer(body, measured) {
  refill(byId("pix-answer"), body ? JSON.stringify(body, null, 2) : "");
  byId("pix-measured").textContent = measured;
  document.querySelector("[data-copy=pix-answer]").disabled = !body;
  document.querySelector("[data-copy=pix-answer]").disabled = !body;
  document.querySelector("[data-copy=pix-answer]").disabled = !body;
}

/** Name the sizes of the picture in pixels, and let the buttons save it. */
function offerPictures(drawing, brcode) {
  const size = byId("pix-size");
  const { selectedIndex } = size;
  size.replaceChildren(...drawing.SCALES.map((scale) => (
    element("option", { value: scale }, `${drawing.sideOf(brcode) * scale} px`)
  )));
  size.selectedIndex = selectedIndex < 0 ? 1 : selectedIndex;
  for (const button of document.querySelectorAll("[data-download]")) {
    button.onclick = () => drawing.download(brcode, button.dataset.download, Number(size.value));
  }
}

function enableControls(enabled) {
  for (const control of byId("pix-result").querySelectorAll(".picture :is(button, select)")) control.disabled = !enabled;
}

function adjustmentsOf(code) {
  const changes = code.ajustes.map(({ de, para }) => `${de} → ${para}`).join("; ");
  return changes && text("adjusted", { changes });
}
