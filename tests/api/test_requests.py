"""The quick look at moves lets pass exactly what the fields would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from service.api.requests import AtSchema, MovesSchema

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.floats(), st.text(max_size=3), st.just([])
)
BODIES = st.one_of(
    VALUES,
    st.fixed_dictionaries(
        {},
        optional={
            "at": VALUES,
            "moves": st.one_of(VALUES, st.lists(st.one_of(st.text(max_size=3), VALUES))),
            "other": VALUES,
        },
    ),
    st.fixed_dictionaries({"at": st.integers(-1, 9), "moves": st.lists(st.text(max_size=3))}),
)


def outcome(load, body):
    try:
        return load(body)
    except ValidationError as error:
        return error.messages


@given(BODIES)
def test_moves_load_as_their_fields_would_have_it(body):
    assert outcome(MovesSchema().load, body) == outcome(
        lambda data: AtSchema.load(MovesSchema(), data), body
    )


@pytest.mark.parametrize("count", [0, 1, 500, 501])
def test_as_many_moves_are_taken_as_one_request_may_hold(count):
    body = {"at": 0, "moves": ["R"] * count}
    taken = outcome(MovesSchema().load, body) == body
    assert taken is (1 <= count <= 500)
