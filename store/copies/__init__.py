"""Stores as files of lines, and back: export and import of our own (domain.md, law 13)."""
