"""The names of players: which there may be, and which are the service's own."""

import re

from service.rules.errors import Invalid
from service.usecases.errors import NameReserved

NAME_PATTERN = r"[A-Za-z0-9_-]{3,24}"
_NAME = re.compile(NAME_PATTERN)

# In lower case. Whoever had one could pass for the service or for who runs it, or for nobody at
# all, or would stand in the place of a word in a path.
RESERVED = frozenset(
    """
    semilla system server service api www web root admin admins administrator administrators
    operator operators moderator moderators mod mods owner staff team official support help info
    security abuse webmaster postmaster hostmaster host hosts bot bots
    me self you anonymous anon deleted disabled removed former nobody noone somebody someone
    anybody everybody everyone all any none null nil undefined unknown nan true false
    player players user users guest guests name names token tokens game games variant variants
    challenge challenges race races entry entries attempt attempts event events daily dailies
    leaderboard leaderboards ranking rankings record records
    new login logout register registration settings profile
    """.split()
)


def fold_name(name: str) -> str:
    """Give what a name is told apart by: the same for all its spellings in small and capitals."""
    return name.lower()


def is_name(text: str) -> bool:
    """Tell whether somebody could have this name."""
    return _NAME.fullmatch(text) is not None


def check_name(name: str) -> None:
    """Refuse what is no name (``Invalid``) or nobody may have (``NameReserved``).

    Whether somebody has it is not checked.
    """
    if fold_name(name) in RESERVED:
        detail = f"{name} is a word of the service's own: take another name"
        raise NameReserved(detail)
    if not is_name(name):
        detail = "a name has 3 to 24 letters and digits of ASCII, - and _"
        raise Invalid(detail, "/name")
