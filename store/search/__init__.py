"""Search that can be taken apart: one tokeniser, one query language, channels, fusion."""
