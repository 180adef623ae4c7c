/** How a request is sent: within a time, again where that may help, and with every failure as one of our errors. */
import pRetry from "p-retry";

import { BrskillsError, ConnectionFailed, UnexpectedAnswer, problem } from "./errors.js";
import type { Settings } from "./settings.js";

/** Bytes of a decoded body; the service's own answers have at most 5 MB. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Milliseconds that a call is repeated for at most: timers of the platform take no more than 24 days. */
const LONGEST_WAIT = 86_400_000;

/** Sends a request once. Rejects with a `BrskillsError`, or with the reason of the caller's own abort by `given`. */
export async function sendOnce(request: Request, { fetch, timeout }: Settings, given = request.signal): Promise<Response> {
  // To fetch itself: Node's copy of a request loses its signal when memory is collected.
  const signal = AbortSignal.any([given, AbortSignal.timeout(timeout)]);
  let response: Response, text: string | undefined;
  try {
    // A redirect is not followed: the key would go to wherever it leads.
    response = await fetch(request, { signal, redirect: "manual" });
    text = await readText(response);
  } catch (failure) {
    given.throwIfAborted();
    throw new ConnectionFailed(kindOf(failure)); // without its words, which may hold addresses
  }
  const { status, headers } = response;
  if (text === undefined) throw new UnexpectedAnswer(status, headers);
  const content = parsed(text);
  if (!response.ok) throw problem(content, status, headers);
  if (text !== "" && content === undefined) throw new UnexpectedAnswer(status, headers);
  return new Response(text || null, { status, headers });
}

/** Sends a request until it is answered, or what it ends with is final, or time is up. */
export async function sendRepeatedly(request: Request, settings: Settings): Promise<Response> {
  const { signal } = request;
  const end = performance.now() + Math.min(settings.maxWait, LONGEST_WAIT);
  return pRetry(() => sendOnce(request.clone(), settings, signal), {
    retries: settings.retries,
    minTimeout: 500,
    maxTimeout: 20_000,
    randomize: true,
    signal,
    shouldRetry: async ({ error, retryDelay }) => {
      if (!(error instanceof BrskillsError && error.transient)) return false;
      const asked = (error.retryAfter ?? 0) * 1000;
      if (performance.now() + asked + retryDelay > end) return false;
      await passed(asked, signal); // and then a random time, or all would come back at once
      return true;
    },
  });
}

/** A body's text; `undefined`, and no more of it is read, as soon as it is larger than any answer. */
async function readText({ body }: Response): Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > MAX_BYTES) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function kindOf(failure: unknown): string {
  const { cause, name } = failure as { cause?: { code?: unknown }; name?: unknown };
  return String(cause?.code ?? name);
}
