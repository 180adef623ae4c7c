// The card of a Pix code: its QR, the code to copy, and what is in it.

import { cardOf, heading } from "./card.js";
import { word } from "./card-texts.js";
import { element } from "./dom.js";
import { alertOf, pixFields } from "./fields.js";
import { asMoney } from "./format.js";
import { text } from "./texts.js";

export const show = cardOf((code, { content }) => {
  const amount = code.valor ? asMoney(code.valor) : text("payer_types");
  const changes = code.ajustes.map(({ de, para }) => `${de} → ${para}`).join("; ");
  const adjustments = changes && text("adjusted", { changes });
  const alerts = code.alertas.map(({ detalhe }) => detalhe);
  return {
    said: text("code_ready", { adjustments: [amount, adjustments, ...alerts].join(" ") }),
    content: [
      heading(code.nome_recebedor ?? text("tipo_dinamico")),
      element("p", { class: "amount" }, amount),
      ...code.alertas.map(alertOf),
      pictureOf(content, code),
      element(
        "div", { class: "copied" },
        element("input", { id: "code", readonly: true, value: code.brcode, spellcheck: "false", "aria-label": word("code") }),
        element("button", { type: "button", class: "button", "data-copy": "code", "aria-live": "polite" }, text("copy")),
      ),
      pixFields(code),
      element("p", { class: "hint" }, adjustments),
    ],
  };
});

/** The picture that came with the answer, drawn: hosts may let a card load no image, not even from its text. */
function pictureOf(content, code) {
  const picture = content?.find(({ type, mimeType }) => type === "image" && mimeType === "image/png");
  if (!picture) return without();
  const canvas = element("canvas", { role: "img", "aria-label": text("qr_label", { name: code.nome_recebedor ?? code.url }) });
  const shown = element("div", { class: "qr" }, canvas);
  draw(picture.data, canvas).catch(() => shown.replaceWith(without()));
  return shown;
}

const without = () => element("p", { class: "hint" }, word("no_picture"));

async function draw(data, canvas) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt());
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
}
