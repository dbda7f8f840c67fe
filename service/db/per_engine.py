"""What a process keeps of each database: as long as its engine is there, and made when needed."""

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Engine

T = TypeVar("T")


class PerEngine(Generic[T]):
    """One thing for each engine, for any number of threads; ``make`` makes it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[Engine, T] = WeakKeyDictionary()

    def __call__(self, engine: Engine) -> T:
        """Give what is kept of a database."""
        found = self._made.get(engine)
        return found if found is not None else self._made.setdefault(engine, self._make())
