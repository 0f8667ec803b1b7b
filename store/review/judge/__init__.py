"""The judge: a language model asked for what rules cannot see. It only ever proposes.

Memory text goes out fenced as data (`fence`), an answer counts only as far as the texts it was
made from bear it out (`grounding`), and what was asked is remembered (`ledger`), so that a
second run costs nothing and a killed one goes on. Prompts are the files in `prompts/`.
"""
