"""Pages of a list, forwards and backwards, rising and falling, against a naive model."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select

from service.db.tables import idempotency_keys as rows
from service.usecases.pages import Place, fetch_page

# A table with a number and a text that may order its rows.
KEY = (rows.c.created_at, rows.c.resource_id)
KEYS = st.tuples(st.integers(0, 3), st.sampled_from(["a", "b", "c"]))


def fill(db, keys):
    with db.connect() as connection:
        connection.execute(rows.delete())
        for number, (created_at, resource_id) in enumerate(sorted(keys)):
            row = {"created_at": created_at, "resource_id": resource_id, "body_hash": b""}
            connection.execute(insert(rows), {**row, "key_hash": bytes([number])})


def fetch(db, place, *, descending):
    with db.connect() as connection:
        return fetch_page(connection, select(rows), KEY, place, descending=descending)


def keys_of(page):
    return [(row["created_at"], row["resource_id"]) for row in page.rows]


@pytest.mark.parametrize("descending", [False, True])
@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(keys=st.sets(KEYS), limit=st.integers(1, 5), place=KEYS)
def test_a_page_is_that_of_a_naive_list(db, descending, keys, limit, place):
    fill(db, keys)
    ordered = sorted(keys, reverse=descending)
    first = fetch(db, Place(None, None, limit), descending=descending)
    assert keys_of(first) == ordered[:limit]
    assert first.next == (ordered[limit - 1] if len(ordered) > limit else None)
    assert first.prev is None
    behind = [key for key in ordered if (key < place if descending else key > place)]
    after = fetch(db, Place(place, None, limit), descending=descending)
    assert keys_of(after) == behind[:limit]
    assert after.next == (behind[limit - 1] if len(behind) > limit else None)
    assert after.prev == (behind[0] if behind else None)
    ahead = [key for key in ordered if (key > place if descending else key < place)]
    before = fetch(db, Place(None, place, limit), descending=descending)
    assert keys_of(before) == ahead[-limit:]
    assert before.next == (ahead[-1] if ahead else None)
    assert before.prev == (ahead[-limit] if len(ahead) > limit else None)
