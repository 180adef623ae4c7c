// What the client does when the service, or something in front of it, fails.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import {
  type Batch,
  BrskillsError,
  Client,
  type Company,
  ConfigurationError,
  ConnectionFailed,
  InvalidFields,
  ProblemError,
  QuotaExceeded,
  SignupClosed,
  SignupLimit,
  Throttled,
  UncountedLimit,
  UnexpectedAnswer,
} from "brskills";

import { type Reply, answering, json, problem, reset, silence, text, torn } from "./scripted.ts";

const KEY = "brsk_key-that-nobody-has";
const USAGE = { plano: "free", mes: "2026-11", chamadas: 1, limite: 100, restantes: 99, reinicia_em: "", historico: [] };
const used = json(200, USAGE);
const code = json(200, { brcode: "000201", ajustes: [] });
const charge = { chave: "pix@exemplo.com.br", nome_recebedor: "Padaria", cidade: "Recife" };

type Options = ConstructorParameters<typeof Client>[0];

function asking(replies: Reply[], use: (client: Client) => Promise<unknown>, options: Options = {}) {
  return answering(replies, async (url, asked) => {
    const outcome = await use(new Client({ apiKey: KEY, baseUrl: url, ...options })).catch((error: unknown) => error);
    return { outcome, asked };
  });
}

const shortly = { "Retry-After": "0" };

test("what may succeed later is sent again, the same, under one key", async () => {
  const replies = [problem(503, "store_unavailable", shortly), reset, problem(429, "uncounted_limit", shortly), code];
  const { outcome, asked } = await asking(replies, (client) => client.createPixCode(charge));
  assert.equal((outcome as { brcode: string }).brcode, "000201");
  assert.equal(asked.length, 4);
  assert.equal(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size, 1);
  assert.deepEqual(new Set(asked.map(({ body }) => body)), new Set([JSON.stringify(charge)]));
  assert.match(String(asked[0]?.headers["idempotency-key"]), /^[!-~]{16,}$/);
});

test("two calls have two keys, or the caller's", async () => {
  const { asked } = await asking([code], async (client) => {
    await client.createPixCode(charge);
    await client.createPixCode(charge);
    await client.createPixCode(charge, { idempotencyKey: "pedido-42" });
  });
  assert.equal(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size, 3);
  assert.equal(asked[2]?.headers["idempotency-key"], "pedido-42");
});

test("the same error is thrown when no repetition helped", async () => {
  const replies = [problem(503, "sources_unavailable", shortly)];
  const { outcome, asked } = await asking(replies, (client) => client.company("1"), { retries: 2 });
  assert.ok(outcome instanceof ProblemError && outcome.transient);
  assert.deepEqual([outcome.code, outcome.retryAfter, asked.length], ["sources_unavailable", 0, 3]);
});

for (const [title, reply, kind] of [
  ["a month that is used up", problem(429, "quota_exceeded", { "X-RateLimit-Reset": "1796094000" }), QuotaExceeded],
  ["a key that the operator alone gives", problem(403, "signup_closed"), SignupClosed],
  ["too many keys", problem(429, "signup_limit", shortly), SignupLimit],
  ["faulty fields", problem(422, "invalid_fields"), InvalidFields],
  ["a problem of a later release", problem(418, "toString"), ProblemError],
] as const) {
  test(`${title} is final`, async () => {
    const { outcome, asked } = await asking([reply], (client) => client.usage());
    assert.ok(outcome instanceof kind && !outcome.transient);
    assert.equal(outcome.name, kind.name);
    assert.equal(asked.length, 1);
    if (outcome instanceof QuotaExceeded) assert.equal(outcome.resetsAt?.toISOString(), "2026-12-01T03:00:00.000Z");
  });
}

test("a wait that would end too late is not begun", async () => {
  for (const [code, kind] of [["throttled", Throttled], ["uncounted_limit", UncountedLimit]] as const) {
    const replies = [problem(429, code, { "Retry-After": "61" })];
    const { outcome, asked } = await asking(replies, (client) => client.usage());
    assert.ok(outcome instanceof kind && outcome.transient);
    assert.deepEqual([outcome.retryAfter, asked.length], [61, 1]);
  }
});

test("a cursor that repeats ends a search", async () => {
  const page = json(200, { empresas: [], total: 9, total_exato: true, cursor: "c-1", sugestoes: [] });
  const { outcome, asked } = await asking([page], async (client) => {
    for await (const each of client.searchAll({ nome: "x" })) assert.equal(each.cursor, "c-1");
  });
  assert.ok(outcome instanceof UnexpectedAnswer);
  assert.equal(asked.length, 2);
});

test("what makes or ends a key is sent once", async () => {
  for (const call of [
    (client: Client) => client.createKey(),
    (client: Client) => client.rotateKey(),
    (client: Client) => client.revokeKey(),
  ]) {
    const { outcome, asked } = await asking([problem(503, "store_unavailable", shortly)], call);
    assert.ok(outcome instanceof ProblemError);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.headers["idempotency-key"], undefined);
  }
});

test("reading and decoding are repeated", async () => {
  const failing = problem(500, "internal_error", shortly);
  for (const call of [
    (client: Client) => client.decode("000201"),
    (client: Client) => client.usage(),
    (client: Client) => client.plans(),
    (client: Client) => client.status(),
  ]) {
    const { asked } = await asking([failing, json(200, { planos: [] })], call);
    assert.equal(asked.length, 2);
  }
});

