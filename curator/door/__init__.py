"""The agents' door: seven tools over MCP (doors.md). Imports mcp only in server.py."""
