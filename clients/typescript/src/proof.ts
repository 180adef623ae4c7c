import { Client } from "./client.js";
import { BrskillsError } from "./errors.js";
import type { KeySet } from "./schema.js";

/** A verified proof. `resposta` is the answer; `pedido` what was asked, with the SHA-256 of the body's bytes in hex. */
export interface Proof {
  iss: string;
  iat: number;
  jti: string;
  aud: string;
  pedido: { metodo: string; caminho: string; sha256: string };
  resposta: Record<string, unknown>;
}

/** A text that none of the keys signed. */
export class InvalidProof extends BrskillsError {}

const ECDSA = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/**
 * What a proof holds (an answer to `Accept: application/jose`). Without `keys`, those of the service that `client` is
 * set to are fetched, never of the proof's issuer. Rejects with `InvalidProof`.
 */
export async function verifyProof(proof: string, keys?: KeySet, client = new Client()): Promise<Proof> {
  const known = keys ?? (await client.proofKeys());
  const claims = await claimsOf(proof.trim(), known).catch(() => null);
  if (!isProof(claims)) throw new InvalidProof("none of these keys signed this text");
  return claims;
}

async function claimsOf(proof: string, { keys }: KeySet): Promise<unknown> {
  const [head, payload, signature, ...rest] = proof.split(".");
  if (!head || !payload || !signature || rest.length > 0) return null;
  const { alg, kid, crit } = JSON.parse(textOf(head));
  const named = keys.filter((key) => key.kid === kid);
  if (alg !== "ES256" || crit !== undefined || named.length !== 1) return null;
  const { kty, crv, x, y } = named[0]!;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x, y }, ECDSA, false, ["verify"]);
  const signed = new TextEncoder().encode(`${head}.${payload}`);
  const isSigned = await crypto.subtle.verify(ECDSA, key, bytesOf(signature), signed);
  return isSigned ? JSON.parse(textOf(payload)) : null;
}

function isProof(claims: any): claims is Proof {
  const texts = [claims?.iss, claims?.jti, claims?.aud, ...["metodo", "caminho", "sha256"].map((name) => claims?.pedido?.[name])];
  const answer = claims?.resposta;
  return texts.every((text) => typeof text === "string") && typeof claims.iat === "number" && typeof answer === "object" && answer !== null;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw new SyntaxError("base64url expected");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

const textOf = (text: string) => new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(text));
