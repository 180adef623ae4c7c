// A sample call in several languages, and its real answer with the time it took.

import { base, call, demoKey } from "./api.js";
import { byId } from "./dom.js";
import { WRITERS } from "./languages.js";
import { codeTabs, companyCall } from "./samples.js";
import { text } from "./texts.js";

const COMPANY = "SANDBOX1000170"; // a test company: never counted
const SHOWN = ["cnpj", "razao_social", "situacao_cadastral", "cnae_principal", "endereco", "socios", "fonte"];

const curl = ({ key }) => `curl ${base}api/v1/skills/cnpj/${COMPANY} \\\n  -H 'X-API-Key: ${key}'`;

export function firstCall() {
  const { Python, TypeScript, MCP } = WRITERS;
  codeTabs(byId("hero-panel"), text("first_call"), { curl, Python, TypeScript, MCP }, () => companyCall(COMPANY));
  ask();
}

/** Replace the example answer of the page by a real one, if there is a demo key. */
async function ask() {
  if (!demoKey) return;
  const started = performance.now();
  const { ok, status, body } = await call("GET", `skills/cnpj/${COMPANY}`, { apiKey: demoKey });
  const ms = Math.round(performance.now() - started);
  if (!ok) return;
  byId("hero-answer").textContent = shortened(body);
  byId("hero-measured").textContent = text("measured", { status, ms });
}

/** A record as JSON with "…" for what is left out. */
function shortened(record) {
  const lines = SHOWN.filter((name) => name in record).map((name) => `  "${name}": ${brief(record[name])},`);
  return ["{", ...lines, "  …", "}"].join("\n");
}

const ROOM = 40; // characters of an object's fields that fit beside a name

function brief(value) {
  if (Array.isArray(value)) return value.length > 1 ? `[${brief(value[0])}, …]` : JSON.stringify(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `"${name}": ${JSON.stringify(inner)}`);
  let kept = 1;
  while (kept < fields.length && fields.slice(0, kept + 1).join(", ").length <= ROOM) kept += 1;
  return `{${fields.slice(0, kept).join(", ")}${kept < fields.length ? ", …" : ""}}`;
}
