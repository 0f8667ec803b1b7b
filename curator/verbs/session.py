"""What a verb needs before it starts: which store is meant, and who acts."""

from __future__ import annotations

import argparse
import getpass
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from curator.paths import find_paths
from curator.verbs.arguments import Done

if TYPE_CHECKING:
    from store import Actor, CuratorView, Store

T = TypeVar("T")
STORE_VARIABLE = "CURATOR_STORE"
USER_VARIABLE = "CURATOR_USER"
_UNFIT_NAME = re.compile(r"[^A-Za-z0-9._@+-]+")
_URL = re.compile(r"[a-z][a-z0-9+]*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Session:
    """An open store and the view of the person who asks."""

    store: Store
    view: CuratorView
    actor: Actor


@contextmanager
def session(args: argparse.Namespace, *, create: bool = False) -> Iterator[Session]:
    """Open the store that is meant. Raises `CannotOpen` and its kinds, `NotFound`."""
    from curator.embedding import chosen
    from store import Actor, open_store
    from store.keys import Keys

    actor = Actor.human(person())
    keys = Keys(find_paths().keys)
    with open_store(location(args), create=create, embedder=chosen(), keys=keys) as store:
        view = store.curator(actor)
        before = view.changed()
        try:
            yield Session(store, view, actor)
        finally:
            args.done.wrote |= _wrote(view, before, actor)


def _wrote(view: CuratorView, before: int, actor: Actor) -> bool:
    """Whether this program changed the store since; other programs may have, too."""
    from store.errors import StoreError

    try:
        if view.changed() == before:
            return False
        ours = (str(actor), "system:")
        return any(e.actor.startswith(ours) for e in view.events(limit=100) if e.seq > before)
    except StoreError:  # lost meanwhile: what is said of it then is the other error's
        return False


def creating(args: argparse.Namespace, act: Callable[[Session], T]) -> T:
    """An act on the store that is meant, which makes the store where there is none.

    There it is tried first on an empty one that is thrown away, so that an act which stores
    nothing leaves no store behind.
    """
    from store.errors import StorageFull

    if is_missing(args):
        try:
            with nowhere(args) as s:
                answer = act(s)
                if s.view.changed() == 0:
                    return answer
        except StorageFull:
            raise StorageFull(f"No room left to make the store {location(args)}.") from None
    with session(args, create=True) as s:
        return act(s)


def is_missing(args: argparse.Namespace) -> bool:
    """Whether a store would have to be made."""
    place = location(args)
    if _URL.match(place):
        return False
    try:
        return Path(place).stat().st_size == 0 and Path(place).is_file()
    except FileNotFoundError:
        return True
    except OSError:
        return False  # what it is, opening it says


@contextmanager
def nowhere(args: argparse.Namespace) -> Iterator[Session]:
    """An empty store that nobody sees again."""
    with tempfile.TemporaryDirectory(prefix="curator-") as folder:
        named = {**vars(args), "store": str(Path(folder) / "empty.db"), "done": Done()}
        with session(argparse.Namespace(**named), create=True) as s:
            yield s


def writer(args: argparse.Namespace, s: Session) -> CuratorView:
    """The view that acts; with `--dry-run` one whose acts are judged and taken back."""
    if not args.dry_run:
        return s.view
    from store.access.rehearsal import rehearsal

    return rehearsal(s.store, s.actor)


def location(args: argparse.Namespace) -> str:
    """The store that is meant: named, or the default one."""
    return named_store(args) or str(find_paths().store)


def named_store(args: argparse.Namespace) -> str | None:
    """`--store`, else `CURATOR_STORE`, else the settings' path; None when none is named."""
    given = getattr(args, "store", None)
    named = given or os.environ.get(STORE_VARIABLE) or _settings()[0]
    return whole_path(named) if named else None


def whole_path(named: str) -> str:
    """A path with `~` filled in; an address as it is. Raises `Invalid`."""
    if _URL.match(named):
        return named
    try:
        return str(Path(named).expanduser())
    except RuntimeError:
        from store.errors import Invalid

        raise Invalid(
            f"{named} names no person of this machine.", "Write the whole path."
        ) from None


def without_password(location: str) -> str:
    """An address as it may be shown."""
    return re.sub(r"(://[^/:@]*):[^/]*@", r"\1:•••@", location)


def person() -> str:
    """The name in the log: `CURATOR_USER`, else the settings' name, else the login's."""
    given = os.environ.get(USER_VARIABLE) or _settings()[1]
    return _UNFIT_NAME.sub("-", given or _login()).strip("-")[:64] or "unknown"


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""  # a container's user without an entry in the passwd file


def _settings() -> tuple[str, str]:
    """Store path and name of the settings, empty where there is none.

    Their problems are told by the app and by `doctor`. `curator.config` imports textual, so
    it is only loaded when there is a file to read.
    """
    file = find_paths().settings_file
    if not os.path.exists(file):  # False too where the folder is closed to us
        return "", ""
    from curator.config import load_settings

    settings = load_settings(file).settings
    return settings.store.path, settings.person.name


def known_scopes(view: CuratorView, asked: Sequence[str] | None) -> list[str] | None:
    """The scopes as asked, or None. Raises `NotFound` for one that holds nothing here.

    A scope covers what lies below it, so `project` is known where `project/harbor-api` is.
    """
    if not asked:
        return None
    from store.scopes import clean_path, covers

    paths = [one.path for one in view.scopes()]
    cleaned = [clean_path(one) for one in asked]
    for one in cleaned:
        if not any(covers(one, path) for path in paths):
            raise _unknown_scope(one, paths)
    return cleaned


def _unknown_scope(asked: str, paths: Sequence[str]) -> Exception:
    import difflib

    from store.errors import NotFound
    from store.scopes import fold

    folded = fold(asked)
    alike = [path for path in paths if fold(path) == folded]
    close = alike or difflib.get_close_matches(asked, paths, n=3, cutoff=0.5)
    if close:
        hint = f"Did you mean {' or '.join(close)}?"
    else:
        hint = "`curator scopes` lists them." if paths else "It holds no memories yet."
    return NotFound(f"There is no scope {asked} in this store.", hint)
