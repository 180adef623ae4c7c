// Verification of deliveries, and the calls about webhooks.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import {
  Client,
  ConfigurationError,
  type CreatedWebhook,
  type DeliveryAttempt,
  InvalidWebhook,
  ProblemError,
  WebhookLimit,
  verifyWebhook,
} from "brskills";
import { Webhook } from "standardwebhooks";

import { answering, json, problem } from "./scripted.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const [SECRET, NEXT, OTHER] = [newSecret(), newSecret(), newSecret()];
const EVENT = { type: "webhook.test", timestamp: "2026-11-27T04:00:00.123Z", data: { webhook: "wh_ção" } };

interface Delivery {
  headers: Record<string, string>;
  body: string;
}

function signed(content: unknown, secrets = [SECRET], age = 0): Delivery {
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const time = new Date(Math.floor(Date.now() / 1000 - age) * 1000);
  return {
    headers: {
      "Webhook-Id": "msg_1",
      "Webhook-Timestamp": String(time.getTime() / 1000),
      "Webhook-Signature": secrets.map((secret) => new Webhook(secret).sign("msg_1", time, body)).join(" "),
    },
    body,
  };
}

function refused(reason: RegExp, { headers, body }: Delivery, secret: string | string[] = SECRET): void {
  assert.throws(
    () => verifyWebhook(secret, headers, body),
    (error) => error instanceof InvalidWebhook && error.name === "InvalidWebhook" && reason.test(error.message),
  );
}

test("an event is returned as data, whatever holds headers and body", () => {
  const { headers, body } = signed(EVENT);
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const held of [headers, lower, new Headers(headers), { ...lower, cookie: ["a", "b"], host: undefined }]) {
    for (const text of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      assert.deepEqual(verifyWebhook(SECRET, held, text), { id: "msg_1", ...EVENT });
    }
  }
});

test("during a rotation either secret verifies", () => {
  const both = signed(EVENT, [SECRET, NEXT]);
  for (const secret of [SECRET, NEXT, [OTHER, NEXT], `${SECRET}\n`]) {
    assert.equal(verifyWebhook(secret, both.headers, both.body).id, "msg_1");
  }
  refused(/No matching signature/, both, OTHER);
  refused(/No matching signature/, signed(EVENT), [NEXT, OTHER]);
});

test("what is wrong is refused, and why", () => {
  const good = signed(EVENT);
  const having = (headers: Record<string, string>) => ({ ...good, headers: { ...good.headers, ...headers } });
  refused(/No matching/, { ...good, body: `${good.body} ` });
  refused(/No matching/, signed(EVENT, [OTHER]));
  refused(/No matching/, having({ "Webhook-Id": "msg_2" }));
  refused(/too old/, signed(EVENT, [SECRET], 310));
  refused(/too new/, signed(EVENT, [SECRET], -310));
  for (const body of ["{", "", "[]", "null", `\uFEFF${good.body}`, JSON.stringify({ ...EVENT, data: [] })]) {
    refused(/not an event/, signed(body));
  }
  refused(/not an event/, signed({ ...EVENT, timestamp: "soon" }));
  for (const name of Object.keys(good.headers)) {
    const { [name]: _, ...others } = good.headers;
    refused(new RegExp(`${name.toLowerCase()} is missing`), { ...good, headers: others });
    refused(/repeated/, having({ [name.toLowerCase()]: "x" }));
    refused(/missing/, having({ [name]: "" }));
  }
  const time = good.headers["Webhook-Timestamp"];
  for (const written of [`${time}.0`, ` ${time}`, `${time}a`, "NaN", "1e9"]) {
    refused(/not in seconds/, having({ "Webhook-Timestamp": written }));
  }
});

test("a body that is not UTF-8 is refused", () => {
  const { headers, body } = signed({ ...EVENT, data: { x: "\uFFFD" } });
  const bytes = Buffer.from(body);
  assert.equal(verifyWebhook(SECRET, headers, bytes).type, "webhook.test");
  const place = bytes.indexOf(Buffer.from("\uFFFD"));
  const broken = Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff]), bytes.subarray(place + 3)]);
  assert.throws(() => verifyWebhook(SECRET, headers, broken), InvalidWebhook);
});

test("other signatures do not hide a good one", () => {
  const good = signed(EVENT);
  for (const noise of ["v1a,AAAA", "v2,a,b", "v1,!!!", "v1", ",", "\t"]) {
    const headers = { ...good.headers, "Webhook-Signature": `${noise} ${good.headers["Webhook-Signature"]} ${noise}` };
    assert.equal(verifyWebhook(SECRET, headers, good.body).id, "msg_1");
    refused(/no signature/, { ...good, headers: { ...headers, "Webhook-Signature": noise } });
  }
});

