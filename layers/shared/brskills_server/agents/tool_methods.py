"""The methods of tools: their list, and a call."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from brskills_server import telemetry
from brskills_server.accounts.errors import InvalidKey
from brskills_server.agents.cards import Cards, shows_cards
from brskills_server.agents.message import INVALID_PARAMS, Message, RpcError
from brskills_server.agents.methods import PUBLIC_TTL_MS, check_page
from brskills_server.agents.protocol_versions import Style
from brskills_server.agents.results import ToolResult, failure, problem_for, refused
from brskills_server.agents.sign_in import is_challenged
from brskills_server.runtime.settings import Settings
from brskills_server.skills.catalogue import SKILLS, TOOL_BATCHES
from brskills_server.skills.custom import CUSTOM
from brskills_server.skills.errors import classify
from brskills_server.skills.skill import Skill
from brskills_server.skills.tool_formats import tools_as
from brskills_server.telemetry.figures import REFUSALS
from brskills_server.web.request import Request

RunTool = Callable[[Skill, Mapping[str, Any], Request], ToolResult]
CustomSkillsOf = Callable[[Request], Mapping[str, Skill]]

_PRIVATE_LIST_TTL_MS = 60_000


class ToolMethods:
    """``tools/list`` and ``tools/call``; see ``server.Server`` for the arguments."""

    def __init__(
        self,
        settings: Settings,
        run_tool: RunTool,
        custom_skills: CustomSkillsOf,
        cards: Cards,
        has_copy: Callable[[], bool],
    ) -> None:
        self._settings = settings
        self._run_tool = run_tool
        self._custom_skills = custom_skills
        self._cards = cards
        self._has_copy = has_copy
        self._texts: dict[tuple[bool, str, bool], str] = {}

    def list(self, message: Message, style: Style, request: Request) -> dict[str, Any]:
        """Return the tools that a client may call, in one page; ``tools`` is JSON text."""
        check_page(message)
        try:
            custom = self._custom_skills(request)
        except InvalidKey:  # listing is open, with or without a valid key
            custom = {}
        # With a key the list is private, and its owner's rights may change soon.
        ttl, scope = (_PRIVATE_LIST_TTL_MS, "private") if request.api_key else (PUBLIC_TTL_MS, "public")
        caching = {"ttlMs": ttl, "cacheScope": scope} if style is Style.ENVELOPE else {}
        return {"tools": self._tools_text(custom, message, request.language), **caching}

    def _tools_text(self, custom: Mapping[str, Skill], message: Message, language: str) -> str:
        """Return tools as JSON, made once for all clients without custom skills."""
        with_copy = self._has_copy()
        kind = shows_cards(message), language, with_copy
        if custom or kind not in self._texts:
            others = [*TOOL_BATCHES.values(), *custom.values()]
            tools = self._cards.mark(tools_as("mcp", others, language, with_copy=with_copy), message)
            text = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
            if custom:
                return text
            self._texts[kind] = text
        return self._texts[kind]

    def call(self, message: Message, request: Request) -> tuple[dict[str, Any], Mapping[str, str]]:
        """Return the result of a call, and its HTTP headers."""
        arguments = message.params.get("arguments")
        if arguments is not None and not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "arguments must be an object")
        try:
            skill = self._skill(message.params.get("name"), request)
            result = self._run_tool(skill, arguments or {}, request)
        except Exception as error:
            problem = problem_for(error, request)
            if problem is None:
                raise
            request.outcome.end_with(classify(error))
            if is_challenged(problem, message, request):
                raise refused(problem, request, self._settings) from None
            telemetry.count(REFUSALS, problem.code)
            result = failure(problem, request, self._settings)
        return result.content, result.headers

    def _skill(self, name: Any, request: Request) -> Skill:
        """Return the skill with this name; a custom skill of other accounts is unknown."""
        skills = {**SKILLS, **TOOL_BATCHES}
        if isinstance(name, str) and name not in skills:
            request.outcome.part = CUSTOM  # a store that fails here fails the call of a custom skill
            skills |= self._custom_skills(request)
        if not isinstance(name, str) or name not in skills:
            request.outcome.part = ""
            raise RpcError(INVALID_PARAMS, f"Unknown tool; there are: {', '.join(skills)}")
        return skills[name]
