"""Opened stores and the two views on them: what an agent holds, what a curator holds."""
