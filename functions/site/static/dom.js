// Elements are created one by one: no HTML is parsed, so no answer can inject markup.

export const byId = (id) => document.getElementById(id);

/** An element with attributes and children; text is text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** A list of terms; entries whose value is empty are left out. */
export function terms(entries) {
  const list = element("dl");
  for (const [term, value] of entries) {
    if (value === null || value === undefined || value === "") continue;
    list.append(element("div", {}, element("dt", {}, term), element("dd", {}, value)));
  }
  return list;
}

/** Set a live region's text; the same text is not announced again. */
export function say(place, words) {
  if (place.textContent !== words) place.textContent = words;
}

/** Run work now and whenever a form's content may change. */
export function onInput(form, work) {
  work();
  form.addEventListener("input", work);
  form.addEventListener("change", work);
  addEventListener("pageshow", work);
}

/** Move the focus from a form to a target. Return whether it was there. */
export function moveFocus(form, target) {
  const at = document.activeElement;
  const still = form.contains(at) || at.contains(form);
  if (still) target.focus();
  return still;
}

/** Run work while a button is shown as disabled; ignore presses meanwhile. */
export async function whileBusy(button, work) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  try {
    await work();
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

/** Return a debounced `work`. */
export function afterPause(milliseconds, work) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
