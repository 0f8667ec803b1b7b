"""mnemonic (npm `@danielmarbach/mnemonic-mcp`): vaults of Markdown notes.

Layout: reference-systems.md A.3. A path may be a vault (the main one, `.mnemonic` or
`.mnemonic-<name>`), a project folder that holds some, or a folder with several of these below
it; they share one space of ids, so links between vaults that are read together are followed.
How its words become ours:

- `supersedes` stands on the OLD note and its id names the NEW one: one old note and its
  successor are versions of one memory (corrected), several old ones are merged into theirs;
- notes that exist only in the git history were forgotten: read from there and retired
  (history.py); a note that was moved is no forgotten one;
- scope: `project/<projectName>`, the same for `https-github-com-…` and `github-com-…`; two
  projects of one name keep their ids; a note without a project is `global`, as there, but in
  a project's vault it is the project's;
- title → subject; role → kind; importance high, normal, low → 0.8, 0.5, 0.2;
  `alwaysLoad` → pinned; lifecycle `temporary` → episodic and tagged so, else semantic;
- other relations keep their type; `related-to`, which both notes carry, is kept once.

`vaultPath` is a path on the writer's machine: kept in the raw record, never followed.
Embeddings and projections are derived and not read.
"""

from store.foreign.mnemonic.reader import MnemonicReader

__all__ = ["MnemonicReader"]
