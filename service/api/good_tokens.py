"""The players' tokens that this process has found good, so that a limit can tell them apart.

To look each up before a request is let through would cost a statement for every request, also for
those that are refused.
"""

from threading import Lock

# Beyond that all are forgotten: each is learned again with its next request.
MOST_TOKENS = 50_000


class GoodTokens:
    """A bounded set of hashes of tokens."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._hashes: set[bytes] = set()

    def __contains__(self, token_hash: bytes) -> bool:
        return token_hash in self._hashes

    def learn(self, token_hash: bytes) -> None:
        """Remember that somebody has this token."""
        if token_hash in self._hashes:
            return
        with self._lock:
            if len(self._hashes) >= MOST_TOKENS:
                self._hashes = set()
            self._hashes.add(token_hash)

    def forget(self, token_hash: bytes) -> None:
        """Remember it no longer."""
        with self._lock:
            self._hashes.discard(token_hash)
