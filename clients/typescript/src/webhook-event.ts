/** Verification of webhook deliveries (Standard Webhooks), without network. */
import { Webhook, WebhookVerificationError } from "standardwebhooks";

import { BrskillsError, ConfigurationError } from "./errors.js";
import type { WatchedChange } from "./schema.js";

/**
 * A verified event. `id` stays the same in each attempt to deliver it. Later releases may send other types. Of a change
 * that was too large, `mudancas_omitidas` says how many fields the feed has beside these.
 */
export type WebhookEvent = { id: string; timestamp: string } & (
  | { type: "company.changed"; data: WatchedChange & { mudancas_omitidas?: number } }
  | {
      type: "usage.threshold";
      data: { mes: string; plano: string; limite: number; chamadas: number; percentual: number };
    }
  | { type: "webhook.test"; data: { webhook: string } }
);

/** A `Headers` object, the headers of Node's `IncomingMessage`, or a plain object. */
export type DeliveredHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

/** A delivery that no secret signed, that is more than five minutes old or early, or that is no event. */
export class InvalidWebhook extends BrskillsError {}

const SECRET = /^whsec_([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$/;
const SIGNATURE = /^v1,[A-Za-z0-9+/]{43}=$/;
const SECONDS = /^[0-9]{1,12}$/;

/**
 * The event of a delivery. `body`: as received, before its JSON is read. Pass both secrets while one replaces the other.
 * Throws `InvalidWebhook`, or `ConfigurationError` for what cannot be a secret.
 */
export function verifyWebhook(secret: string | readonly string[], headers: DeliveredHeaders, body: string | Uint8Array): WebhookEvent {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw new TypeError("the body as received is needed, before its JSON is read");
  }
  const verifiers = [secret].flat().map(verifierOf);
  if (verifiers.length === 0) throw new ConfigurationError("the webhook's secret is needed");
  const signed = signedHeaders(headers);
  const content = contentOf(verifiers, signed, textOf(body));
  if (!isEvent(content)) throw new InvalidWebhook("the body is not an event");
  const { type, timestamp, data } = content;
  return { id: signed["webhook-id"], type, timestamp, data } as WebhookEvent;
}

function verifierOf(secret: string): Webhook {
  if (SECRET.test(secret.trim())) return new Webhook(secret.trim());
  throw new ConfigurationError("a webhook's secret begins with whsec_ and has 24 to 64 bytes in base64");
}

/** The headers of the standard in forms that the library reads, without other signatures. */
function signedHeaders(headers: DeliveredHeaders) {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  if (!SECONDS.test(timestamp)) throw new InvalidWebhook("the header webhook-timestamp is not in seconds");
  const signatures = header(headers, "webhook-signature").split(/\s+/).filter((each) => SIGNATURE.test(each));
  if (signatures.length === 0) throw new InvalidWebhook("the header webhook-signature has no signature of version 1");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

function header(headers: DeliveredHeaders, name: string): string {
  const values =
    typeof headers.get === "function"
      ? [headers.get(name)]
      : Object.entries(headers).flatMap(([given, value]) => (given.toLowerCase() === name ? value : []));
  if (values.length === 1 && typeof values[0] === "string" && values[0] !== "") return values[0];
  throw new InvalidWebhook(`the header ${name} is missing or repeated`);
}

/** The JSON of a verified body; `undefined` if it is none. */
function contentOf(verifiers: Webhook[], headers: Record<string, string>, body: string): unknown {
  let reason = "";
  for (const verifier of verifiers) {
    try {
      return verifier.verify(body, headers);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) return undefined;
      reason = error.message;
    }
  }
  throw new InvalidWebhook(reason);
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new InvalidWebhook("the body is not an event");
  }
}

function isEvent(content: any): content is { type: string; timestamp: string; data: object } {
  const { type, timestamp, data } = content ?? {};
  const isTime = typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp));
  return typeof type === "string" && isTime && typeof data === "object" && data !== null && !Array.isArray(data);
}
