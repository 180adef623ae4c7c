// Buttons that copy what another element holds: <button data-copy="id">.

import { byId } from "./dom.js";
import { text } from "./texts.js";

const SHOWN_MILLISECONDS = 1600;

/** Make every copy button under `root` work. */
export function enableCopying(root = document) {
  for (const button of root.querySelectorAll("[data-copy]")) {
    const label = button.textContent;
    button.addEventListener("click", async () => {
      await copy(byId(button.dataset.copy));
      button.textContent = text("copied");
      setTimeout(() => { button.textContent = label; }, SHOWN_MILLISECONDS);
    });
  }
}

async function copy(source) {
  const content = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(content);
  } catch {
    // No permission, or a page served without TLS: the selection does it the old way.
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    document.execCommand("copy");
  }
}
