// One line on how the service is, kept fresh while somebody looks.

import { call } from "./api.js";
import { byId, say } from "./dom.js";
import { text } from "./texts.js";

const EVERY_MILLISECONDS = 60_000;
const KNOWN = ["operational", "degraded", "down"];

export function showStatus() {
  refresh();
  setInterval(refresh, EVERY_MILLISECONDS);
  document.addEventListener("visibilitychange", refresh);
}

async function refresh() {
  if (document.hidden) return;
  const answer = await call("GET", "status", { apiKey: null });
  const status = KNOWN.includes(answer.body.status) ? answer.body.status : "unknown";
  byId("status").dataset.kind = status;
  say(byId("status-text"), text(`status_${status}`));
}
