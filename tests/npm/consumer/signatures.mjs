// Signs and verifies the cases of stdin by npm's library and by the client, and prints its own signatures and decisions.
import { readFileSync } from "node:fs";

import { verifyWebhook } from "brskills";
import { Webhook } from "standardwebhooks";

function isVerified(verify) {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

const cases = JSON.parse(readFileSync(0, "utf8"));
const answers = cases.map(({ secret, id, time, body, signature, changed }) => {
  const library = new Webhook(secret);
  const headers = { "webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": signature };
  const decisions = [{ id, body }, ...changed].map(({ id, body }) => {
    const sent = { ...headers, "webhook-id": id };
    return [
      isVerified(() => library.verify(body, sent)),
      isVerified(() => verifyWebhook(secret, sent, Buffer.from(body))),
    ];
  });
  return { signature: library.sign(id, new Date(time * 1000), body), decisions };
});
console.log(JSON.stringify(answers));
