"""Erase: destroying the text of memories everywhere the product can reach (domain.md, law 7).

`erase` takes the memories out in one transaction each batch, `elsewhere` finds what other rows
quote of them, `finishing` rids the files of old bytes, `scanning` looks for what is left, and
`receipts` says all of it without a word of the text.
"""
