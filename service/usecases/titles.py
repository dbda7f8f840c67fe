"""The titles that people give to what they make."""

import unicodedata

from service.rules.errors import Invalid

MAX_TITLE = 100

# Categories of Unicode that show nothing or change how their neighbours are shown, and the two of
# their characters that scripts and emoji need: the zero-width joiner and non-joiner.
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_JOINERS = "\u200c\u200d"
_SEEN = "LNPS"  # letters, numbers, punctuation, symbols


class InvalidTitle(Invalid):
    """A text that is no title."""


def check_title(text: str) -> str:
    """Give a title without the spaces around it.

    Raises ``InvalidTitle`` where it has not 1 to 100 characters, holds one that cannot be seen or
    that turns the direction of others, or nothing that can be seen.
    """
    title = text.strip()
    if not 1 <= len(title) <= MAX_TITLE:
        detail = f"a title has 1 to {MAX_TITLE} characters, without the spaces around it"
        raise InvalidTitle(detail, "/title")
    for character in title:
        if unicodedata.category(character) in _UNSEEN and character not in _JOINERS:
            detail = (
                f"U+{ord(character):04X} has no place in a title: it cannot be seen, or changes "
                "how the rest is shown"
            )
            raise InvalidTitle(detail, "/title")
    if not any(unicodedata.category(character)[0] in _SEEN for character in title):
        detail = "a title has something that can be seen"
        raise InvalidTitle(detail, "/title")
    return title
