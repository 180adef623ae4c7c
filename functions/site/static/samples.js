// Code samples with the visitor's input and the key in use.

import { base, currentKey, onKeyChange } from "./api.js";
import { enableCopying, refill } from "./copy.js";
import { element } from "./dom.js";
import { WRITERS } from "./languages.js";
import { tabs } from "./tabs.js";
import { text } from "./texts.js";

/** Samples of the Pix call under `place`; returns a function that takes the form's content. */
export const pixSamples = (place) =>
  samples(place, (body) => ({
    path: "api/v1/skills/pix", body,
    python: "create_pix_code", typescript: "createPixCode", argument: body, shown: "brcode",
  }));

/** The call that looks up one company, for every writer. */
export const companyCall = (cnpj) => ({
  path: "api/v1/skills/cnpj", body: { cnpj },
  python: "company", typescript: "company", argument: cnpj, shown: "razao_social",
});

/** Samples of the look-up under `place`; returns a function that takes the number typed. */
export const companySamples = (place) => samples(place, companyCall);

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
  panel.removeAttribute("aria-label");
  panel.parentElement.querySelector("[data-copy]").before(list);
  onKeyChange(show);
  return show;
}

function samples(place, describe) {
  const code = element("code", { id: `${place.id}-code` });
  const panel = element("pre", { id: `${place.id}-panel`, tabindex: "0" }, code);
  const copy = element("button", { type: "button", class: "small", "data-copy": code.id }, text("copy"));
  place.append(
    element("figure", { class: "code" }, element("figcaption", {}, copy), panel),
    element("p", { class: "hint" }, text("samples_clients"), " ",
      element("a", { href: document.body.dataset.project }, text("samples_install"))),
  );
  let parts = null;
  const show = codeTabs(panel, text("samples"), WRITERS, () => parts);
  enableCopying(place);
  return (filled) => {
    parts = describe(filled);
    show();
  };
}
