/**
 * What a call can end with in place of its answer.
 *
 *     BrskillsError             all of them
 *     ├── ConfigurationError    no key, or an address that cannot be one: nothing was sent
 *     ├── ConnectionFailed      nobody answered, or not in time
 *     ├── UnexpectedAnswer      what answered is not the service as described
 *     └── ProblemError          the service refused or failed, and says why (RFC 9457)
 *         ├── InvalidFields     the faulty fields are in `errors`
 *         ├── InvalidKey, DemoKey, WatchLimit, WebhookLimit, IdempotencyKeyReused
 *         ├── CompanyNotFound   `confirmed` says whether independent sources agree
 *         ├── QuotaExceeded     `resetsAt` says when the month ends
 *         ├── SignupClosed      the operator alone gives keys
 *         ├── SignupLimit, Throttled, UncountedLimit
 *         ├── CursorExpired     a newer copy of the register has replaced the cursor's
 *         └── SourcesUnavailable, CopyUnavailable
 *
 * The texts of a problem are the service's, in the client's language. None carries a key or what was asked for.
 */
import type { FieldProblem, ProblemDetails } from "./schema.js";

const PASSING = new Set([500, 502, 503, 504]);
const PASSING_CODES = new Set(["throttled", "uncounted_limit"]);

/** `transient`: the same call may be answered later. `retryAfter`: in so many seconds, if known. */
export class BrskillsError extends Error {
  readonly transient: boolean = false;
  readonly retryAfter: number | undefined = undefined;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The client cannot be used as it is set up. */
export class ConfigurationError extends BrskillsError {}

/** No answer: the call may or may not have been carried out. `kind`: as `TimeoutError`, `ECONNREFUSED`. */
export class ConnectionFailed extends BrskillsError {
  override readonly transient = true;

  constructor(readonly kind: string) {
    super(`the service does not answer (${kind})`);
  }
}

/** An answer that the service does not give: another server's, or a later release's. */
export class UnexpectedAnswer extends BrskillsError {
  override readonly transient: boolean;
  override readonly retryAfter: number | undefined;

  constructor(readonly status: number, headers: Headers) {
    super(`HTTP ${status}: not an answer as described`);
    this.transient = PASSING.has(status) || status === 429; // a proxy's own throttle
    this.retryAfter = waitOf(headers);
  }
}

/** `code` never changes, `title` and `detail` are for people. `members`: the whole problem. */
export class ProblemError extends BrskillsError {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string;
  override readonly transient: boolean;
  override readonly retryAfter: number | undefined;

  constructor(readonly members: ProblemDetails, headers: Headers) {
    super(`${members.title}: ${members.detail}`);
    this.status = members.status;
    this.code = members.code;
    this.title = members.title;
    this.detail = members.detail;
    this.requestId = members.request_id;
    this.transient = PASSING.has(members.status) || PASSING_CODES.has(members.code);
    this.retryAfter = members.retry_after ?? waitOf(headers);
  }
}

/** The request is wrong; `errors` has the faulty fields, the first of `errorsTotal`. Nothing was counted. */
export class InvalidFields extends ProblemError {
  readonly errors: readonly FieldProblem[];
  readonly errorsTotal: number;

  constructor(members: ProblemDetails, headers: Headers) {
    super(members, headers);
    this.errors = members.errors ?? [];
    this.errorsTotal = members.errors_total ?? this.errors.length;
    const listed = this.errors.map(({ campo, detail }) => `${campo}: ${detail}`);
    const rest = this.errorsTotal > listed.length ? [`… (${this.errorsTotal})`] : [];
    this.message = [`${this.title}:`, ...listed, ...rest].join(" ");
  }
}

/** The key is missing, unknown, or was revoked. */
export class InvalidKey extends ProblemError {}

/** The public key may not do this. */
export class DemoKey extends ProblemError {}
/** The plan allows no further watched company. */
export class WatchLimit extends ProblemError {}

/** The account has as many webhooks as it may have. */
export class WebhookLimit extends ProblemError {}

/** The `Idempotency-Key` came with another request in the last 24 hours. */
export class IdempotencyKeyReused extends ProblemError {}

/** `confirmed`: independent sources agree. Else the number may be newer than the day of their data, `dataBase`. */
export class CompanyNotFound extends ProblemError {
  readonly confirmed = this.members.confirmado === true;
  readonly dataBase = this.members.data_base ?? undefined;
}

/** The month has no room. `resetsAt`: when it ends; `undefined` where the answer lacks it. */
export class QuotaExceeded extends ProblemError {
  readonly resetsAt: Date | undefined;

  constructor(members: ProblemDetails, headers: Headers) {
    super(members, headers);
    const reset = seconds(headers.get("X-RateLimit-Reset"));
    this.resetsAt = reset === undefined ? undefined : new Date(reset * 1000);
  }
}

/** Nobody gets a key by themselves: `detail` says whom to ask. */
export class SignupClosed extends ProblemError {}

/** This address or e-mail has had its keys. */
export class SignupLimit extends ProblemError {}

/** Too many calls a second. */
export class Throttled extends ProblemError {}

/** The allowance of requests that are not counted is used up, for a minute or for the month. */
export class UncountedLimit extends ProblemError {}

/** No source of the registry answered as asked; nothing was counted. */
export class SourcesUnavailable extends ProblemError {}

/** There is no copy of the register, or it does not answer; nothing was counted. */
export class CopyUnavailable extends ProblemError {}

/** A newer copy of the register has replaced the cursor's: start the search again. */
export class CursorExpired extends ProblemError {}

const CLASSES: Readonly<Record<string, typeof ProblemError>> = {
  invalid_fields: InvalidFields,
  missing_api_key: InvalidKey,
  invalid_api_key: InvalidKey,
  demo_key: DemoKey,
  watch_limit: WatchLimit,
  webhook_limit: WebhookLimit,
  idempotency_key_reused: IdempotencyKeyReused,
  company_not_found: CompanyNotFound,
  quota_exceeded: QuotaExceeded,
  signup_closed: SignupClosed,
  signup_limit: SignupLimit,
  throttled: Throttled,
  uncounted_limit: UncountedLimit,
  sources_unavailable: SourcesUnavailable,
  copy_unavailable: CopyUnavailable,
  cursor_expired: CursorExpired,
};

/** The error of a problem's members. */
export function problem(members: unknown, status: number, headers: Headers): ProblemError | UnexpectedAnswer {
  if (!isProblem(members)) return new UnexpectedAnswer(status, headers);
  const kind = Object.hasOwn(CLASSES, members.code) ? CLASSES[members.code] : undefined;
  return new (kind ?? ProblemError)(members, headers);
}

function isProblem(members: unknown): members is ProblemDetails {
  const { code, status, title, detail } = (members ?? {}) as Partial<ProblemDetails>;
  return typeof status === "number" && [code, title, detail].every((text) => typeof text === "string");
}

/** What `Retry-After` asks for, in seconds or by a date. */
function waitOf(headers: Headers): number | undefined {
  const text = headers.get("Retry-After");
  if (text === null) return undefined;
  const date = Date.parse(text);
  return seconds(text) ?? (Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000)));
}

/** A number that can be seconds of this era. */
function seconds(text: string | null): number | undefined {
  return text !== null && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
