"""The key table: one letter, one meaning; and the user's own keys."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widgets import Label

from curator import keys
from curator.keynames import key_names
from curator.keys import BY_ID, CONTEXTS, KEYS, Place, bindings, hints, read_keymap, readme_table
from curator.places import PLACES

NOT_BUILT = {"Recalls", "Health"} - {place.name for place in PLACES}
DESIGN_WHOLE = {
    Place.EVERYWHERE: "1234567?quS/jkgGzyY[]",
    Place.MEMORY: "vdQeroREbcxpmM",
    Place.SEARCH: "fFw=tN",
    Place.REVIEW: "aenTsAi",
    Place.TRIAGE: "sk",
    Place.RECALLS: "fE",
    Place.TOMBSTONES: "L",
    Place.AUDIT: "Vfu",
    Place.HEALTH: "VBXf",
}
"""visual.md §7; the places that are not built are not offered."""
NUMBERS = {"3": "Recalls", "6": "Health"}
DESIGN = {
    place: "".join(sign for sign in signs if NUMBERS.get(sign) not in NOT_BUILT)
    for place, signs in DESIGN_WHOLE.items()
    if place not in NOT_BUILT
}


def test_the_letters_are_those_of_the_design() -> None:
    letters: dict[Place, set[str]] = {}
    for key in KEYS:
        shown = keys.DEFAULT_KEYMAP.shown(key.id)
        if len(shown) == 1:
            letters.setdefault(key.place, set()).add(shown)
    assert letters == {place: set(signs) for place, signs in DESIGN.items()}


def test_one_letter_has_one_meaning() -> None:
    meanings: dict[str, set[str]] = {}
    for key in KEYS:
        for name in key_names(key.keys):
            meanings.setdefault(name, set()).add(key.does.split()[0].rstrip(":,"))
    assert {name: said for name, said in meanings.items() if len(said) > 1} == {}


def test_ids_are_unique_and_everything_is_said() -> None:
    assert len(BY_ID) == len(KEYS)
    for key in KEYS:
        assert key.id.count(".") == 1
        assert key.word
        assert key.does


def test_nothing_depends_on_keys_that_terminals_keep() -> None:
    names = {name for key in KEYS for name in key_names(key.keys)}
    assert not names & {"ctrl+q", "ctrl+enter", "ctrl+c", "ctrl+s", "ctrl+z"}


def test_every_place_has_its_context() -> None:
    assert CONTEXTS[Place.SEARCH] == (Place.EVERYWHERE, Place.MEMORY, Place.SEARCH)
    assert CONTEXTS[Place.REVIEW] == (Place.EVERYWHERE, Place.REVIEW)


@pytest.mark.parametrize(
    ("wanted", "changes", "says"),
    [
        ({"memory.verify": "ctrl+v"}, {"memory.verify": "ctrl+v"}, None),
        ({"memory.verify": "Ctrl+V, F5"}, {"memory.verify": "ctrl+v,f5"}, None),
        ({"query.focus": "/"}, {"query.focus": "slash"}, None),
        ({"memory.verify": "d", "memory.dispute": "v"}, None, None),
        ({"memory.verify": "d"}, {}, "memory.verify = 'd' is already memory.dispute (dispute,"),
        ({"search.now": "v"}, {}, "search.now = 'v' is already memory.verify"),
        ({"review.approve": "v"}, {"review.approve": "v"}, None),
        ({"app.quit": "a"}, {}, "app.quit = 'a' is already review.approve (approve, Review)"),
        ({"memory.verfy": "v"}, {}, "'memory.verfy' is not known; did you mean 'memory.verify'?"),
        ({"zzz": "v"}, {}, "'zzz' is not known; README lists all ids"),
        ({"app.quit": "crtl+v"}, {}, "there is no key 'crtl+v'"),
        ({"app.quit": ""}, {}, "allowed"),
        ({"app.quit": "nokey"}, {}, "there is no key 'nokey'"),
    ],
)
def test_the_users_keymap(
    wanted: dict[str, str], changes: dict[str, str] | None, says: str | None
) -> None:
    keymap = read_keymap(wanted)
    assert keymap.changes == (wanted if changes is None else changes)
    if says is None:
        assert keymap.problems == ()
    else:
        (problem,) = keymap.problems
        assert says in problem


def test_a_change_that_is_left_out_cannot_break_another() -> None:
    keymap = read_keymap({"memory.verify": "d", "memory.dispute": "r"})
    assert keymap.changes == {}
    assert len(keymap.problems) == 2


def test_the_footer_shows_the_keys_in_force() -> None:
    keymap = read_keymap({"memory.verify": "ctrl+v"})
    shown = hints(
        ["query.focus", "memory.verify", "app.keys"],
        keymap,
        disabled=["memory.verify"],
        words={"app.keys": "keys"},
    )
    assert [(hint.key, hint.word, hint.enabled) for hint in shown] == [
        ("/", "search", True),
        ("ctrl+v", "verify", False),
        ("?", "keys", True),
    ]


def test_two_keys_may_share_a_footer_entry() -> None:
    shown = hints(["tab.previous tab.next", "list.down list.up"])
    assert [(hint.key, hint.word) for hint in shown] == [("[ ]", "tab"), ("j k", "next")]


def test_the_readme_table_names_every_key() -> None:
    table = readme_table()
    assert "| on a memory | `v` verify, `d` dispute, `Q` quarantine or release," in table
    assert table.count("\n") == len(DESIGN) + 1
    for key in KEYS:
        assert f"{key.does}" in table


class Keyed(App[None]):
    """Counts what its bindings do."""

    BINDINGS = bindings("memory", "list")
    done: str = ""

    def compose(self) -> ComposeResult:
        yield Label("x")

    def action_verify(self) -> None:
        self.done += "v"

    def action_down(self) -> None:
        self.done += "j"


async def test_bindings_and_keymap_work_in_an_app() -> None:
    app = Keyed()
    async with app.run_test() as pilot:
        app.set_keymap(dict(read_keymap({"memory.verify": "/"}).changes))
        await pilot.press("v", "slash", "j", "down")
    assert app.done == "vjj"
    for binding in bindings("memory", "go", "app"):
        assert isinstance(binding, Binding)
        assert binding.id
        assert binding.description
        assert binding.tooltip
