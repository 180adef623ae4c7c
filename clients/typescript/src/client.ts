import createClient, { type Client as Http } from "openapi-fetch";

import { type Batch, type Entry, readBatch, readEntries } from "./batch.js";
import { ConfigurationError, type ProblemError, UnexpectedAnswer } from "./errors.js";
import type {
  BillingPage,
  ChangePage,
  Company,
  CompanyHistory,
  CompanyRequest,
  CreatedWebhook,
  DecodeResult,
  DeliveryAttempt,
  IssuedKey,
  KeySet,
  NewWebhook,
  PayeeCheck,
  PayeeRequest,
  PixCode,
  PixRequest,
  Plans,
  RotatedWebhook,
  SearchPage,
  SearchRequest,
  Status,
  Usage,
  WatchItem,
  WatchPage,
  WatchedCompany,
  Webhook,
  WebhookChanges,
  paths,
} from "./schema.js";
import { sendOnce, sendRepeatedly } from "./sending.js";
import { type Options, settingsOf } from "./settings.js";
import { VERSION } from "./version.js";

/** How long a caller waits for a call. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** For calls that count: `idempotencyKey` of one's own, to repeat a call from another process. */
export interface CountedOptions extends CallOptions {
  idempotencyKey?: string;
}

/** `parcial`: as many as the month has room for, in place of none. */
export interface BatchOptions extends CountedOptions {
  parcial?: boolean;
}

/** The most seconds since a source was asked, and the most days since the day of its data. */
export type Demand = Omit<CompanyRequest, "cnpj">;

/** A key, and the name beside it. */
export type PayeeKey = Pick<PayeeRequest, "tipo_chave" | "nome_recebedor"> & { chave: string };

/** A code; with `seguir` its location is followed. */
export type PayeeCode = Pick<PayeeRequest, "seguir"> & { brcode: string };

/** The location of a charge or of a recurrence, or both, without their code. */
export type PayeeLocation = { seguir: true } & (
  | { url: string; url_recorrencia?: string }
  | { url_recorrencia: string }
);

/** A page of a list; without a cursor the first one. */
export interface PageOptions extends CallOptions {
  cursor?: string;
  limite?: number;
}

/** Of a new webhook: without `eventos` it gets all. */
export type WebhookOptions = CallOptions & Omit<NewWebhook, "url">;

/** The outcome for one company of several; `nova`: it was not watched before. */
export interface Watching {
  nova: boolean;
  resultado: WatchedCompany | ProblemError;
}

/** A client of one service and one key. Every method rejects with a `BrskillsError`, or with what `signal` was aborted with. */
export class Client {
  /** Every route of the service, typed from its OpenAPI document. Sends once; no failure is a value. */
  readonly http: Http<paths, "application/json">;
  readonly #hasKey: boolean;
  readonly #repeated: { fetch: (request: Request) => Promise<Response> };

  /** Throws `ConfigurationError`. */
  constructor(options: Options = {}) {
    const settings = settingsOf(options, VERSION);
    const { baseUrl, headers } = settings;
    this.http = createClient<paths, "application/json">({
      baseUrl,
      headers,
      fetch: (request) => sendOnce(request, settings),
    });
    this.#hasKey = "X-API-Key" in headers;
    this.#repeated = { fetch: (request) => sendRepeatedly(request, settings) };
  }

