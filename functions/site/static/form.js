// What a form holds, as the API takes it.

// White space, and the marks without width that come along from messages and phone books.
const AROUND = "[\\s\\u00AD\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]+";
const ENDS = new RegExp(`^${AROUND}|${AROUND}$`, "g");

/** What was typed or pasted, without what nobody sees at its ends; inside it may belong to the value. */
export const trimmed = (typed) => typed.replace(ENDS, "");

/** The filled-in fields by name; an amount with a decimal comma is written with a point. */
export function contentOf(form) {
  const content = {};
  for (const [name, typed] of new FormData(form)) {
    const value = trimmed(typed);
    if (value === "") continue;
    content[name] = name === "valor" ? asAmount(value) : asBoolean(value);
  }
  return content;
}

// 1.234,56 and 1234,5 have one reading only; anything else is left for the API to judge.
function asAmount(value) {
  const plain = value.replace(/^R\$\s*/, "");
  return /^(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(plain) ? plain.replace(/\./g, "").replace(",", ".") : plain;
}

const asBoolean = (value) => ({ true: true, false: false })[value] ?? value;
