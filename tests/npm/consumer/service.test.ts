// The client against a service: its address is BRSKILLS_URL, its public key DEMO_KEY, which has two calls a month.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import {
  Client,
  CompanyNotFound,
  DemoKey,
  IdempotencyKeyReused,
  InvalidFields,
  InvalidKey,
  InvalidProof,
  type PixCode,
  ProblemError,
  QuotaExceeded,
  SourcesUnavailable,
  verifyProof,
} from "brskills";

const charge = { chave: "pix@exemplo.com.br", valor: "49.90", nome_recebedor: "Padaria", cidade: "São Paulo" };
let client: Client;

before(async () => {
  const { api_key } = await new Client().createKey();
  client = new Client({ apiKey: api_key });
});

async function counted(use: () => Promise<unknown>): Promise<number> {
  const { chamadas } = await client.usage();
  await use();
  return (await client.usage()).chamadas - chamadas;
}

test("a code, read again", async () => {
  let made: PixCode | undefined;
  assert.equal(await counted(async () => (made = await client.createPixCode(charge))), 1);
  assert.equal(made?.valor, "49.90");
  assert.deepEqual(made?.ajustes.map(({ campo, motivo }) => [campo, motivo]), [["cidade", "transliterado"]]);
  assert.deepEqual(made?.alertas, []);
  const read = await client.decode(made?.brcode ?? "");
  assert.deepEqual([read.valido, read.campos.valor], [true, "49.90"]);
});

test("a call that is repeated under its key counts once", async () => {
  const options = { idempotencyKey: crypto.randomUUID() };
  const calls = async () => {
    const codes = await Promise.all([1, 2, 3].map(() => client.createPixCode(charge, options)));
    assert.equal(new Set(codes.map(({ brcode }) => brcode)).size, 1);
  };
  assert.equal(await counted(calls), 1);
  await assert.rejects(client.createPixCode({ ...charge, valor: 1 }, options), IdempotencyKeyReused);
});

test("a batch has an answer or an error for each", async () => {
  const calls = async () => {
    const batch = await client.createPixCodes([charge, { ...charge, valor: "10.001" }]);
    assert.equal(batch.contadas, 1);
    const [code, refusal] = batch.resultados;
    assert.ok(code && !(code instanceof Error) && code.brcode.startsWith("000201"));
    assert.ok(refusal instanceof InvalidFields);
    assert.equal(refusal.errors[0]?.code, "too_many_decimals");
  };
  assert.equal(await counted(calls), 1);
});

test("companies", async () => {
  const company = await client.company("SANDBOX1000170", { idade_maxima: 60 });
  assert.deepEqual([company.fonte, company.situacao_cadastral.descricao], ["sandbox", "ATIVA"]);
  const batch = await client.companies(["SANDBOX1000170", "SANDBOX4000103", "x"], { parcial: true });
  const kinds = batch.resultados.map((found) => (found instanceof Error ? found.name : found.razao_social));
  assert.deepEqual(kinds, [company.razao_social, "CompanyNotFound", "InvalidFields"]);
});

test("what changed", async () => {
  const { desde, mudancas } = await client.history("SANDBOX2000114");
  assert.equal(desde, "2025-09-13");
  assert.deepEqual(mudancas.map(({ campo }) => campo), ["situacao_cadastral", "simples"]);
  await assert.rejects(client.history("SANDBOX4000103"), CompanyNotFound);
});

test("companies by other fields than the number", async () => {
  const calls = async () => {
    const page = await client.search({ nome: "SANDBOX", limite: 3 });
    assert.deepEqual([page.total, page.total_exato, page.empresas.length], [3, true, 3]);
    const pages = [];
    for await (const each of client.searchAll({ nome: ["sandbox"], uf: "SP", limite: 2 })) pages.push(each);
    assert.deepEqual(pages.map(({ empresas }) => empresas.length), [2, 1]);
    assert.deepEqual(pages.flatMap(({ empresas }) => empresas.map(({ cnpj }) => cnpj)), page.empresas.map(({ cnpj }) => cnpj));
    for await (const each of client.searchAll({ nome: "SANDBOX" })) assert.equal(each.empresas.length, 3);
  };
  assert.equal(await counted(calls), 0);
  await assert.rejects(client.search({ uf: "SP" }), (error) => {
    return error instanceof InvalidFields && error.errors[0]?.code === "too_broad";
  });
});

test("absence, failure and age", async () => {
  await assert.rejects(client.company("SANDBOX4000103"), (error) => {
    return error instanceof CompanyNotFound && error.confirmed;
  });
  const hasty = new Client({ apiKey: (await new Client().createKey()).api_key, retries: 0 });
  await assert.rejects(hasty.company("SANDBOX5000158"), (error) => {
    return error instanceof SourcesUnavailable && error.transient && Number(error.retryAfter) > 0;
  });
  assert.equal((await client.company("SANDBOX6000100")).desatualizado, true);
});

