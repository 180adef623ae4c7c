// Writes what the page shows in its tab "TypeScript" into files of this folder.
import { writeFileSync } from "node:fs";

// @ts-expect-error the page's scripts have no types
import { WRITERS } from "./languages.js";

const { BRSKILLS_URL: base, DEMO_KEY: key } = process.env;
const charge = { chave: "pix@exemplo.com.br", valor: "49.90", nome_recebedor: "Padaria", cidade: "Recife", estrito: true };
for (const [name, call] of [
  ["pix", { typescript: "createPixCode", argument: charge, shown: "brcode" }],
  ["cnpj", { typescript: "company", argument: "SANDBOX1000170", shown: "razao_social" }],
] as const) {
  writeFileSync(`sample-${name}.ts`, WRITERS.TypeScript({ base, key, ...call }));
}
