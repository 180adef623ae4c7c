// Buttons that copy what another element holds: <button data-copy="id">.

import { byId } from "./dom.js";
import { text } from "./texts.js";

const SHOWN_MILLISECONDS = 1600;

/** Make every copy button under `root` work. */
export function enableCopying(root = document) {
  for (const button of root.querySelectorAll("[data-copy]")) {
    const source = byId(button.dataset.copy);
    const label = button.textContent;
    let timer;
    const say = (words) => {
      clearTimeout(timer);
      button.textContent = words;
    };
    button.addEventListener("click", async () => {
      const content = contentOf(source);
      const copied = await copy(source);
      if (contentOf(source) !== content) return;
      say(text(copied ? "copied" : "not_copied"));
      timer = setTimeout(say, SHOWN_MILLISECONDS, label);
    });
    source.addEventListener("refill", () => say(label));
  }
}

/** Replace what can be copied, and reset its button's "copied". */
export function refill(source, content) {
  if (contentOf(source) === content) return;
  source["value" in source ? "value" : "textContent"] = content;
  source.dispatchEvent(new Event("refill"));
}

const contentOf = (source) => source.value ?? source.textContent;

async function copy(source) {
  try {
    await navigator.clipboard.writeText(contentOf(source));
    return true;
  } catch {
    // No permission, or a page without TLS: copy the selection, or leave it selected.
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    return document.execCommand("copy");
  }
}
