// The official TypeScript client with an OAuth provider: `node sign-in.mjs URL KEY legacy|auto`.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";

const [url, key, mode] = process.argv.slice(2);
const REDIRECT = "http://127.0.0.1/callback";

// Somebody who pastes the key at the page and agrees: the address they are sent on to.
async function agree(address) {
  const page = await fetch(address);
  const [, token] = (await page.text()).match(/name="token" value="(\w+)"/);
  const agreed = await fetch(address, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      Cookie: page.headers.get("set-cookie").split(";")[0],
      Origin: address.origin,
    },
    body: new URLSearchParams({ token, key, answer: "allow" }),
  });
  assert.equal(agreed.status, 303);
  return new URL(agreed.headers.get("location"));
}

class Provider {
  asked = 0;
  redirectUrl = REDIRECT;
  clientMetadata = {
    client_name: "brskills-test",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  clientInformation = () => this.client;
  saveClientInformation = (client) => void (this.client = client);
  tokens = () => this.kept;
  saveTokens = (tokens) => void (this.kept = tokens);
  codeVerifier = () => this.verifier;
  saveCodeVerifier = (verifier) => void (this.verifier = verifier);
  discoveryState = () => this.found;
  saveDiscoveryState = (found) => void (this.found = found);
  invalidateCredentials = () => void (this.kept = undefined);
  async redirectToAuthorization(address) {
    this.asked += 1;
    this.told = (await agree(address)).searchParams;
  }
}

class Visitor {
  constructor(address, headers = {}) {
    this.address = new URL(address);
    this.headers = headers;
    this.provider = new Provider();
  }
  async connect() {
    await this.#signingIn(async () => {
      this.client = new Client({ name: "brskills-test", version: "1" }, { versionNegotiation: { mode } });
      this.transport = new StreamableHTTPClientTransport(this.address, {
        authProvider: this.provider,
        requestInit: { headers: this.headers },
      });
      await this.client.connect(this.transport);
    });
    return this;
  }
  call(name, args = {}) {
    return this.#signingIn(() => this.client.callTool({ name, arguments: args }));
  }
  // A program does this itself: the library opens the page, and then leaves what came back to it.
  async #signingIn(act) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      await this.transport.finishAuth(this.provider.told);
      return await act();
    }
  }
}

async function endGrants() {
  const base = url.replace(/\/mcp$/, "");
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const { acessos } = await (await fetch(`${base}/api/v1/grants`, { headers })).json();
  for (const { id } of acessos)
    await fetch(`${base}/api/v1/grants/end`, { method: "POST", headers, body: JSON.stringify({ id }) });
}

const asked = await new Visitor(`${url}/oauth`).connect();
assert.equal(asked.provider.asked, 1);
assert.equal((await asked.client.listTools()).tools.length, 10);
assert.equal((await asked.call("get_usage")).structuredContent.plano, "free");
await endGrants();
assert.equal((await asked.call("get_usage")).structuredContent.plano, "free");
assert.equal(asked.provider.asked, 2);
await endGrants();

const claude = await new Visitor(url, { "User-Agent": "Claude-User" }).connect();
assert.equal((await claude.client.listTools()).tools.length, 10);
assert.equal(claude.provider.asked, 0);
assert.equal((await claude.call("get_usage")).structuredContent.plano, "free");
assert.equal(claude.provider.asked, 1);
await endGrants();

const unknown = await new Visitor(url).connect();
const refusal = await unknown.call("get_usage");
assert.equal(refusal.isError, true);
assert.match(refusal._meta["mcp/www_authenticate"][0], /^Bearer resource_metadata="http/);
assert.equal(unknown.provider.asked, 0);
await Promise.all([asked, claude, unknown].map((visitor) => visitor.client.close()));
