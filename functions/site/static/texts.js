// The page's texts in its language, brought by the page itself.

const texts = JSON.parse(document.getElementById("texts").textContent);

/** A text, with `{name}` replaced by the values given. */
export function text(name, values = {}) {
  return texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

/** A text that only some values of the API have; `null` for the others. */
export const textOrNone = (name) => texts[name] ?? null;

export const language = texts.language;
