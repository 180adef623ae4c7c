// Availability by day: ninety bars, and a table of the days with calls.

import { element } from "./dom.js";
import { asDate, asNumber } from "./format.js";
import { asShare } from "./status-format.js";
import { text } from "./texts.js";

const DAYS = 90;
const DAY = 86_400_000;
const TOP = 40;
const HEIGHTS = { good: TOP, warned: 30, bad: 18, none: 4 };
const GOOD = 0.999; // minimum availability
const WARNED = 0.99;
const FEW = 4; // failures that alone make no day bad

const inBrasilia = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" });

/** Summary, bars and table of the API's `historico` at an instant; `null` where nothing is known. */
export function historyOf(history, instant) {
  if (!Array.isArray(history)) return { summary: text("days_unknown"), bars: null, table: null };
  const byDay = new Map(history.map((day) => [day.dia, day]));
  const days = lastDays(instant).map((day) => byDay.get(day) ?? { dia: day, chamadas: 0 });
  const called = days.filter(({ chamadas }) => chamadas > 0);
  const summary = called.length === 0 ? text("days_none") : text("days_said", {
    days: called.length, calls: asNumber(sum(called, "chamadas")), failures: asNumber(sum(called, "falhas")),
  });
  return { summary, bars: called.length ? barsOf(days, summary) : null, table: called.length ? tableOf(called) : null };
}

const sum = (days, name) => days.reduce((total, day) => total + day[name], 0);

/** The days of Brasília up to that of an instant, as ISO dates, the oldest first. */
function lastDays(instant) {
  const today = Date.parse(inBrasilia.format(instant));
  return Array.from({ length: DAYS }, (_, at) => new Date(today - (DAYS - 1 - at) * DAY).toISOString().slice(0, 10));
}

function kindOf({ chamadas, falhas, disponibilidade }) {
  if (!chamadas) return "none";
  return disponibilidade >= GOOD ? "good" : disponibilidade >= WARNED || falhas <= FEW ? "warned" : "bad";
}

function titleOf({ dia, chamadas, falhas, disponibilidade }) {
  const day = asDate(dia);
  if (!chamadas) return text("day_none", { day });
  return text("day_title", { day, calls: asNumber(chamadas), failures: asNumber(falhas), share: asShare(disponibilidade) });
}

function barsOf(days, label) {
  const bars = svg("svg", { viewBox: `0 0 ${DAYS * 10} ${TOP}`, preserveAspectRatio: "none", role: "img", "aria-label": label });
  bars.append(...days.map((day, at) => {
    const kind = kindOf(day);
    const bar = svg("rect", { x: at * 10 + 1, y: TOP - HEIGHTS[kind], width: 8, height: HEIGHTS[kind], class: kind });
    const title = svg("title", {});
    title.textContent = titleOf(day);
    bar.append(title);
    return bar;
  }));
  return bars;
}

function svg(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function tableOf(days) {
  const heads = ["day", "calls", "failures", "answered"].map((name) => element("th", { scope: "col" }, text(name)));
  const rows = [...days].reverse().map(({ dia, chamadas, falhas, disponibilidade }) => element(
    "tr", {}, element("th", { scope: "row" }, asDate(dia)),
    ...[asNumber(chamadas), asNumber(falhas), asShare(disponibilidade)].map((value) => element("td", {}, value)),
  ));
  return element(
    "details", {}, element("summary", {}, text("days_table")),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": text("days_table") },
      element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))),
  );
}
