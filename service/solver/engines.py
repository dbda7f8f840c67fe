"""What runs the searches: numba's compiler where it is installed, else Python itself.

Both run the same functions, so they look at the same positions in the same order.
"""

from array import array
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from zlib import crc32


class Engine(StrEnum):
    """What runs the searches. Both give the same answers, numba some 40 times as fast."""

    NUMBA = "numba"
    PYTHON = "python"


def default_engine() -> Engine:
    """Give numba where it is installed."""
    return Engine.NUMBA if find_spec("numba") else Engine.PYTHON


def zeros(engine: Engine, code: str, length: int) -> Any:
    """Give an array of zeros, of a type code of ``array``: B, i or q for 1, 4 or 8 bytes."""
    if engine is Engine.PYTHON:
        return array(code, bytes(array(code).itemsize * length))
    import numpy as np  # noqa: PLC0415 - not installed everywhere

    return np.zeros(length, code)


def numbers(engine: Engine, values: "array[int]") -> Any:
    """Give the memory of an array of whole numbers of 8 bytes as the engine reads it fastest."""
    if engine is Engine.PYTHON:
        return values
    import numpy as np  # noqa: PLC0415 - not installed everywhere

    return np.frombuffer(values, dtype=np.int64)


def kernels(engine: Engine, modules: tuple[ModuleType, ...]) -> dict[str, Any]:
    """Give the functions of these modules by name, as the engine runs them.

    numba compiles each when it is first called, or reads what it has once compiled from its cache.
    """
    names = {name: value for module in modules for name, value in vars(module).items()}
    if engine is Engine.PYTHON:
        return names
    from numba import njit  # noqa: PLC0415 - not installed everywhere

    # numba keeps a compiled function as long as its own file stays the same, but those that it
    # calls are compiled into it. So all files have a part in the name under which it is kept.
    mark = 0
    for module in modules:
        mark = crc32(Path(str(module.__file__)).read_bytes(), mark)
    for name, value in list(names.items()):
        if isinstance(value, FunctionType):
            twin = FunctionType(value.__code__, names, name)
            twin.__module__ = value.__module__
            twin.__qualname__ = f"{name}_{mark:08x}"
            names[name] = _compiled(njit, twin)
    return names


def _compiled(njit: Any, kernel: FunctionType) -> Any:
    # Without numba's runtime no references to arrays are counted, which took half the time.
    ways = {"nogil": True, "_nrt": False}
    try:
        return njit(cache=True, **ways)(kernel)
    except RuntimeError:
        # There is no folder that a cache could be written to.
        return njit(**ways)(kernel)
