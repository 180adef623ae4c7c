// The official TypeScript client: `node client.mjs URL KEY legacy|auto`.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, key, mode] = process.argv.slice(2);
const code = { chave: "pix@exemplo.com.br", valor: 10, nome_recebedor: "Padaria", cidade: "São Paulo" };

const capabilities = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };

async function visit(headers, use) {
  const client = new Client({ name: "brskills-test", version: "1" }, { capabilities, versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  assert.equal(client.getNegotiatedProtocolVersion(), { legacy: "2025-11-25", auto: "2026-07-28" }[mode]);
  const call = (name, args = {}) => client.callTool({ name, arguments: args });
  await use(client, call);
  await client.close();
}

async function readDocuments(client) {
  const uri = "skill://cobrar-por-pix/SKILL.md";
  assert((await client.listResources()).resources.some((resource) => resource.uri === uri));
  assert.match((await client.readResource({ uri })).contents[0].text, /create_pix_code/);
  assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
  const name = "acompanhar-fornecedores";
  assert((await client.listPrompts()).prompts.some((prompt) => prompt.name === name));
  const typed = { name: "municipio", value: "são paulo" };
  const { completion } = await client.complete({ ref: { type: "ref/prompt", name }, argument: typed });
  const municipio = completion.values[0];
  assert.equal(municipio, "3550308 SAO PAULO/SP");
  const prompt = await client.getPrompt({ name, arguments: { fornecedores: "Padaria", municipio } });
  assert.match(prompt.messages[0].content.text, /"municipio": "3550308"/);
}

await visit({}, async (client, call) => {
  const { tools } = await client.listTools();
  const cards = tools.flatMap((tool) => tool._meta.ui?.resourceUri ?? []);
  assert.deepEqual(cards, ["pix", "payee", "company"].map((name) => `ui://brskills/${name}.html`));
  const names = tools.map((tool) => tool.name);
  const watches = ["watch_companies", "list_watches", "unwatch_company", "list_changes"];
  const pix = ["create_pix_code", "decode_pix_code", "check_pix_payee"];
  assert.deepEqual(names, [...pix, "look_up_company", ...watches, "get_usage", "look_up_companies"]);
  const refusal = await call("get_usage");
  assert.equal(refusal.isError, true);
  assert.equal(refusal.structuredContent.code, "missing_api_key");
  await readDocuments(client);
});

await visit({ "X-API-Key": key }, async (client, call) => {
  const made = await call("create_pix_code", code);
  assert.equal(made.structuredContent.valor, "10.00");
  assert.deepEqual(made.content.map((part) => part.type), ["text", "image"]);
  const read = await call("decode_pix_code", { brcode: made.structuredContent.brcode });
  assert.equal(read.structuredContent.valido, true);
  const payee = await call("check_pix_payee", { chave: "SANDBOX1000170", nome_recebedor: "Exemplo" });
  assert.equal(payee.structuredContent.evidencia.fonte, "sandbox");
  const company = await call("look_up_company", { cnpj: "SANDBOX1000170" });
  assert.equal(company.structuredContent.fonte, "sandbox");
  const found = await call("search_companies", { nome: ["SANDBOX"] });
  assert.equal(found.structuredContent.total, 3);
  const wrong = await call("create_pix_code", { ...code, valor: "10.001" });
  assert.equal(wrong.structuredContent.errors[0].code, "too_many_decimals");
});

await visit({ Authorization: `Bearer ${key}` }, async (client, call) => {
  assert.equal((await call("get_usage")).structuredContent.plano, "free");
});
