import { ConfigurationError } from "./errors.js";

/** Where `make run` serves: there is no public address that all use. */
export const LOCAL_URL = "http://127.0.0.1:8000";

export interface Options {
  /** Default: the environment's `BRSKILLS_API_KEY`. Only `createKey`, `plans` and `status` need none. */
  apiKey?: string | undefined;
  /** Default: the environment's `BRSKILLS_URL`, then {@link LOCAL_URL}. */
  baseUrl?: string | undefined;
  /** Milliseconds that an answer may take, of each attempt. Default: 30,000. */
  timeout?: number;
  /** How often a call that may succeed later is sent again. Default: 3. */
  retries?: number;
  /** Milliseconds after whose end no call is sent again. Default: 60,000. */
  maxWait?: number;
  /** Of the service's texts. Default: `pt`. */
  language?: "pt" | "en";
  /** In place of the platform's, as for tests. */
  fetch?: typeof globalThis.fetch;
}

export interface Settings {
  baseUrl: string;
  headers: Record<string, string>;
  timeout: number;
  retries: number;
  maxWait: number;
  fetch: typeof globalThis.fetch;
}

/** Checked settings; throws `ConfigurationError`, without the key. */
export function settingsOf(options: Options, version: string): Settings {
  const baseUrl = options.baseUrl || fromEnvironment("BRSKILLS_URL") || LOCAL_URL;
  const apiKey = options.apiKey || fromEnvironment("BRSKILLS_API_KEY");
  if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(baseUrl)) {
    throw new ConfigurationError("the service's address takes scheme and host, as https://brskills.example");
  }
  if (apiKey && !/^[!-~]+$/.test(apiKey)) {
    throw new ConfigurationError("the API key holds characters that no key has");
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    headers: {
      "Accept-Language": options.language ?? "pt",
      "User-Agent": `brskills-typescript/${version}`,
      ...(apiKey && { "X-API-Key": apiKey }),
    },
    timeout: options.timeout ?? 30_000,
    retries: options.retries ?? 3,
    maxWait: options.maxWait ?? 60_000,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

/** Browsers and workers have no environment. */
function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
