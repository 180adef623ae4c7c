/**
 * A client of brskills: Pix codes and Brazilian company records.
 *
 *     const client = new Client({ apiKey: "brsk_…", baseUrl: "https://brskills.example" });
 *     console.log((await client.company("SANDBOX1000170")).razao_social);
 */
export type { Batch } from "./batch.js";
export {
  type BatchOptions,
  type CallOptions,
  Client,
  type CountedOptions,
  type Demand,
  type PageOptions,
  type PayeeCode,
  type PayeeKey,
  type PayeeLocation,
  type Watching,
  type WebhookOptions,
} from "./client.js";
export * from "./errors.js";
export { InvalidProof, type Proof, verifyProof } from "./proof.js";
export type * from "./schema.js";
export { type DeliveredHeaders, InvalidWebhook, type WebhookEvent, verifyWebhook } from "./webhook-event.js";
export { LOCAL_URL, type Options } from "./settings.js";
