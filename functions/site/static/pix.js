// A Pix code with its QR, validated while typing, counted when submitted.

import { keepAnswer } from "./answers.js";
import { call, unreachable } from "./api.js";
import { refill } from "./copy.js";
import { byId, element, onInput, say } from "./dom.js";
import { checkWhileTyping } from "./draft.js";
import { alertOf } from "./fields.js";
import { contentOf } from "./form.js";
import { download, imageOf, SCALES, sideOf, svgOf } from "./qr.js";
import { pixSamples } from "./samples.js";
import { text } from "./texts.js";

const PATH = "skills/pix";
const EXAMPLE = JSON.parse(byId("pix-answer").textContent);
const EXAMPLE_REQUEST = Object.fromEntries(["chave", "valor", "nome_recebedor", "cidade"].map((name) => (
  [name, EXAMPLE.ajustes.find(({ campo }) => campo === name)?.de ?? EXAMPLE[name]]
)));
const EXAMPLE_PICTURE = byId("pix-qr").firstElementChild;
let revealed = null; // the answer whose picture was last brought into view
const SHOWN_LETTERS = EXAMPLE.qr.length;

export function pixForm() {
  const form = byId("pix-form");
  const input = () => contentOf(form);
  const samples = pixSamples(byId("pix-samples-panel"));
  onInput(form, () => samples(input()));
  checkWhileTyping(form, PATH);
  const answer = keepAnswer(form, {
    input,
    ask,
    show,
    hide,
    result: byId("pix-result"),
    words: { changed: text("pix_changed"), refused: text("refused") },
  });
  answer.offer({ ...EXAMPLE_REQUEST, qr: "svg" }, { ok: true, body: EXAMPLE, measured: text("example") });
}

async function ask(body, by) {
  const started = performance.now();
  const answer = await call("POST", PATH, { body, ...by });
  const ms = Math.round(performance.now() - started);
  const svg = answer.ok ? svgOf(answer.body) : null;
  return { ...answer, svg, measured: answer.status ? text("measured", { status: answer.status, ms }) : "" };
}

function show(answer) {
  const { body: code, svg, measured, status } = answer;
  const picture = svg ? imageOf(svg, text("qr_label", { name: code.nome_recebedor })) : EXAMPLE_PICTURE;
  byId("pix-qr").replaceChildren(picture);
  refill(byId("pix-code"), code.brcode);
  showAnswer(code, measured);
  if (svg) offerPictures(svg, sideOf(svg, code));
  const adjustments = adjustmentsOf(code);
  byId("pix-notes").replaceChildren(...code.alertas.map(alertOf), element("p", { class: "hint" }, adjustments));
  const alerts = code.alertas.map(({ detalhe }) => detalhe);
  // The example of the page is announced to nobody.
  say(byId("pix-message"), status ? text("code_ready", { adjustments: [adjustments, ...alerts].join(" ") }) : "");
  enableControls(true, svg);
  // Once an answer: it is shown again whenever an edit is taken back. The focus stays, and motion is the style sheet's.
  if (status && revealed !== answer) byId("pix-qr").scrollIntoView({ block: "nearest" });
  revealed = answer;
}

// Removed, not dimmed: a camera reads a dimmed QR.
function hide(words, refusal) {
  byId("pix-qr").replaceChildren(element("p", {}, words));
  refill(byId("pix-code"), "");
  if (refusal?.measured) showAnswer(refusal.body, refusal.measured);
  else showAnswer(null, "");
  byId("pix-notes").replaceChildren();
  say(byId("pix-message"), words);
  enableControls(false, null);
}

function showAnswer(body, measured) {
  refill(byId("pix-answer"), body ? JSON.stringify(body, shorten, 2) : "");
  byId("pix-measured").textContent = measured;
  document.querySelector("[data-copy=pix-answer]").disabled = !body;
}

// Thousands of letters in one line would hide the rest of the answer.
const shorten = (name, value) => (
  name === "qr" && value.length > SHOWN_LETTERS ? `${value.slice(0, SHOWN_LETTERS - 1)}…` : value
);

/** Name the sizes of the picture in pixels, and let the buttons save it. */
function offerPictures(svg, side) {
  const size = byId("pix-size");
  const chosen = size.length > 1 ? size.selectedIndex : 1;
  size.replaceChildren(...SCALES.map((scale) => element("option", { value: side * scale }, `${side * scale} px`)));
  size.selectedIndex = chosen;
  for (const button of document.querySelectorAll("[data-download]")) {
    button.onclick = () => download(svg, button.dataset.download, size.value);
  }
}

// The example's picture is not for download.
function enableControls(code, svg) {
  document.querySelector("[data-copy=pix-code]").disabled = !code;
  for (const control of document.querySelector(".download").children) control.disabled = !svg;
}

function adjustmentsOf(code) {
  const changes = code.ajustes.map(({ de, para }) => `${de} → ${para}`).join("; ");
  return changes && text("adjusted", { changes });
}
