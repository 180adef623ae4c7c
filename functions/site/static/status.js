// One line on how the service is, kept fresh while somebody looks.

import { call } from "./api.js";
import { byId } from "./dom.js";
import { text } from "./texts.js";

const EVERY_MILLISECONDS = 60_000;
const KNOWN = ["operational", "degraded", "down"];

export async function showStatus() {
  if (!document.hidden) {
    const answer = await call("GET", "status", { apiKey: null });
    const status = KNOWN.includes(answer.body.status) ? answer.body.status : "unknown";
    const said = text(`status_${status}`);
    byId("status").dataset.kind = status;
    // Said again, an unchanged line would be read out again.
    if (byId("status-text").textContent !== said) byId("status-text").textContent = said;
  }
  setTimeout(showStatus, EVERY_MILLISECONDS);
}