test("what cannot be a secret is an error of the settings, JSON that was read already one of the program", () => {
  const { headers, body } = signed(EVENT);
  for (const secret of ["", "whsec_", SECRET.slice(6), `whsec_${"A".repeat(33)}`, "whpk_".padEnd(40, "A"), [], [SECRET, ""]]) {
    assert.throws(() => verifyWebhook(secret, headers, body), ConfigurationError);
  }
  assert.throws(() => verifyWebhook(SECRET, headers, JSON.parse(body)), TypeError);
});

const WEBHOOK = {
  id: "wh_1", url: "https://a.example/x", eventos: ["company.changed" as const], descricao: null,
  ativo: true, motivo: null, criado_em: "2026-11-27T04:00:00Z",
};
const ISSUED: CreatedWebhook = { ...WEBHOOK, segredo: SECRET };
const ATTEMPT: DeliveryAttempt = {
  id: "msg_1", tipo: "webhook.test", tentativa: 1, em: "2026-11-27T04:00:00Z", status: 200, erro: null, duracao_ms: 12,
};

test("the calls, and what they send", async () => {
  const replies = [
    json(201, ISSUED),
    json(200, { webhooks: [WEBHOOK] }),
    json(200, WEBHOOK),
    json(200, { ...WEBHOOK, ativo: false, motivo: "pedido" }),
    json(202, { id: "msg_9" }),
    json(201, { ...ISSUED, segredo_anterior_ate: "2026-11-28T04:00:00Z" }),
    json(200, { entregas: [ATTEMPT] }),
    (response: import("node:http").ServerResponse) => void response.writeHead(204).end(),
  ];
  await answering(replies, async (baseUrl, asked) => {
    const client = new Client({ apiKey: "brsk_a", baseUrl });
    assert.deepEqual(await client.createWebhook(WEBHOOK.url, { eventos: WEBHOOK.eventos }), ISSUED);
    assert.deepEqual(await client.listWebhooks(), [WEBHOOK]);
    assert.deepEqual(await client.readWebhook("wh_1"), WEBHOOK);
    assert.equal((await client.changeWebhook("wh_1", { ativo: false, descricao: null })).motivo, "pedido");
    assert.equal(await client.testWebhook("wh_1"), "msg_9");
    assert.equal((await client.rotateWebhook("wh_1")).segredo_anterior_ate, "2026-11-28T04:00:00Z");
    assert.deepEqual(await client.webhookDeliveries("wh_1"), [ATTEMPT]);
    assert.equal(await client.deleteWebhook("wh_1/../x"), undefined);
    assert.deepEqual(
      asked.map(({ method, path, body }) => [method, path, body]),
      [
        ["POST", "/api/v1/webhooks", JSON.stringify({ url: WEBHOOK.url, eventos: WEBHOOK.eventos })],
        ["GET", "/api/v1/webhooks", ""],
        ["GET", "/api/v1/webhooks/wh_1", ""],
        ["PATCH", "/api/v1/webhooks/wh_1", JSON.stringify({ ativo: false, descricao: null })],
        ["POST", "/api/v1/webhooks/wh_1/test", "{}"],
        ["POST", "/api/v1/webhooks/wh_1/rotate", "{}"],
        ["GET", "/api/v1/webhooks/wh_1/deliveries", ""],
        ["DELETE", "/api/v1/webhooks/wh_1%2F..%2Fx", ""],
      ],
    );
    assert.ok(asked.every(({ headers }) => headers["x-api-key"] === "brsk_a" && !("idempotency-key" in headers)));
  });
});

test("what would happen twice is not repeated", async () => {
  for (const [call, times] of [
    [(client: Client) => client.createWebhook("https://a.example"), 1],
    [(client: Client) => client.testWebhook("wh_1"), 1],
    [(client: Client) => client.rotateWebhook("wh_1"), 1],
    [(client: Client) => client.listWebhooks(), 2],
    [(client: Client) => client.changeWebhook("wh_1", { ativo: true }), 2],
    [(client: Client) => client.deleteWebhook("wh_1"), 2],
  ] as const) {
    await answering([problem(503, "store_unavailable", { "Retry-After": "0" })], async (baseUrl, asked) => {
      await assert.rejects(call(new Client({ apiKey: "brsk_a", baseUrl, retries: 1 })), ProblemError);
      assert.equal(asked.length, times);
    });
  }
});

test("the limit has a class, and without a key nothing is sent", async () => {
  await answering([problem(409, "webhook_limit")], async (baseUrl, asked) => {
    await assert.rejects(new Client({ apiKey: "a", baseUrl }).createWebhook("https://a.example"), WebhookLimit);
    for (const call of ["createWebhook", "testWebhook", "rotateWebhook", "readWebhook", "webhookDeliveries"] as const) {
      await assert.rejects(new Client({ baseUrl })[call]("x"), ConfigurationError);
    }
    assert.equal(asked.length, 1);
  });
});
