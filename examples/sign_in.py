"""Signing in by OAuth with the standard library: register, ask a person, get tokens, use them, end them."""

import base64, hashlib, json, os, secrets, webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import Request, urlopen

base = os.environ.get("BRSKILLS_URL", "http://127.0.0.1:8000")


def read(path, body=None, **headers):
    """Return the JSON answer to a form, to JSON, or to a request without a body."""
    with urlopen(Request(base + path, body and body.encode(), headers), timeout=30) as answer:
        return json.loads(answer.read() or "null")


def tokens(**grant):
    """Return tokens for a code or a refresh token. The client has no secret: it sends its id."""
    return read("/oauth/token", urlencode({"client_id": client_id, **grant}))


class Callback(BaseHTTPRequestHandler):
    """The target of the redirect: it receives the code, which is useless without the verifier."""

    def do_GET(self):
        """Store the parameters of the redirect."""
        self.server.answer = dict(parse_qsl(urlsplit(self.path).query))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"You may close this window.")

    def log_message(self, *_):
        """Log nothing: the line would have the code."""


is_json = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
issuer = read("/.well-known/oauth-authorization-server")["issuer"]
about = {"client_name": "Exemplo", "redirect_uris": ["http://127.0.0.1/callback"]}
client_id = read("/oauth/register", json.dumps(about), **is_json)["client_id"]

server = HTTPServer(("127.0.0.1", 0), Callback)  # any port of loopback is accepted
redirect_uri = f"http://127.0.0.1:{server.server_port}/callback"
verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
question = {"response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri, "state": state}
question |= {"code_challenge": challenge, "code_challenge_method": "S256", "scope": "pix conta"}
page = f"{base}/oauth/authorize?{urlencode(question)}"
print("A person allows it at", page, flush=True)
webbrowser.open(page)
server.handle_request()
server.server_close()
answer = server.answer
if (answer.get("iss"), answer.get("state")) != (issuer, state) or "code" not in answer:
    raise SystemExit(f"not allowed: {answer.get('error', 'this does not answer our question')}")

proof = {"code": answer["code"], "code_verifier": verifier, "redirect_uri": redirect_uri}
first = tokens(grant_type="authorization_code", **proof)
print("allowed:", first["scope"], "for", first["expires_in"], "s")

call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_usage", "arguments": {}}}
answer = read("/mcp/oauth", json.dumps(call), Authorization=f"Bearer {first['access_token']}", **is_json)
print("calls this month:", answer["result"]["structuredContent"]["chamadas"])

second = tokens(grant_type="refresh_token", refresh_token=first["refresh_token"])  # invalidates the first
read("/oauth/revoke", urlencode({"client_id": client_id, "token": second["refresh_token"]}))  # ends the grant
print("refreshed and revoked")
