// Is compiled, never run: what the compiler must know of the package, and what it must refuse.
import type { IncomingMessage } from "node:http";

import { type Batch, Client, type Company, CompanyNotFound, type PixCode, ProblemError, verifyWebhook } from "brskills";

const client = new Client();
const charge = { chave: "pix@exemplo.com.br", nome_recebedor: "Padaria", cidade: "Recife" };

const code: PixCode = await client.createPixCode({ ...charge, valor: "49.90", estrito: true });
const reasons: ("transliterado" | "truncado" | "removido" | "espacos" | "protocolo")[] = code.ajustes.map(
  (step) => step.motivo,
);
type Slip = "email_sem_ponto" | "telefone_fixo" | "uso_unico_ausente" | "uso_unico_estatico" | "location_unusual" | "recurrence_marker";
const slips: Slip[] = code.alertas.map((alert) => alert.codigo);
const name: "confere" | "parecido" | "diverge" | "desconhecido" = (await client.conferir(code.brcode)).nome;
const company: Company = await client.company(360305000104, { idade_maxima: 3600 });
const capital: string | null = company.capital_social; // never a number: cents would be lost
const batch: Batch<Company> = await client.companies([company.cnpj], { parcial: true });
for (const found of batch.resultados) {
  const text: string = found instanceof ProblemError ? found.code : found.razao_social;
  if (found instanceof CompanyNotFound && found.confirmed) console.log(text, found.dataBase?.slice(0, 4));
}
for await (const page of client.searchAll({ nome: ["padaria", "bar"], uf: "SP", porte: 1, limite: 50 })) {
  const since: string | null | undefined = page.empresas[0]?.data_inicio_atividade;
  console.log(since, page.total.toFixed(), page.sugestoes.join());
}
const raw = await client.http.GET("/api/v1/tools", { params: { query: { format: "openai" } } });
const format: string | undefined = raw.data?.format;
console.log(reasons, slips, name, capital, format);

declare const received: IncomingMessage, request: Request, bytes: Buffer;
const event = verifyWebhook(["whsec_a", "whsec_b"], received.headers, bytes);
if (event.type === "company.changed") console.log(event.data.cnpj, event.data.mudancas_omitidas?.toFixed());
else if (event.type === "usage.threshold") console.log(event.data.percentual.toFixed());
console.log(verifyWebhook("whsec_a", request.headers, await request.text()).id, event.timestamp.slice(0, 10));
const { segredo } = await client.createWebhook("https://a.example", { eventos: ["company.changed"] });
const motivo: "pedido" | "gone" | "falhas" | null = (await client.changeWebhook("wh_1", { ativo: true })).motivo;
const until: string = (await client.rotateWebhook("wh_1")).segredo_anterior_ate;
const statuses: (number | null)[] = (await client.webhookDeliveries("wh_1")).map((attempt) => attempt.status);
console.log(segredo, motivo, until, statuses);

// @ts-expect-error JSON that was read already
verifyWebhook("whsec_a", {}, await request.json() as object);
// @ts-expect-error only a new webhook has its secret
console.log((await client.readWebhook("wh_1")).segredo);
// @ts-expect-error not an event
await client.createWebhook("https://a.example", { eventos: ["company.closed"] });
// @ts-expect-error not a field that can be changed
await client.changeWebhook("wh_1", { motivo: null });
// @ts-expect-error a name that the service does not know
await client.createPixCode({ ...charge, valorr: "1" });
// @ts-expect-error people are not searched
await client.search({ nome: "x", socio: "JOANA" });
// @ts-expect-error a city is needed
await client.createPixCode({ chave: "pix@exemplo.com.br", nome_recebedor: "Padaria" });
// @ts-expect-error not a kind of key
await client.createPixCode({ ...charge, tipo_chave: "rg" });
// @ts-expect-error not a field of a company
console.log(company.razaoSocial);
// @ts-expect-error not a route
await client.http.GET("/api/v1/nothing");
// @ts-expect-error an item may be an error
console.log(batch.resultados[0].razao_social);
// @ts-expect-error neither a code nor a key
await client.conferir({});
// @ts-expect-error a location is named only to be followed
await client.conferir({ url: "pix.example/a" });
// @ts-expect-error not a language of the service
new Client({ language: "fr" });
