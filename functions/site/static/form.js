// A form's content as the API's request.

// White space and zero-width characters, copied along from messages.
const AROUND = "[\\s\\u00AD\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]+";
const ENDS = new RegExp(`^${AROUND}|${AROUND}$`, "g");

/** Trim invisible characters at both ends alone. */
export const trimmed = (typed) => typed.replace(ENDS, "");

/** The filled-in fields by name; amounts with a decimal point. */
export function contentOf(form) {
  const content = {};
  for (const [name, typed] of new FormData(form)) {
    const value = trimmed(typed);
    if (value === "") continue;
    content[name] = name === "valor" ? asAmount(value) : asBoolean(value);
  }
  return content;
}

// 1.234,56 and 1234,5 are unambiguous; anything else is left to the API.
function asAmount(value) {
  const plain = value.replace(/^R\$\s*/, "");
  return /^(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(plain) ? plain.replace(/\./g, "").replace(",", ".") : plain;
}

const asBoolean = (value) => ({ true: true, false: false })[value] ?? value;
