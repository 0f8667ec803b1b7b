"""The key of a store's tombstones, kept outside the store file (domain.md, law 8).

A fingerprint without a key could be found again by guessing what the text was. The key lies in
`<config folder>/keys/<store id>.key`: owner-only, made at the first reject, never exported
unless asked for. Without it the fingerprints of erased texts say nothing, and match nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path

from store.errors import CannotOpen

BYTES = 32
_ID = re.compile(r"[0-9a-f]{8,64}")
_KEY = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}")


class Keys:
    """The folder of keys. Nothing is made before a store's first tombstone."""

    def __init__(self, folder: Path | None = None, *, writes: bool = True) -> None:
        """`folder`: else the platform's. Without `writes` a key that is made is not kept."""
        self._given = folder
        self._writes = writes
        self._unkept: dict[str, bytes] = {}

    @property
    def folder(self) -> Path:
        if self._given is None:
            from platformdirs import user_config_path

            self._given = user_config_path("curator", appauthor=False) / "keys"
        return self._given

    def path(self, store_id: str) -> Path:
        """Where a store's key lies, or would. Raises `CannotOpen` for what is no store's id."""
        if not _ID.fullmatch(store_id):  # it comes out of the file and names another one
            raise CannotOpen("This store has no id that a key could be named by.")
        return self.folder / f"{store_id}.key"

    def find(self, store_id: str) -> bytes | None:
        """The key of a store, or None where there is none that can be read."""
        if store_id in self._unkept:
            return self._unkept[store_id]
        if not _ID.fullmatch(store_id):
            return None
        try:
            text = self.path(store_id).read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return bytes.fromhex(text) if _KEY.fullmatch(text) else None

    def make(self, store_id: str) -> bytes:
        """The key of a store; a new one if there is none.

        Raises `CannotOpen` where it cannot be written, or where what is there is no key.
        """
        found = self.find(store_id)
        if found is not None:
            return found
        fresh = secrets.token_bytes(BYTES)
        if not self._writes:
            self._unkept[store_id] = fresh
            return fresh
        try:
            return self._write(self.path(store_id), fresh)
        except OSError as error:
            raise CannotOpen(
                f"The key of the tombstones cannot be written to {self.folder}: "
                f"{error.strerror or error}.",
                "Nothing was changed.",
            ) from error

    def keep(self, store_id: str, key: bytes) -> bool:
        """Keep the key of another store for this one too, which adopted its tombstones; False
        where this one has a key already. Raises `CannotOpen` where it cannot be written."""
        if self.find(store_id) is not None:
            return False
        if not self._writes:
            self._unkept[store_id] = key
            return True
        try:
            return self._write(self.path(store_id), key) == key
        except OSError as error:
            raise CannotOpen(
                f"The key of the tombstones cannot be written to {self.folder}: "
                f"{error.strerror or error}.",
                "Nothing was changed.",
            ) from error

    def rehearsed(self) -> Keys:
        """The same keys for a dry run, which leaves no file behind."""
        return Keys(self.folder, writes=False)

    def _write(self, path: Path, fresh: bytes) -> bytes:
        """Whole or not at all, and never over a key that another process made meanwhile."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        half = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(fresh.hex() + "\n")
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(half, path)
        finally:
            half.unlink()
        kept = self.find(path.stem)
        if kept is None:
            raise CannotOpen(
                f"{path} is no key of a store, or may not be read.",
                "Nothing was changed. Put the right one there, or move this one away.",
            )
        return kept
