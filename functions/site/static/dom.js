// Elements made by hand: no HTML is ever parsed from a string, so no answer can bring markup in.

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

/** Put words where they are read out; the same words put again would be read out again. */
export function say(place, words) {
  if (place.textContent !== words) place.textContent = words;
}

/** Run work now and whenever what a form holds may be other: typed, chosen, or brought back by the browser. */
export function onInput(form, work) {
  work();
  form.addEventListener("input", work);
  form.addEventListener("change", work);
  addEventListener("pageshow", work);
}

/** Lead the focus on from a form, unless it has gone elsewhere meanwhile; whether it was led. */
export function moveFocus(form, target) {
  const at = document.activeElement;
  const still = form.contains(at) || at.contains(form);
  if (still) target.focus();
  return still;
}

/** Run work while a button says that it is busy; a second press meanwhile does nothing. */
export async function whileBusy(button, work) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  try {
    await work();
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

/** `work`, put off until the calls have paused for some milliseconds. */
export function afterPause(milliseconds, work) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
