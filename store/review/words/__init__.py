"""Word lists of the comparison, one module a language; plain text, no behaviour."""
