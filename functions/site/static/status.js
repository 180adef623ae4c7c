// The service's status, refreshed while the page is visible: a line at the top, components and days below.

import { call } from "./api.js";
import { byId, element, say } from "./dom.js";
import { historyOf } from "./history.js";
import { asMoment, asMonth, asShare } from "./status-format.js";
import { text, textOrNone } from "./texts.js";

const EVERY_MILLISECONDS = 60_000;
const KNOWN = ["operational", "degraded", "down"];
const PARTS = ["pix", "cnpj", "armazenamento"]; // the others are sources of company records
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
  const report = ok && body ? body : {};
  const status = known(report.status);
  byId("status").dataset.kind = summaryOf(status, report.componentes ?? []) === "fresh" ? "unknown" : status;
  const parts = report.componentes ?? [];
  say(byId("status-text"), text(`status_${summaryOf(status, parts)}`));
  byId("uptime-parts").replaceChildren(...partsOf("state", PARTS.flatMap((name) => parts.filter(({ nome }) => nome === name))));
  byId("uptime-sources").replaceChildren(...partsOf("source", parts.filter(({ nome }) => !PARTS.includes(nome))));
  showDays(report.historico, report.verificado_em);
  if (byId("uptime-sla")) byId("uptime-sla").textContent = monthBesideGoal(report); // missing without a service level agreement
}

/** The status in words: "partly" where a source fails, "fresh" where no company was looked up lately. */
function summaryOf(status, parts) {
  if (status !== "operational") return status;
  if (parts.some((part) => part.status === "degraded" || part.status === "down")) return "partly";
  return parts.some((part) => part.nome === "cnpj" && part.status === "unknown") ? "fresh" : status;
}

function partsOf(kind, parts) {
  if (parts.length === 0) return [element("li", {}, text("status_unknown"))];
  return parts.map(({ nome, status, ultimo_sucesso: success }) => element(
    "li", { "data-kind": known(status) },
    element("strong", {}, textOrNone(`part_${nome}`) ?? nome),
    element("span", { class: "state" }, element("span", { class: "dot", "aria-hidden": "true" }), textOrNone(`${kind}_${known(status)}`) ?? text(`state_${known(status)}`)),
    element("span", { class: "hint" }, success ? text("last_success", { at: asMoment(success) }) : ""),
  ));
}

function monthBesideGoal({ historico: history, sla }) {
  if (!sla || !history) return text("sla_unknown");
  const values = { month: asMonth(sla.mes), goal: asShare(sla.meta) };
  if (sla.disponibilidade === null) return text("sla_none", values);
  return text("sla_known", { ...values, share: asShare(sla.disponibilidade) });
}

/** Render days only if they changed, to leave a table that is being read. */
function showDays(history, checked) {
  const now = checked ? new Date(checked) : new Date();
  const content = JSON.stringify([history, now.toDateString()]);
  if (content === shown) return;
  shown = content;
  const { summary, bars, table } = historyOf(history, now);
  byId("uptime-message").textContent = summary;
  byId("uptime-days").replaceChildren(...(bars ? [bars] : []));
  byId("uptime-table").replaceChildren(...(table ? [table] : []));
}
