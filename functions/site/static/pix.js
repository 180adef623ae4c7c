// The Pix form: checked freely while it is filled in, counted once when it is submitted.

import { call } from "./api.js";
import { byId, whileBusy } from "./dom.js";
import { checkWhileTyping } from "./draft.js";
import { pixFields } from "./fields.js";
import { contentOf } from "./form.js";
import { clearProblem, showProblem } from "./problems.js";
import { pixSamples } from "./samples.js";
import { text } from "./texts.js";

const PATH = "skills/pix";

export function pixForm() {
  const form = byId("pix-form");
  const samples = pixSamples(byId("pix-samples"));
  const showSamples = () => samples(contentOf(form));
  showSamples();
  form.addEventListener("input", showSamples);
  checkWhileTyping(form, PATH);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    whileBusy(form.querySelector(".submit button"), () => submit(form));
  });
}

async function submit(form) {
  byId("pix-said").textContent = text("working");
  // The drawing is fetched when it is first needed, while the API works.
  const [answer, { qrOf, download }] = await Promise.all([
    call("POST", PATH, { body: contentOf(form) }),
    import("./qr.js"),
  ]);
  if (!answer.ok) {
    byId("pix-said").textContent = "";
    showProblem(form, answer.body);
    return;
  }
  clearProblem(form);
  const code = answer.body;
  const svg = qrOf(code.brcode, text("qr_label", { name: code.nome_recebedor }));
  byId("pix-qr").replaceChildren(svg);
  byId("pix-code").value = code.brcode;
  byId("pix-fields").replaceChildren(pixFields(code), adjustmentsOf(code));
  byId("pix-said").textContent = text("code_ready", { adjustments: adjustmentsOf(code).textContent });
  for (const button of byId("pix-result").querySelectorAll("button")) button.disabled = false;
  byId("pix-download").onclick = () => download(svg, "pix.svg");
}

function adjustmentsOf(code) {
  const said = document.createElement("p");
  said.className = "hint";
  const changes = code.ajustes.map(({ de, para }) => `${de} → ${para}`).join("; ");
  if (changes) said.textContent = text("adjusted", { changes });
  return said;
}
