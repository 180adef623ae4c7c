// A receiver of webhooks in Express: verify, store, answer, then act on each id once.
//     WEBHOOK_SECRETS=whsec_… node webhook_express.mjs
import { DatabaseSync } from "node:sqlite";

import { InvalidWebhook, verifyWebhook } from "brskills";
import express from "express";

const secrets = process.env.WEBHOOK_SECRETS.split(" "); // the new and the old one after a rotation
const inbox = new DatabaseSync("webhooks.db");
inbox.exec("CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, done INTEGER DEFAULT 0)");
const store = inbox.prepare("INSERT OR IGNORE INTO inbox (id, body) VALUES (?, ?)");
const waiting = inbox.prepare("SELECT id, body FROM inbox WHERE NOT done");
const finish = inbox.prepare("UPDATE inbox SET done = 1 WHERE id = ?");

// Answer within milliseconds: what takes longer than 15 s is sent again. No JSON is read before its bytes are verified.
function receive(request, response) {
  const body = request.body ?? "";
  try {
    store.run(verifyWebhook(secrets, request.headers, body).id, body.toString());
  } catch (error) {
    if (!(error instanceof InvalidWebhook)) throw error;
    console.error(error.message); // such as a wrong secret: the service shows the status alone
    return response.status(400).send(error.message);
  }
  response.sendStatus(204);
  setImmediate(act);
}

// Act on what is stored. A crash loses nothing: it may repeat the action that it interrupted.
function act() {
  for (const { id, body } of waiting.all()) {
    const { type, data } = JSON.parse(body);
    console.log(id, type, data);
    finish.run(id);
  }
}

act(); // on what a former process received
express()
  .post("/webhooks", express.raw({ type: () => true }), receive)
  .listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