test("silence ends with the time that an answer may take", async () => {
  const { outcome } = await asking([silence], (client) => client.usage(), { timeout: 50, retries: 0 });
  assert.ok(outcome instanceof ConnectionFailed && outcome.transient);
  assert.equal(outcome.kind, "TimeoutError");
});

test("a torn answer is a failure of the connection", async () => {
  const { outcome, asked } = await asking([torn, used], (client) => client.usage());
  assert.deepEqual(outcome, USAGE);
  assert.equal(asked.length, 2);
});

test("nobody there", async () => {
  const gone = await answering([used], async (url) => url);
  const client = new Client({ apiKey: KEY, baseUrl: gone, retries: 0 });
  await assert.rejects(client.usage(), (error) => error instanceof ConnectionFailed && error.kind === "ECONNREFUSED");
});

test("a page in place of an answer", async () => {
  const page = await asking([text(200, "<html>")], (client) => client.usage());
  assert.ok(page.outcome instanceof UnexpectedAnswer && !page.outcome.transient);
  const gateway = await asking([text(502, "<html>"), used], (client) => client.usage());
  assert.deepEqual([gateway.outcome, gateway.asked.length], [USAGE, 2]);
});

test("a proxy's own throttle is waited for, by seconds or by a date", async () => {
  for (const when of ["0", new Date(Date.now() - 1000).toUTCString()]) {
    const { outcome, asked } = await asking([text(429, "slow", { "Retry-After": when }), used], (client) => client.usage());
    assert.deepEqual([outcome, asked.length], [USAGE, 2]);
  }
  const late = new Date(Date.now() + 90_000).toUTCString();
  const { outcome } = await asking([text(429, "slow", { "Retry-After": late })], (client) => client.usage());
  assert.ok(outcome instanceof UnexpectedAnswer && Number(outcome.retryAfter) > 80);
});

test("a batch that answers other items than were asked is none", async () => {
  const entry = (indice: number) => ({ indice, status: 200, resposta: { brcode: "000201" } });
  for (const entries of [[], [entry(1), entry(0)], [entry(0)], [entry(0), entry(1), entry(2)]]) {
    const reply = json(200, { resultados: entries, contadas: 2 });
    const { outcome } = await asking([reply], (client) => client.createPixCodes([charge, charge]));
    assert.ok(outcome instanceof UnexpectedAnswer);
  }
});

test("an item's own time to wait", async () => {
  const problema = { title: "T", detail: "D", status: 503, code: "sources_unavailable", retry_after: 7, request_id: "r" };
  const reply = json(200, { resultados: [{ indice: 0, status: 503, problema }], contadas: 0 });
  const { outcome } = await asking([reply], (client) => client.companies(["1"]));
  assert.equal((outcome as Batch<Company>).resultados.map((found) => (found as ProblemError).retryAfter)[0], 7);
});

test("a redirect is not followed: the key would go there", async () => {
  await answering([used], async (elsewhere, led) => {
    const { outcome } = await asking([text(307, "", { Location: elsewhere })], (client) => client.usage());
    assert.ok(outcome instanceof UnexpectedAnswer);
    assert.equal(led.length, 0);
  });
});

test("the caller's abort ends a call and a wait at once", async () => {
  for (const reply of [silence, problem(503, "store_unavailable", { "Retry-After": "30" })]) {
    const given = new AbortController();
    const { outcome, asked } = await asking([reply], (client) => {
      setTimeout(() => given.abort(new Error("mine")), 50);
      return client.usage({ signal: given.signal });
    });
    assert.equal((outcome as Error).message, "mine");
    assert.equal(asked.length, 1);
  }
});

test("without a key nothing is sent", async () => {
  const { outcome, asked } = await asking([used], (client) => client.usage(), { apiKey: "" });
  assert.ok(outcome instanceof ConfigurationError);
  assert.equal(asked.length, 0);
});

test("an address that cannot be one, a key that cannot be one", () => {
  for (const options of [{ baseUrl: "exemplo.com.br" }, { baseUrl: "https://a@b" }, { apiKey: "chave\n" }]) {
    assert.throws(() => new Client(options), (error: Error) => {
      return error instanceof ConfigurationError && !error.message.includes("chave");
    });
  }
});

test("no error and no client shows the key or the number", async () => {
  const replies = [problem(503, "sources_unavailable"), text(200, "<html>"), reset];
  for (const reply of replies) {
    const { outcome } = await asking([reply], (client) => client.company("33000167000101"), { retries: 0 });
    assert.ok(outcome instanceof BrskillsError);
    assert.doesNotMatch(inspect(outcome, { depth: 9, showHidden: true }), /33000167|brsk_/);
  }
  assert.doesNotMatch(inspect(new Client({ apiKey: KEY }), { depth: 9 }), /brsk_/);
});

test("the texts' language, the release and the path of an address are sent", async () => {
  await answering([used], async (url, asked) => {
    await new Client({ apiKey: KEY, baseUrl: `${url}/base/`, language: "en" }).usage();
    assert.equal(asked[0]?.path, "/base/api/v1/usage");
    assert.equal(asked[0]?.headers["accept-language"], "en");
    assert.match(String(asked[0]?.headers["user-agent"]), /^brskills-typescript\/\d+\.\d+\.\d+$/);
    assert.equal(asked[0]?.headers["x-api-key"], KEY);
  });
});