test("whom a code pays", async () => {
  const { brcode } = await client.createPixCode({ ...charge, chave: "SANDBOX1000170", tipo_chave: "cnpj", nome_recebedor: "Horizonte Moveis" });
  for (const payee of [brcode, { chave: "SANDBOX1000170", nome_recebedor: "Horizonte Moveis" }]) {
    const found = await client.conferir(payee);
    assert.deepEqual([found.recebedor?.cnpj, found.nome], ["SANDBOX1000170", "diverge"]);
    assert.ok(found.alertas.some(({ codigo }) => codigo === "nome_diverge"));
  }
});

test("what a PSP signed at a location", async () => {
  const url = "sandbox.brskills.example/pix/v2/valida";
  const found = await client.conferir({ url, seguir: true });
  assert.deepEqual([found.assinatura?.estado, found.cobranca?.valor, found.nome], ["valida", "49.90", "confere"]);
  const forged = await client.conferir({ url: url.replace("valida", "assinatura-errada"), seguir: true });
  assert.deepEqual([forged.assinatura?.estado, forged.cobranca, forged.recebedor], ["invalida", null, null]);
  const { brcode } = await client.createPixCode({ url: url.replace("valida", "expirada"), nome_recebedor: "Empresa", cidade: "São Paulo" });
  const expired = await client.conferir({ brcode, seguir: true });
  assert.deepEqual([expired.assinatura?.estado, expired.cobranca?.status], ["valida", "ATIVA"]);
  assert.ok(expired.alertas.some(({ codigo }) => codigo === "cobranca_expirada"));
  assert.deepEqual((await client.conferir(brcode)).assinatura, null);
  const refused = await client.conferir({ url: "127.0.0.1/x", seguir: true });
  assert.deepEqual([refused.assinatura?.estado, refused.alertas[0]?.codigo], ["nao_verificavel", "localizacao_indisponivel"]);
});

test("a signed answer is verified with the service's keys alone", async () => {
  const { api_key: apiKey } = await new Client().createKey();
  const asked = { headers: { "X-API-Key": apiKey, Accept: "application/jose" } };
  const proof = await (await fetch(`${process.env.BRSKILLS_URL}/api/v1/skills/cnpj/SANDBOX1000170`, asked)).text();
  const keys = await client.proofKeys();
  const found = await verifyProof(proof, keys);
  assert.deepEqual([found.resposta.cnpj, found.pedido.metodo], ["SANDBOX1000170", "GET"]);
  assert.equal((await verifyProof(proof)).jti, found.jti);
  const [head, payload, signature] = proof.split(".");
  const other = payload!.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  const none = btoa('{"alg":"none"}').replaceAll("=", "");
  for (const forged of [`${head}.${other}.${signature}`, `${none}.${payload}.`, `${none}.${payload}.${signature}`, "", "a.b.c"]) {
    await assert.rejects(verifyProof(forged, keys), InvalidProof);
  }
  await assert.rejects(verifyProof(proof, { keys: [] }), InvalidProof);
});

test("every faulty field is named, in the client's language", async () => {
  const faulty = { ...charge, valor: "0", cidade: "" };
  for (const [language, words] of [["pt", /maior que zero/], ["en", /greater than zero/]] as const) {
    const refused = new Client({ apiKey: (await new Client().createKey()).api_key, language }).createPixCode(faulty);
    await assert.rejects(refused, (error) => {
      return error instanceof InvalidFields && error.errors.length === 2 && words.test(error.message);
    });
  }
});

test("a key's life", async () => {
  const first = new Client({ apiKey: (await new Client().createKey("dev@exemplo.com.br")).api_key });
  const second = new Client({ apiKey: (await first.rotateKey()).api_key });
  await assert.rejects(first.usage(), InvalidKey);
  assert.equal((await second.usage()).plano, "free");
  assert.equal(await second.revokeKey(), undefined);
  await assert.rejects(second.usage(), InvalidKey);
});

test("the public key", async () => {
  const everybody = new Client({ apiKey: process.env["DEMO_KEY"] });
  await assert.rejects(everybody.rotateKey(), DemoKey);
  await everybody.createPixCode(charge);
  await everybody.createPixCode(charge);
  await assert.rejects(everybody.createPixCode(charge), (error) => {
    return error instanceof QuotaExceeded && Number(error.resetsAt) > Date.now();
  });
});

test("plans and status need no key", async () => {
  const nobody = new Client();
  assert.deepEqual((await nobody.plans()).planos.map(({ id }) => id), ["free", "pro", "enterprise", "demo"]);
  assert.ok((await nobody.status()).componentes.length > 0);
});

test("what to pay for Pro is not set up here", async () => {
  for (const call of [() => client.checkout(), () => client.portal()]) {
    await assert.rejects(call, (error) => error instanceof ProblemError && error.code === "billing_unavailable");
  }
});

test("every other route is there too", async () => {
  const { data } = await client.http.GET("/api/v1/tools", { params: { query: { format: "openai" } } });
  assert.ok(data && Object.keys(data.routes).includes("look_up_company"));
});
