"""The bridge: runs store calls in threads and answers on the event loop. Nothing else crosses.

A question names a topic; of one topic only the last question of an asker is answered, the
others are dropped, also those that wait for their turn. Acts wait in one line, in the order
they were asked for, and none is dropped. Refusals of the store come back as values; anything
else is a bug and ends the program with its traceback.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from textual.screen import ModalScreen

from curator.paths import find_paths
from store.errors import StoreError

if TYPE_CHECKING:
    from textual.app import App
    from textual.message_pump import MessagePump

    from store.access.curator import CuratorView
    from store.access.opening import Store

T = TypeVar("T")
Opener = Callable[[], "tuple[Store, CuratorView]"]
Refused = Callable[[StoreError], None]
_ACTS = "acts"


class Bridge:
    """One store, opened in a thread when it is first asked for something."""

    def __init__(self, app: App[Any], opener: Opener) -> None:
        self._app = app
        self._opener = opener
        self._opening = threading.Lock()
        self._opened: tuple[Store, CuratorView] | None = None
        self._closed = False
        self._latest: dict[tuple[int, str], int] = {}
        self._turns: dict[tuple[int, str], asyncio.Lock] = {}

    def ask(
        self,
        asker: MessagePump,
        topic: str,
        call: Callable[[CuratorView], T],
        then: Callable[[T], None],
        refused: Refused | None = None,
    ) -> None:
        """Run `call` in a thread; `then` or `refused` gets the answer, as a message to `asker`.

        An older question of the same topic is dropped, whether it waits or runs.
        """
        key = (id(asker), topic)
        ticket = self._latest[key] = self._latest.get(key, 0) + 1
        self._run(self._question(key, ticket, asker, call, then, refused), topic)

    def drop(self, asker: MessagePump, topic: str) -> None:
        """Nobody asks that any more: what still comes is not delivered."""
        key = (id(asker), topic)
        self._latest[key] = self._latest.get(key, 0) + 1

    def act(
        self,
        asker: MessagePump,
        call: Callable[[CuratorView], T],
        then: Callable[[T], None],
        refused: Refused | None = None,
    ) -> None:
        """The same for what changes the store: one after the other, never dropped."""
        self._run(self._act(asker, call, then, refused), _ACTS)

    def close(self) -> None:
        """Close the store, once no call runs any more. A call that comes later is refused."""
        with self._opening:
            self._closed = True
            if self._opened is not None:
                self._opened[0].close()
                self._opened = None

    # --- on the event loop --------------------------------------------------------------

    def _run(self, work: Any, topic: str) -> None:
        self._app.run_worker(work, name=topic, group="store", exit_on_error=True)

    def _turn(self, key: tuple[int, str]) -> asyncio.Lock:
        return self._turns.setdefault(key, asyncio.Lock())

    async def _question(
        self,
        key: tuple[int, str],
        ticket: int,
        asker: MessagePump,
        call: Callable[[CuratorView], T],
        then: Callable[[T], None],
        refused: Refused | None,
    ) -> None:
        async with self._turn(key):
            if self._latest[key] != ticket:
                return
            answer = await asyncio.to_thread(self._called, call)

        def deliver() -> None:
            if self._latest[key] == ticket and self._listens(asker):
                _hand_over(answer, then, refused)

        if self._latest[key] == ticket and self._listens(asker):
            asker.call_later(deliver)

    async def _act(
        self,
        asker: MessagePump,
        call: Callable[[CuratorView], T],
        then: Callable[[T], None],
        refused: Refused | None,
    ) -> None:
        async with self._turn((0, _ACTS)):
            answer = await asyncio.to_thread(self._called, call)
        if self._listens(asker):
            asker.call_later(_hand_over, answer, then, refused)

    def _listens(self, asker: MessagePump) -> bool:
        """Whether anybody is there to hear: a dialog may have been closed meanwhile."""
        if isinstance(asker, ModalScreen) and asker not in self._app.screen_stack:
            return False
        return asker.is_running and asker.is_attached

    # --- in a thread --------------------------------------------------------------------

    def _called(self, call: Callable[[CuratorView], T]) -> T | StoreError:
        try:
            return call(self._view())
        except StoreError as error:
            return error

    def _view(self) -> CuratorView:
        with self._opening:
            if self._opened is None:
                if self._closed:
                    raise StoreError("The program is closing; nothing was done.")
                self._opened = self._opener()
            return self._opened[1]


def _hand_over(answer: T | StoreError, then: Callable[[T], None], refused: Refused | None) -> None:
    if not isinstance(answer, StoreError):
        then(answer)
    elif refused is not None:
        refused(answer)


def opener(location: str, person: str, clock: Callable[[], datetime]) -> Opener:
    """How to open a store as a person; looking never makes one. Imports the store only when
    it is called."""

    def opened() -> tuple[Store, CuratorView]:
        from curator.embedding import chosen
        from store import Actor, open_store
        from store.keys import Keys

        keys = Keys(find_paths().keys)
        store = open_store(location, create=False, clock=clock, embedder=chosen(), keys=keys)
        return store, store.curator(Actor.human(person))

    return opened
