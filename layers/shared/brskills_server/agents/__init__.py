"""The skills for software agents: by the Model Context Protocol (MCP), and as tools of models' APIs.

MCP is stateless, in both its styles: the envelope of each request (revision 2026-07-28) and the
``initialize`` handshake (2024-11-05 to 2025-11-25).
"""
