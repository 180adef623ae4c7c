// Code samples with the visitor's input and the key in use.

import { base, currentKey, onKeyChange } from "./api.js";
import { refill } from "./copy.js";
import { WRITERS } from "./languages.js";
import { tabs } from "./tabs.js";
import { text } from "./texts.js";

/** Samples of the Pix call; returns a function that takes the form's content. */
export const pixSamples = (panel) =>
  samples(panel, (body) => ({
    path: "api/v1/skills/pix", body,
    python: "create_pix_code", typescript: "createPixCode", argument: body, shown: "brcode",
  }));

/** Samples of the look-up; returns a function that takes the number. */
export const companySamples = (panel) =>
  samples(panel, (cnpj) => ({
    path: "api/v1/skills/cnpj", body: { cnpj },
    python: "company", typescript: "company", argument: cnpj, shown: "razao_social",
  }));

/**
 * Insert tabs before the copy button of `panel`'s figure, one for each of `writers` (name to a function from
 * `{base, key, …call()}` to code); `call()` may be `null`. Return a function that updates the code, which
 * also happens with another key.
 */
export function codeTabs(panel, label, writers, call) {
  const code = panel.firstElementChild;
  let chosen;
  const show = () => {
    const parts = call();
    if (parts) refill(code, writers[chosen]({ base, key: currentKey() || text("your_key"), ...parts }));
  };
  const list = tabs(label, Object.keys(writers), panel, (name) => {
    chosen = name;
    show();
  });
  panel.setAttribute("role", "tabpanel");
  panel.parentElement.querySelector("[data-copy]").before(list);
  onKeyChange(show);
  return show;
}

function samples(panel, describe) {
  let parts = null;
  const show = codeTabs(panel, text("samples"), WRITERS, () => parts);
  return (filled) => {
    parts = describe(filled);
    show();
  };
}
