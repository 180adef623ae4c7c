// No server fills a client's memory, holds its call without end, or has it repeat one without a pause.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGzip } from "node:zlib";

import { Client, ConnectionFailed, type Options, ProblemError, UnexpectedAnswer } from "brskills";

import { type Reply, answering, problem, silence } from "./scripted.ts";

const MEGABYTE = Buffer.alloc(1 << 20);

async function failing(reply: Reply, options: Options = {}) {
  return answering([reply], async (baseUrl, asked) => {
    const outcome = await new Client({ baseUrl, ...options }).status().catch((error: unknown) => error);
    return { outcome, asked };
  });
}

/** A gigabyte of zeros: a megabyte as it is sent. */
function bomb(response: ServerResponse): void {
  response.writeHead(200, { "Content-Encoding": "gzip" });
  const gzip = createGzip();
  gzip.on("error", () => {}).pipe(response);
  response.on("close", () => gzip.destroy());
  let left = 1024;
  const fill = (): void => {
    while (left > 0 && !gzip.destroyed) {
      left -= 1;
      if (!gzip.write(MEGABYTE)) return void gzip.once("drain", fill);
    }
    if (!gzip.destroyed) gzip.end();
  };
  fill();
}

function endless(response: ServerResponse): void {
  response.writeHead(200);
  const fill = (): void => {
    while (!response.destroyed && response.write(MEGABYTE));
    if (!response.destroyed) response.once("drain", fill);
  };
  fill();
}

for (const [title, reply] of [["compressed", bomb], ["without end", endless]] as const) {
  test(`an answer that is ${title} is left`, async () => {
    const { outcome, asked } = await failing(reply);
    assert.ok(outcome instanceof UnexpectedAnswer && outcome.status === 200);
    assert.equal(asked.length, 1);
    assert.ok(process.memoryUsage().rss < 400 * 2 ** 20);
  });
}

const OK = "HTTP/1.1 200 OK\r\n";

for (const [title, start] of [
  ["status", "HTTP/1.1 200 "],
  ["head", `${OK}X-A: `],
  ["body", `${OK}\r\n`],
  ["chunk", `${OK}Transfer-Encoding: chunked\r\n\r\nffff\r\n`],
  // With a name of the file that has no end: nothing comes out of it.
  ["compressed body", `${OK}Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\0`],
] as const) {
  test(`a ${title} that comes a byte after the other ends with the time-out`, async () => {
    const reply: Reply = ({ socket }) => {
      socket?.write(start, "latin1");
      const timer = setInterval(() => socket?.write("x"), 20);
      socket?.on("error", () => {}).on("close", () => clearInterval(timer));
    };
    const { outcome } = await failing(reply, { timeout: 300, retries: 0 });
    assert.ok(outcome instanceof ConnectionFailed);
    assert.equal(outcome.kind, "TimeoutError");
  });
}

for (const asked of ["0", "Thu, 01 Jan 2026 00:00:00 GMT"]) {
  test(`a repetition pauses, also where ${asked} is asked for`, async () => {
    const times: number[] = [];
    const busy = problem(503, "sources_unavailable", { "Retry-After": asked });
    const reply: Reply = (response) => {
      times.push(performance.now());
      busy(response);
    };
    const { outcome } = await failing(reply, { retries: 2 });
    assert.ok(outcome instanceof ProblemError);
    const [first = 0, second = 0, third = 0] = times;
    assert.ok(second - first >= 490 && third - second >= 490); // a timer may end a little early
  });
}

test("no pause is longer than a day", async () => {
  const reply = problem(503, "sources_unavailable", { "Retry-After": "9999999999" });
  const { asked } = await failing(reply, { maxWait: Infinity });
  assert.equal(asked.length, 1);
});

test("time and the caller's abort end a call also after memory was collected", async () => {
  setFlagsFromString("--expose-gc");
  const collecting = setInterval(runInNewContext("gc"), 20);
  await answering([silence], async (baseUrl) => {
    const late = await new Client({ baseUrl, timeout: 300, retries: 0 }).status().catch((error: unknown) => error);
    assert.ok(late instanceof ConnectionFailed && late.kind === "TimeoutError");
    const given = new AbortController();
    setTimeout(() => given.abort(new Error("mine")), 300);
    await assert.rejects(new Client({ baseUrl }).status({ signal: given.signal }), /mine/);
  });
  clearInterval(collecting);
});
