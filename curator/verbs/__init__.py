"""The verbs of the command line, one module a group. Each has `add`, which declares its parsers.

Nothing here imports the store, textual or numpy before a verb is run.
"""
