/** A server that gives prepared answers, in their order, and keeps what it was asked. */
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export type Reply = (response: ServerResponse) => void;

/** Runs `use` with the server's address; the last reply is given for all that comes after. */
export async function answering<T>(replies: Reply[], use: (url: string, asked: Asked[]) => Promise<T>): Promise<T> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    asked.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
    const reply = replies[Math.min(asked.length, replies.length) - 1];
    reply?.(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}

export function json(status: number, content: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(content));
  };
}

export function text(status: number, content: string, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "Content-Type": "text/html", ...headers });
    response.end(content);
  };
}

export function problem(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const type = `urn:brskills:problem:${code}`;
  return json(status, { type, title: "Título", status, detail: "Detalhe.", code, request_id: "r" }, headers);
}

/** The connection ends without an answer. */
export const reset: Reply = (response) => void response.socket?.destroy();

/** Half of an answer, and then the connection ends. */
export const torn: Reply = (response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
  response.write('{"mes": ', () => response.socket?.destroy());
};

/** Nothing, ever. */
export const silence: Reply = () => {};
