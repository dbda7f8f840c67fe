import base64
import hashlib
import re

from service.usecases.players import register
from service.usecases.tokens import hash_token, new_game_token, new_player_token, token_is_known
from tests.conftest import NOON, SQLITE_ONLY
from tests.statements import count_statements


def stored_bytes(file):
    """Give all that lies on the disk, what is not yet checkpointed included."""
    return b"".join(path.read_bytes() for path in sorted(file.parent.glob("games.db*")))


def test_a_token_holds_256_random_bits():
    tokens = {new_game_token() for _ in range(100)}
    assert len(tokens) == 100
    for token in tokens:
        assert re.fullmatch(r"sg_[A-Za-z0-9_-]{43}", token)
        assert len(base64.urlsafe_b64decode(f"{token[3:]}=")) == 32


def test_a_token_is_hashed_with_sha_256():
    assert hash_token("sg_any") == hashlib.sha256(b"sg_any").digest()
    assert hash_token("sg_ñ€") == hashlib.sha256("sg_ñ€".encode()).digest()


def test_a_token_is_known_once_a_game_has_it(db, sit):
    sitting = sit()
    assert token_is_known(db, sitting.hash)
    assert not token_is_known(db, hash_token("sg_nobody"))
    assert not token_is_known(db, b"")


def test_to_know_a_token_takes_one_select(db, sit):
    token_hash = sit().hash
    with count_statements(db) as seen:
        token_is_known(db, token_hash)
    assert seen.verbs == ["SELECT"]


@SQLITE_ONLY
def test_only_the_hash_of_a_token_is_ever_stored(db, sit, file):
    sittings = [sit() for _ in range(5)]
    for sitting in sittings:
        sitting.play("6>9", at=0)
        sitting.view()
    for checkpointed in (False, True):
        if checkpointed:
            db.dispose()
        stored = stored_bytes(file)
        for sitting in sittings:
            secret = sitting.token.removeprefix("sg_")
            bits = base64.urlsafe_b64decode(f"{secret}=")
            assert sitting.hash in stored
            assert sitting.id.encode() in stored
            for trace in (secret.encode(), bits, bits.hex().encode(), base64.b64encode(bits)):
                assert trace not in stored
        assert b"sg_" not in stored


def test_a_players_token_is_of_its_own_kind():
    tokens = {new_player_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(re.fullmatch(r"sp_[A-Za-z0-9_-]{43}", token) for token in tokens)


def test_to_know_a_players_token_takes_one_select_too(db):
    new = register(db, name="Ana", bot=False, now=NOON)
    with count_statements(db) as seen:
        assert token_is_known(db, hash_token(new.token))
    assert seen.verbs == ["SELECT"]
