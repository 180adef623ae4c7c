// Tabs by the ARIA pattern: arrows, Home and End move the focus and select.

import { element } from "./dom.js";

/** A row of tabs over a panel; `choose` is called with the selected one's name. */
export function tabs(label, names, panel, choose) {
  const list = element("div", { role: "tablist", "aria-label": label });
  const made = names.map((name) => element(
    "button", { type: "button", role: "tab", id: `${panel.id}-${name}`.toLowerCase().replaceAll(" ", "-"), "aria-controls": panel.id }, name,
  ));
  list.append(...made);

  function take(tab) {
    for (const other of made) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", tab.id);
    choose(tab.textContent);
  }

  list.addEventListener("click", ({ target }) => made.includes(target) && take(target));
  list.addEventListener("keydown", (event) => {
    const at = made.indexOf(event.target);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const next = made.at(steps[event.key] % made.length);
    next.focus();
    take(next);
  });
  take(made[0]);
  return list;
}
