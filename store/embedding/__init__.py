"""Texts as unit vectors, and which model made them.

`identity` says what made a vector and never imports numpy; `protocol` is what the store asks
of any embedder; `static` is the bundled model, which needs no network.
"""
