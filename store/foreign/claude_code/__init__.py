"""Claude Code's memory, and the standing instructions of coding agents in a repository.

Layout: popular-stores.md §3. A path may be the base folder (`~/.claude`), its `projects`
folder, one `projects/<slug>` or its `memory` folder, an `agent-memory/<agent>` folder, a
repository that holds CLAUDE.md, AGENTS.md, GEMINI.md or the like, one such file, or a folder
with several of these below it. Transcripts beside a memory folder are never walked.

Memories (memory_folder.py):

- a topic file is one memory. Its text is the body; the `description` stands before it where it
  has a word that the body lacks. `name`, else the file's name, is the subject;
- `type` is kept as a tag and gives the kind: feedback → preference, project → context,
  reference → reference, user and none → fact;
- dates: `modified`, else the file's time. `[[links]]` become `links_to` relations;
- a MEMORY.md that mostly lists files is an index, no memory: lines that name a missing file,
  files that no line names, and what lies beyond the 200 lines or 25 KB that Claude loads are
  noted. Other text in it, and a MEMORY.md without such lines, is read by section.

Instructions (instructions.py) are read by section, with kind `instruction` and the heading
path as subject; `paths` and `globs` of rules stay in the raw record, and `@imports` are noted.

Scopes:

- `projects/<slug>` → `project/<name>`. The slug is a path with every other sign made `-` and
  cannot be turned back: the name is taken from the `cwd` of a transcript beside it, where one
  of its folders gives this slug; else it is guessed (projects.py) and a note says so;
- a repository → `project/<folder name>`; the user's own CLAUDE.md and rules → `user/me`;
- `agent-memory/<agent>` → `agent/<agent>`; that of a repository → `project/<name>/agent/<agent>`.
"""

from store.foreign.claude_code.reader import ClaudeCodeReader

__all__ = ["ClaudeCodeReader"]
