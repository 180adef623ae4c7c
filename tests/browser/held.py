"""Answers of the API held back, so that a test says when they come and in which order."""

import json
from typing import Any

from playwright.sync_api import Page, Route

A_WHILE = 300  # milliseconds: for what must not happen
SOON = 500  # waits of 10 milliseconds: for what must happen


class Held:
    """The requests to one route of the API in their order, but for drafts; each waits to be answered."""

    def __init__(self, page: Page, path: str) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(f"**/api/v1/{path}", self._take)

    def _take(self, route: Route) -> None:
        if "rascunho" in (route.request.post_data or ""):
            route.continue_()
        else:
            self.routes.append(route)

    def __getitem__(self, index: int) -> Route:
        for _ in range(SOON):
            if index < len(self.routes):
                break
            self.page.wait_for_timeout(10)
        return self.routes[index]

    def pass_on(self, index: int) -> None:
        """Let a request through to the API, and wait a while after it was answered."""
        self[index].continue_()
        self.page.wait_for_timeout(A_WHILE)

    def count_after_a_while(self) -> int:
        """How many requests there were, once no more can be on their way."""
        self.page.wait_for_timeout(A_WHILE)
        return len(self.routes)


def problem(status: int, code: str, **more: Any) -> dict[str, Any]:
    """What a route is fulfilled with to refuse."""
    body = {"code": code, "status": status, "detail": f"Recusado: {code}.", **more}
    return {"status": status, "content_type": "application/problem+json", "body": json.dumps(body)}
