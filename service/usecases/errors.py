"""Why a use case was refused. ``api/errors.py`` alone gives each its HTTP status and code."""


class Refused(Exception):  # noqa: N818 - what happened, not what broke
    """A use case that was refused and changed nothing.

    ``detail`` is a sentence with the way out; ``extra`` holds the facts that help a client.
    """

    def __init__(self, detail: str, **extra: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extra = extra


class Unauthenticated(Refused):
    """A token is needed, or the given one is unknown."""


class Forbidden(Refused):
    """The token is good, but not for this."""


class NotFound(Refused):
    """There is no such thing, or not for this caller."""


class PlyConflict(Refused):
    """Something else is recorded where these moves should stand. ``at``: the true ply."""


class PlyGap(Refused):
    """``at`` lies beyond the end of the history. ``at``: the true ply."""


class HistoryFull(Refused):
    """The history can take no more entries."""


class IllegalMoves(Refused):
    """A move that the rules forbid: ``index``, ``move``, ``reason``, ``at``."""


class GameOver(IllegalMoves):
    """The game has ended."""


class NothingToUndo(IllegalMoves):
    """No action stands."""


class UndoForbidden(IllegalMoves):
    """The game is played without undo."""


class HintForbidden(Refused):
    """The game, or its deal, is part of a challenge."""


class StillSecret(Refused):
    """The seed, or what is known of its deal, is a secret while the game or a challenge runs."""


class TimeExpired(Refused):
    """The time of an attempt has run out. ``at``: the ply at which it stands."""


class KeyReused(Refused):
    """An idempotency key came with another body before."""


class NameTaken(Refused):
    """Somebody has this name, or had it once."""


class NameReserved(Refused):
    """Nobody may have this name."""


class AlreadyStarted(Refused):
    """The first attempt is dealt, or the race has begun."""


class HasEntries(Refused):
    """Somebody else than the host has entered."""


class PreconditionRequired(Refused):
    """The request does not say which revision it changes."""


class StaleRevision(Refused):
    """The challenge is at another revision than the caller has seen. ``revision``: the true one."""


class Busy(Refused):
    """Too many others write to the same thing, or search. ``retry_after``: seconds."""


class NotEntered(Refused):
    """Only who has entered the challenge may do this."""


class NotRunning(Refused):
    """The challenge has not started, or it is over."""


class EntriesClosed(Refused):
    """Nobody enters the challenge any more, or not this player."""


class AttemptInProgress(Refused):
    """An attempt before this one has not ended, or is not even dealt. ``attempt``: which."""


class AttemptsExhausted(Refused):
    """The challenge has no attempt of this number."""
