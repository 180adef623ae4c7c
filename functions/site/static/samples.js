// Code that repeats what the visitor has typed, with the key in use.

import { base, currentKey, onKeyChange } from "./api.js";
import { enableCopying, refill } from "./copy.js";
import { byId, element } from "./dom.js";
import { WRITERS } from "./languages.js";
import { tabs } from "./tabs.js";
import { text } from "./texts.js";

const FIRST_CALL = "SANDBOX1000170";

/** Samples of the Pix call under `place`; returns a function that takes the form's content. */
export const pixSamples = (place) =>
  samples(place, (body) => ({
    path: "api/v1/skills/pix", tool: "create_pix_code", body,
    python: "create_pix_code", typescript: "createPixCode", argument: body, shown: "brcode",
  }));

/** Samples of the look-up under `place`; returns a function that takes the number typed. */
export const companySamples = (place) =>
  samples(place, (cnpj) => ({
    path: "api/v1/skills/cnpj", tool: "look_up_company", body: { cnpj },
    python: "company", typescript: "company", argument: cnpj, shown: "razao_social",
  }));

/** The shortest call that works, for the top of the page. */
export function showFirstCall() {
  const show = () => {
    refill(byId("hero-code"), `curl ${base}api/v1/skills/cnpj/${FIRST_CALL} \\\n  -H 'X-API-Key: ${shownKey()}'`);
  };
  show();
  onKeyChange(show);
}

const shownKey = () => currentKey() || text("your_key");

function samples(place, describe) {
  const code = element("code", { id: `${place.id}-code` });
  const panel = element("pre", { id: `${place.id}-panel`, role: "tabpanel", tabindex: "0" }, code);
  let language = "";
  let content;
  const show = () => {
    if (content === undefined) return;
    refill(code, WRITERS[language]({ base, key: shownKey(), ...describe(content) }));
  };
  const list = tabs(text("samples"), Object.keys(WRITERS), panel, (name) => {
    language = name;
    show();
  });
  const copy = element("button", { type: "button", class: "small", "data-copy": code.id }, text("copy"));
  place.append(
    element("figure", { class: "code" }, element("figcaption", {}, element("span", {}, text("samples")), list, copy), panel),
    element("p", { class: "hint" }, text("samples_clients"), " ",
      element("a", { href: document.body.dataset.project }, text("samples_install"))),
  );
  enableCopying(place);
  onKeyChange(show);
  return (filled) => {
    content = filled;
    show();
  };
}