  /** A Pix code (copia e cola). Counts one call. */
  async createPixCode(charge: PixRequest, options: CountedOptions = {}): Promise<PixCode> {
    return answer(this.http.POST("/api/v1/skills/pix", { body: charge, ...this.#counted(options) }));
  }

  /** Up to a hundred codes. */
  async createPixCodes(charges: PixRequest[], options: BatchOptions = {}): Promise<Batch<PixCode>> {
    const { idempotencyKey, signal, ...asked } = options;
    const body = { itens: charges, ...asked };
    const found = await answer(this.http.POST("/api/v1/skills/pix/lote", { body, ...this.#counted(options) }));
    return readBatch(charges.length, found);
  }

  /** What is in a code, and every rule that it breaks. Not counted. */
  async decode(brcode: string, options: CallOptions = {}): Promise<DecodeResult> {
    return answer(this.http.POST("/api/v1/skills/pix/decode", { body: { brcode }, ...this.#keyed(options) }));
  }

  /**
   * Check the payee of a code or a key against the register. With `seguir`, also read and verify what the PSP signed at
   * the location of a dynamic code. Counts where the register had an answer or a signed charge was read.
   */
  async conferir(payee: string | PayeeCode | PayeeKey | PayeeLocation, options: CountedOptions = {}): Promise<PayeeCheck> {
    const body = typeof payee === "string" ? { brcode: payee } : payee;
    return answer(this.http.POST("/api/v1/skills/pix/conferir", { body, ...this.#counted(options) }));
  }

  /** A company's record; a number gets its leading zeros back. Counts one call. */
  async company(cnpj: string | number, options: Demand & CountedOptions = {}): Promise<Company> {
    const { idempotencyKey, signal, ...demand } = options;
    const body = { cnpj, ...demand }; // in the body, where no access log keeps the number
    return answer(this.http.POST("/api/v1/skills/cnpj", { body, ...this.#counted(options) }));
  }

  /** Up to a hundred companies, looked up side by side. */
  async companies(cnpjs: (string | number)[], options: Demand & BatchOptions = {}): Promise<Batch<Company>> {
    const { idempotencyKey, signal, ...asked } = options;
    const body = { cnpjs, ...asked };
    const found = await answer(this.http.POST("/api/v1/skills/cnpj/lote", { body, ...this.#counted(options) }));
    return readBatch(cnpjs.length, found);
  }

  /** What changed of a company from month to month, as far as the service knows. Counts one call. */
  async history(cnpj: string | number, options: CountedOptions = {}): Promise<CompanyHistory> {
    const body = { cnpj };
    return answer(this.http.POST("/api/v1/skills/cnpj/historico", { body, ...this.#counted(options) }));
  }

  /** A page of companies by name, activity, place and other fields. Counts one call. */
  async search(fields: SearchRequest, options: CountedOptions = {}): Promise<SearchPage> {
    return answer(this.http.POST("/api/v1/skills/cnpj/busca", { body: fields, ...this.#counted(options) }));
  }

  /** All pages of a search, each fetched when it is needed, by default of 100 companies. Each counts one call. */
  async *searchAll(fields: SearchRequest, options: CallOptions = {}): AsyncGenerator<SearchPage, void, void> {
    const follow = follower(fields.cursor);
    let page = follow(await this.search({ limite: 100, ...fields }, options));
    yield page;
    while (page.cursor) {
      page = follow(await this.search({ limite: 100, ...fields, cursor: page.cursor }, options));
      yield page;
    }
  }

  /** Watch a company; one that is watched already gets the new `referencia`, if any. Not counted. */
  async watch(cnpj: string | number, referencia?: string, options: CallOptions = {}): Promise<WatchedCompany> {
    const body = { cnpj, ...(referencia ? { referencia } : {}) };
    return (await answer(this.http.POST("/api/v1/watches", { body, ...this.#keyed(options) }))) as WatchedCompany;
  }

  /** Watch up to a thousand companies; an outcome for each, in their order. Not counted. */
  async watchAll(companies: (string | number | WatchItem)[], options: CallOptions = {}): Promise<Watching[]> {
    const body = { cnpjs: companies };
    const found = await answer(this.http.POST("/api/v1/watches", { body, ...this.#keyed(options) }));
    const { resultados } = found as { resultados: Entry<WatchedCompany>[] };
    const read = readEntries(companies.length, resultados);
    return read.map((resultado, n) => ({ nova: resultados[n]?.status === 201, resultado }));
  }

  /** A page of the watched companies, by number. Not counted. */
  async watchPage({ signal, ...query }: PageOptions = {}): Promise<WatchPage> {
    const params = { query: { limite: 100, ...query } };
    return answer(this.http.GET("/api/v1/watches", { params, ...this.#keyed(signal ? { signal } : {}) }));
  }

  /** The watched companies, by number; pages are fetched when they are needed. */
  async *watches(options: CallOptions = {}): AsyncGenerator<WatchedCompany, void, void> {
    const follow = follower();
    let page = follow(await this.watchPage(options));
    yield* page.watches;
    while (page.cursor) {
      page = follow(await this.watchPage({ ...options, cursor: page.cursor }));
      yield* page.watches;
    }
  }

  /** Stop watching a company, also if it was not watched. */
  async unwatch(cnpj: string | number, options: CallOptions = {}): Promise<void> {
    const path = { cnpj: typeof cnpj === "number" ? String(cnpj).padStart(14, "0") : cnpj };
    await this.http.DELETE("/api/v1/watches/{cnpj}", { params: { path }, ...this.#keyed(options) });
  }

  /** What changed in watched companies, oldest first, behind `cursor`. Not counted. */
  async changes({ signal, ...query }: PageOptions = {}): Promise<ChangePage> {
    const params = { query: { limite: 100, ...query } };
    return answer(this.http.GET("/api/v1/changes", { params, ...this.#keyed(signal ? { signal } : {}) }));
  }

  /** The pages of the feed behind `cursor` up to its end. Store the last page's cursor. */
  async *changesSince(cursor?: string, options: CallOptions = {}): AsyncGenerator<ChangePage, void, void> {
    const follow = follower(cursor);
    let page = follow(await this.changes({ ...options, ...(cursor ? { cursor } : {}) }));
    yield page;
    while (page.mudancas.length) {
      page = follow(await this.changes({ ...options, cursor: page.cursor }));
      yield page;
    }
  }

  /** A webhook of the account, with its secret, shown this once. Is not repeated. */
  async createWebhook(url: string, { signal, ...fields }: WebhookOptions = {}): Promise<CreatedWebhook> {
    this.#needKey();
    const body = { url, ...fields };
    return answer(this.http.POST("/api/v1/webhooks", { body, ...signalOf({ signal }) }));
  }

  /** The account's webhooks. */
  async listWebhooks(options: CallOptions = {}): Promise<Webhook[]> {
    return (await answer(this.http.GET("/api/v1/webhooks", this.#keyed(options)))).webhooks;
  }

  /** A webhook. */
  async readWebhook(id: string, options: CallOptions = {}): Promise<Webhook> {
    return answer(this.http.GET("/api/v1/webhooks/{id}", { ...named(id), ...this.#keyed(options) }));
  }

  /** Change the given fields of a webhook, disable it or enable it again (`ativo`). */
  async changeWebhook(id: string, fields: WebhookChanges, options: CallOptions = {}): Promise<Webhook> {
    const asked = { ...named(id), body: fields, ...this.#keyed(options) };
    return answer(this.http.PATCH("/api/v1/webhooks/{id}", asked));
  }

  /** Delete a webhook; nothing more is delivered to it. */
  async deleteWebhook(id: string, options: CallOptions = {}): Promise<void> {
    await this.http.DELETE("/api/v1/webhooks/{id}", { ...named(id), ...this.#keyed(options) });
  }

  /** Send the event `webhook.test`. Its id, the delivery's header `webhook-id`. Is not repeated. */
  async testWebhook(id: string, options: CallOptions = {}): Promise<string> {
    this.#needKey();
    const asked = { ...named(id), body: {}, ...signalOf(options) };
    return (await answer(this.http.POST("/api/v1/webhooks/{id}/test", asked))).id;
  }

  /** A new secret. For 24 hours deliveries are signed with both, until `segredo_anterior_ate`. Is not repeated. */
  async rotateWebhook(id: string, options: CallOptions = {}): Promise<RotatedWebhook> {
    this.#needKey();
    const asked = { ...named(id), body: {}, ...signalOf(options) };
    return answer(this.http.POST("/api/v1/webhooks/{id}/rotate", asked));
  }

  /** The last hundred attempts to deliver, newest first. */
  async webhookDeliveries(id: string, options: CallOptions = {}): Promise<DeliveryAttempt[]> {
    const asked = { ...named(id), ...this.#keyed(options) };
    return (await answer(this.http.GET("/api/v1/webhooks/{id}/deliveries", asked))).deliveries;
  }

  /** The month's calls and what is left. Not counted. */
  async usage(options: CallOptions = {}): Promise<Usage> {
    return answer(this.http.GET("/api/v1/usage", this.#keyed(options)));
  }

  /** The public keys of signed answers. Needs no key. */
  async proofKeys(options: CallOptions = {}): Promise<KeySet> {
    return answer(this.http.GET("/.well-known/jwks.json", this.#open(options)));
  }

  /** What the plans cost and hold. Needs no key. */
  async plans(options: CallOptions = {}): Promise<Plans> {
    return answer(this.http.GET("/api/v1/plans", this.#open(options)));
  }

  /** How the service and its sources are. Needs no key. */
  async status(options: CallOptions = {}): Promise<Status> {
    return answer(this.http.GET("/api/v1/status", this.#open(options)));
  }

  /**
   * A free key, at once; needs none. The e-mail limits how many keys one e-mail gets and, where the service has a
   * contact, serves to recover the account if the key is lost. It is not verified and has no other use. Is not repeated.
   */
  async createKey(email?: string, options: CallOptions = {}): Promise<IssuedKey> {
    return answer(this.http.POST("/api/v1/keys", { body: email ? { email } : {}, ...signalOf(options) }));
  }

  /**
   * A new key of the account; the client's own ends at once, or after so many seconds. Is not repeated.
   * If the service cannot confirm it, `members.api_key` of the `ProblemError` is the new key: try it first.
   */
  async rotateKey(overlapSeconds = 0, options: CallOptions = {}): Promise<IssuedKey> {
    this.#needKey();
    const body = { sobreposicao_segundos: overlapSeconds };
    return answer(this.http.POST("/api/v1/keys/rotate", { body, ...signalOf(options) }));
  }

  /** End the client's key, at once. Is not repeated. */
  async revokeKey(options: CallOptions = {}): Promise<void> {
    this.#needKey();
    await this.http.POST("/api/v1/keys/revoke", { body: {}, ...signalOf(options) });
  }

  /** A page to subscribe to Pro at. Is not repeated. */
  async checkout(options: CallOptions = {}): Promise<BillingPage> {
    this.#needKey();
    return answer(this.http.POST("/api/v1/billing/checkout", { body: {}, ...signalOf(options) }));
  }

  /** A page to change, pay or end the subscription at. Is not repeated. */
  async portal(options: CallOptions = {}): Promise<BillingPage> {
    this.#needKey();
    return answer(this.http.POST("/api/v1/billing/portal", { body: {}, ...signalOf(options) }));
  }

  #counted(options: CountedOptions) {
    const header = { "Idempotency-Key": options.idempotencyKey ?? crypto.randomUUID() };
    return { params: { header }, ...this.#keyed(options) };
  }

  #keyed(options: CallOptions) {
    this.#needKey();
    return this.#open(options);
  }

  #open(options: CallOptions) {
    return { ...this.#repeated, ...signalOf(options) };
  }

  #needKey(): void {
    if (!this.#hasKey) throw new ConfigurationError("an API key is needed: apiKey, or BRSKILLS_API_KEY");
  }
}

/** Returns its page, or throws where it leads back to a cursor that was followed: such pages would never end. */
function follower(cursor?: string | null) {
  const followed = new Set([cursor]);
  return <P extends { cursor?: string | null; mudancas?: unknown[] }>(page: P): P => {
    const isLast = !page.cursor || page.mudancas?.length === 0;
    if (!isLast && followed.has(page.cursor)) throw new UnexpectedAnswer(200, new Headers());
    followed.add(page.cursor);
    return page;
  };
}

function named(id: string) {
  return { params: { path: { id } } };
}

function signalOf({ signal }: { signal?: AbortSignal | undefined }) {
  return signal ? { signal } : {};
}

/** The data of a call: what is not an answer has been thrown by then. */
async function answer<T>(call: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  return (await call).data as NonNullable<T>;
}
