"""Texts as unit vectors, and which model made them.

`identity` says what made a vector and never imports numpy; `protocol` is what the store asks
of any embedder; `static` is the bundled model, which needs no network; `remote` is one behind
a server (`dialects`: how it is asked, `posting` and `failures`: with what patience, `probes`:
how it is known again); `choice` makes one from settings; `space` judges whether it fits a
store; `missing` finds texts whose vector failed.
"""
