"""How software agents reach the skills: by the Model Context Protocol (MCP), or as a model's own tools.

MCP is spoken in both its styles, statelessly: the envelope of each request (revision 2026-07-28) and the
``initialize`` handshake (2024-11-05 to 2025-11-25). Only what serves or describes the tools imports this.
"""
