"""How software agents reach the skills: their tools, and the Model Context Protocol (MCP) they call them by.

MCP is spoken in both its eras, statelessly: the envelope of each request (revision 2026-07-28) and the
``initialize`` handshake (2024-11-05 to 2025-11-25). Only the functions that serve agents import this.
"""

from agents.formats import FORMATS, tools_as
from agents.server import Server
from agents.tools import TOOLS, Tool

__all__ = ["FORMATS", "TOOLS", "Server", "Tool", "tools_as"]
