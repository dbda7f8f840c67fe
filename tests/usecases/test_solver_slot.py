"""One search at a time in each process."""

import os
import sys
import threading
from threading import Event, Thread

import pytest

from service.solver.engines import Engine
from service.usecases import solver_slot
from service.usecases.errors import Busy
from service.usecases.solver_slot import aside, granted_ms, one_at_a_time


def test_a_second_search_is_refused_at_once():
    with one_at_a_time(), pytest.raises(Busy) as refused, one_at_a_time():
        pass
    assert refused.value.extra == {"retry_after": 1}


def test_another_thread_is_refused_while_a_search_is_under_way_and_served_after_it():
    begun, end, answers = Event(), Event(), []

    def search():
        with one_at_a_time():
            begun.set()
            end.wait(10)

    thread = Thread(target=search)
    thread.start()
    begun.wait(10)
    with pytest.raises(Busy), one_at_a_time():
        pass
    end.set()
    thread.join()
    with one_at_a_time():
        answers.append("served")
    assert answers == ["served"]


def test_a_search_that_breaks_off_leaves_the_place():
    with pytest.raises(ZeroDivisionError), one_at_a_time():
        _ = 1 // 0
    with one_at_a_time():
        pass


@pytest.fixture
def set_interval():
    """Give what sets the switch interval, which is as before after the test."""
    usual = sys.getswitchinterval()
    yield sys.setswitchinterval
    sys.setswitchinterval(usual)


def test_while_a_search_runs_others_get_their_turn_sooner(set_interval):
    set_interval(0.005)
    with one_at_a_time():
        assert sys.getswitchinterval() == pytest.approx(0.001)
    assert sys.getswitchinterval() == pytest.approx(0.005)


def test_an_interval_that_is_shorter_already_stays(set_interval):
    set_interval(0.0005)
    with one_at_a_time():
        assert sys.getswitchinterval() == pytest.approx(0.0005)


def priority_and_thread():
    return os.getpriority(os.PRIO_PROCESS, 0), threading.get_ident()


def test_a_compiled_search_gives_way_to_all_others_and_leaves_them_as_they_are(monkeypatch):
    monkeypatch.setattr(solver_slot, "default_engine", lambda: Engine.NUMBA)
    own, here = priority_and_thread()
    given, there = aside(priority_and_thread)
    assert there != here
    assert given == max(own, 19)
    assert priority_and_thread() == (own, here)


def test_a_search_in_plain_python_stays_where_it_is(monkeypatch):
    monkeypatch.setattr(solver_slot, "default_engine", lambda: Engine.PYTHON)
    assert aside(priority_and_thread) == priority_and_thread()


@pytest.mark.parametrize("engine", Engine)
def test_what_a_search_raises_is_raised(monkeypatch, engine):
    monkeypatch.setattr(solver_slot, "default_engine", lambda: engine)
    with pytest.raises(ZeroDivisionError):
        aside(lambda: 1 // 0)


@pytest.mark.parametrize(
    ("asked", "most", "granted"),
    [
        (None, 10_000, 2_000),
        (None, 500, 500),
        (1, 10_000, 1),
        (9_000, 10_000, 9_000),
        (9_000, 500, 500),
    ],
)
def test_a_search_takes_two_seconds_or_what_is_asked_but_no_more_than_the_operator_allows(
    asked, most, granted
):
    assert granted_ms(asked, most) == granted
