"""The modules of the page: each that is named is there, and none needs one that needs it."""

import posixpath
import re
from graphlib import TopologicalSorter

from service.web import files

_NAMED = re.compile(r'\bfrom "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)|^import "(\.[^"]+)"', re.MULTILINE)


def modules():
    """Give for each module those that it imports."""
    found = {}
    for name, file in files().items():
        if name.endswith(".js"):
            named = ("".join(each) for each in _NAMED.findall(file.body.decode()))
            folder = posixpath.dirname(name)
            found[name] = {posixpath.normpath(posixpath.join(folder, each)) for each in named}
    return found


def test_every_module_that_is_imported_is_there():
    known = modules()
    assert len(known) > 50
    assert {each for named in known.values() for each in named} <= set(known)


def test_imports_run_one_way():
    # A circle would be an error here.
    assert len(list(TopologicalSorter(modules()).static_order())) == len(modules())
