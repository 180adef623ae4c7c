// The page's texts in its language, embedded in the page.

const texts = JSON.parse(document.getElementById("texts").textContent);

/** A text with `{name}` replaced by a value. */
export function text(name, values = {}) {
  return texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

/** A text that exists for some values of the API only, or `null`. */
export const textOrNone = (name) => texts[name] ?? null;

export const language = texts.language;
