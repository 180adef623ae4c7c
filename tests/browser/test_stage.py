"""The page behind a path prefix, such as a stage's name or a proxy's."""

import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError

import pytest
from playwright.sync_api import expect

from functions.site import app

STAGE = "/v1"


@pytest.fixture
def staged(base: str) -> Iterator[tuple[str, list[str]]]:
    """The service under ``/v1``, and the addresses that were asked for outside it."""
    strays: list[str] = []

    class Stage(BaseHTTPRequestHandler):
        """Takes the prefix away, as API Gateway does."""

        def do_GET(self) -> None:
            if self.path == STAGE:  # the event of API Gateway; the local gateway has no stages
                event = {"resource": "/", "httpMethod": "GET", "requestContext": {"path": STAGE}}
                answer = app.handler(event, None)
                self._send(200, answer["headers"], answer["body"].encode())
            elif self.path.startswith(f"{STAGE}/"):
                self._pass_on()
            else:
                strays.append(self.path)
                self.send_error(404)

        do_POST = do_GET

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
            address = base + self.path.removeprefix(f"{STAGE}/")
            request = urllib.request.Request(address, body, dict(self.headers), method=self.command)
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    self._send(answer.status, dict(answer.headers), answer.read())
            except HTTPError as refusal:
                self._send(refusal.code, dict(refusal.headers), refusal.read())

        def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                if name not in {"Connection", "Date", "Server"}:
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Stage)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}{STAGE}", strays
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["", "/", "/en"])
def test_the_page_works_behind_a_stage(browser, staged, path):
    address, strays = staged
    context = browser.new_context()
    page = context.new_page()
    page.goto(address + path, wait_until="networkidle")
    expect(page.locator("#cnpj-name")).to_have_text("EMPRESA DE EXEMPLO LTDA")
    expect(page.locator("#pix-samples-code")).to_contain_text(f"{address}/api/v1/skills/pix")
    page.locator(".bar nav").get_by_role("link").nth(1).click()  # the reference
    expect(page.locator("#viewer .opblock").first).to_be_visible()
    page.locator(".brand").click()
    expect(page).to_have_url(f"{address}/{'en' if path == '/en' else ''}")
    context.close()
    assert strays == []


def test_the_guides_lead_to_one_another_behind_a_stage(browser, staged):
    address, strays = staged
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/en", wait_until="networkidle")
    page.locator(".bar").get_by_role("link", name="Docs").click()
    page.get_by_role("main").get_by_role("link", name="Keys, quotas and limits").last.click()
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(f"{address}/en/docs/errors")
    expect(page.locator(".docs aside")).to_have_css("position", "sticky")  # the style sheet has come
    page.locator("article .code").first.wait_for()  # and the script
    page.locator(".brand").click()
    expect(page).to_have_url(f"{address}/en")
    context.close()
    assert strays == []
