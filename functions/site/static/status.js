// How the service is, kept fresh while somebody looks: a line at the top, its parts and its days below.

import { call } from "./api.js";
import { byId, element, say } from "./dom.js";
import { asMoment, asMonth, asShare } from "./format.js";
import { historyOf } from "./history.js";
import { text, textOrNone } from "./texts.js";

const EVERY_MILLISECONDS = 60_000;
const KNOWN = ["operational", "degraded", "down"];
const known = (status) => (KNOWN.includes(status) ? status : "unknown");
let shown = "";

export function showStatus() {
  refresh();
  setInterval(refresh, EVERY_MILLISECONDS);
  document.addEventListener("visibilitychange", refresh);
}

async function refresh() {
  if (document.hidden) return;
  const { ok, body } = await call("GET", "status", { apiKey: null });
  const told = ok && body ? body : {};
  const status = known(told.status);
  byId("status").dataset.kind = status;
  const parts = told.componentes ?? [];
  say(byId("status-text"), text(`status_${inWords(status, parts)}`));
  byId("uptime-parts").replaceChildren(...partsOf(parts));
  showDays(told.historico, told.verificado_em);
  if (byId("uptime-sla")) byId("uptime-sla").textContent = monthBesideGoal(told); // nothing is promised elsewhere
}

/** The service works although nothing is known of a source that nobody asked: then not all is said to. */
function inWords(status, parts) {
  const all = parts.every((part) => part.status === "operational");
  return status === "operational" && !all ? "partly" : status;
}

function partsOf(parts) {
  if (parts.length === 0) return [element("li", {}, text("status_unknown"))];
  return parts.map(({ nome, status, ultimo_sucesso: success }) => element(
    "li", { "data-kind": known(status) },
    element("strong", {}, textOrNone(`part_${nome}`) ?? nome),
    element("span", { class: "state" }, element("span", { class: "dot", "aria-hidden": "true" }), text(`state_${known(status)}`)),
    element("span", { class: "hint" }, success ? text("last_success", { at: asMoment(success) }) : ""),
  ));
}

function monthBesideGoal({ historico: history, sla }) {
  if (!sla || !history) return text("sla_unknown");
  const told = { month: asMonth(sla.mes), goal: asShare(sla.meta) };
  if (sla.disponibilidade === null) return text("sla_none", told);
  return text("sla_known", { ...told, share: asShare(sla.disponibilidade) });
}

/** Anew only where they are other: somebody may be reading the table. */
function showDays(history, checked) {
  const now = checked ? new Date(checked) : new Date();
  const told = JSON.stringify([history, now.toDateString()]);
  if (told === shown) return;
  shown = told;
  const { said, bars, table } = historyOf(history, now);
  byId("uptime-said").textContent = said;
  byId("uptime-days").replaceChildren(...(bars ? [bars] : []));
  byId("uptime-table").replaceChildren(...(table ? [table] : []));
}
