"""Law 7: erase leaves no byte.

Enforced by `take` (store/erasing/taking.py) for what belongs to the memory, and by `repeated`
and `redact` (store/erasing/elsewhere.py) for what other rows repeat of it, over the schema's
own list of columns.
"""

from __future__ import annotations

import pytest

from store import Actor, open_store
from store.schema import metadata
from tests.store.erasing import worlds
from tests.store.erasing.worlds import CONTROL, hits, holding, plant


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def after(request, tmp_path_factory):
    """(what was planted, what holds the word afterwards, the receipt, the log)."""
    folder = tmp_path_factory.mktemp("erased")
    if request.param == "sqlite":
        location = str(folder / "harbor.db")
    else:
        server = request.getfixturevalue("postgres")
        location = server.fresh()
    with open_store(location) as store:
        world = plant(store, folder)
        me = store.curator(Actor.human("dana"))
        before = len(hits(folder, "harbor.db"))
        receipt = me.erase(world.victims)
        left = holding(store)
        log, attached = me.verify_log(), me.verify_attached()
        control = me.get(world.bystander).text
        counts = me.stats()
    files = hits(folder, "harbor.db")
    controls = hits(folder, "harbor.db", [CONTROL])
    yield locals()
    if request.param == "postgresql":
        server.drop(location)


@pytest.mark.parametrize(("table", "column"), worlds.words_columns())
def test_no_column_holds_a_word_of_it(after, table, column):
    assert (table, column) in after["world"].planted
    assert (table, column) not in after["left"]


def test_no_byte_is_in_any_file_and_the_control_is_found(after):
    if after["request"].param == "postgresql":
        assert after["receipt"].scanned[0].where == "tables"
        return
    assert after["before"] >= 1  # included: the search finds what is there
    assert after["files"] == {}
    assert after["controls"].keys() == {"harbor.db"}


def test_the_receipt_and_the_log(after):
    receipt, log = after["receipt"], after["log"]
    assert (receipt.pending, receipt.found) == (None, 0)
    assert [i for i, _ in receipt.erased] == list(after["world"].victims)
    assert log.intact
    assert log.redacted == receipt.redacted > 5
    assert log.head == receipt.head
    real = [one for one in after["attached"] if one.store != "x"]  # included: by hand is no log
    assert real
    assert all(one.check.intact for one in real)
    assert CONTROL in after["control"]


def test_counters_agree(after):
    """A5: the rows and both indexes are of one number."""
    counts = after["counts"]
    assert counts.versions == counts.vectors == 1
    assert metadata.tables["version"].name == "version"
