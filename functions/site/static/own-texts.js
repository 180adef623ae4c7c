// Texts of parts that are loaded when they are opened.

import { language } from "./texts.js";

/** Return a function that returns a text by its name, with values in place of `{…}`. */
export function textsOf(portuguese, english) {
  const texts = language === "en" ? english : portuguese;
  return (name, values = {}) => texts[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}
