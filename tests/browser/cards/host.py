"""A host with MCP Apps: it lists and calls tools, and shows cards in a frame as the specification wants it.

The card has an address at another origin, a sandbox, and the policy for documents that declare no domains, as
strict as that of MCP Inspector, which lets them load no image.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

HOST = "https://host.example/"
CARD = "https://card.example/"
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'none'; media-src 'none'; connect-src 'none'"
)
REFUSED = "The Clipboard API has been blocked"  # as a host may; the card then selects the code
MIME_TYPE = "text/html;profile=mcp-app"
VERSION = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
CAPABILITIES = {"extensions": {f"{PREFIX}ui": {"mimeTypes": [MIME_TYPE]}}}
META = {f"{PREFIX}protocolVersion": VERSION, f"{PREFIX}clientCapabilities": CAPABILITIES}
PAGE = Path(__file__).with_name("host.html")


class Server:
    """The service as such a host sees it."""

    def __init__(self, base: str) -> None:
        self._http = httpx.Client(base_url=base, timeout=60)
        self._key = self._http.post("api/v1/keys").json()["api_key"]

    def request(self, method: str, params: dict[str, Any], language: str = "pt") -> dict[str, Any]:
        headers = {"MCP-Protocol-Version": VERSION, "Mcp-Method": method, "X-API-Key": self._key}
        if name := params.get("name", params.get("uri")):
            headers["Mcp-Name"] = name
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        answered = self._http.post("mcp", json=message, headers={**headers, "Accept-Language": language})
        result: dict[str, Any] = answered.json()["result"]
        return result

    def call(self, name: str, arguments: dict[str, Any], language: str = "pt") -> dict[str, Any]:
        """Return a tool's whole result."""
        return self.request("tools/call", {"name": name, "arguments": arguments}, language)

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def card(self, tool: str) -> str:
        """Return the document of a tool's card."""
        (found,) = (each for each in self.request("tools/list", {})["tools"] if each["name"] == tool)
        (content,) = self.request("resources/read", {"uri": found["_meta"]["ui"]["resourceUri"]})["contents"]
        assert content["mimeType"] == MIME_TYPE
        return str(content["text"])


class CardHost:
    """A page with one card in it."""

    def __init__(self, browser: Browser, server: Server, **options: Any) -> None:
        self.server = server
        self.issues: list[str] = []
        self.context: BrowserContext = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.page.route("**/*", lambda route: route.abort())
        self.page.route(HOST, lambda route: route.fulfill(path=PAGE, content_type="text/html"))
        self.page.on("pageerror", lambda error: self.issues.append(f"script: {error}"))
        self.page.on("console", lambda message: self._note_message(f"{message.type}: {message.text}"))
        self.page.on("request", lambda request: self._note(request.url))
        self.page.goto(HOST)

    def _note_message(self, text: str) -> None:
        if REFUSED not in text:
            self.issues.append(text)

    def _note(self, url: str) -> None:
        if not url.startswith(("data:", HOST, CARD)):
            self.issues.append(f"request: {url}")

    @property
    def card(self) -> FrameLocator:
        return self.page.frame_locator("iframe")

    def open(self, tool: str, *, may_copy: bool = False, **context: Any) -> None:
        """Show the card of a tool, whose answer has not come yet.

        ``may_copy``: the host grants what the card asks for. ``context``: the host's, as theme and locale.
        """
        document, headers = self.server.card(tool), {"Content-Security-Policy": POLICY}
        self.page.route(
            CARD, lambda route: route.fulfill(body=document, content_type="text/html", headers=headers)
        )
        self.page.evaluate("([...given]) => open_(...given)", [CARD, may_copy, context])
        self.page.wait_for_function("sent('ui/notifications/initialized').length === 1")

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self.page.evaluate("post", {"method": f"ui/notifications/{method}", "params": params})

    def answer(self, result: dict[str, Any]) -> None:
        """Hand the card a tool's result, and wait until it is shown."""
        self.notify("tool-input", {"arguments": {}})
        self.notify("tool-result", result)
        expect(self.card.locator("#card")).to_have_attribute("aria-busy", "false")

    def show(self, tool: str, arguments: dict[str, Any], **context: Any) -> dict[str, Any]:
        """Call a tool, and show its answer; return its result."""
        language = "en" if context.get("locale", "pt").startswith("en") else "pt"
        result = self.server.call(tool, arguments, language)
        self.open(tool, **context)
        self.answer(result)
        return result

    def expect_picture(self) -> None:
        """Wait until the code's picture is drawn."""
        expect(self.card.locator(".qr canvas[width]")).to_be_visible()

    def sent(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of what the card sent by this method."""
        found: list[dict[str, Any]] = self.page.evaluate("(method) => sent(method)", method)
        return found

    def lines(self) -> dict[str, str]:
        """Return the terms of the card, and what it says of each."""
        names, values = (self.card.locator(tag).all_inner_texts() for tag in ("dt", "dd"))
        return dict(zip(names, values, strict=True))

    def paper(self) -> str:
        """Return the colour of the card's background."""
        found: str = self.card.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
        return found

    def close(self) -> None:
        """Close the page. Raise ``AssertionError`` if a script failed or anything was loaded."""
        self.context.close()
        assert self.issues == [], self.issues
