"""Hosts of challenges over HTTP, and entrants straight in the tables."""

import hashlib
import json
import re

from sqlalchemy import insert, select, update

from service.db.tables import challenges, entries
from service.usecases.challenge_events import record_event
from service.usecases.challenge_states import finishes_at
from service.usecases.ids import new_id
from tests.conftest import NOON
from tests.players import new_player, player_id

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000


def rfc(ms):
    """Write an instant as the contract says, for the January of `NOON` and the months after it."""
    days, rest = divmod(ms - NOON + DAY // 2, DAY)
    date = [2026, 1, 1]
    for _ in range(days):
        date[2] += 1
        if date[2] > _days_of(*date[:2]):
            date = [date[0] + date[1] // 12, date[1] % 12 + 1, 1]
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    year, month, day = date
    start = f"{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}"
    return f"{start}:{rest // SECOND:02}.{rest % SECOND:03}Z"


def _days_of(year, month):
    if month == 2:
        return 28 + (year % 4 == 0)
    return 31 - (month in (4, 6, 9, 11))


class Host:
    """A player with a client who sets challenges up."""

    def __init__(self, client, db, name="Ana", *, bot=False):
        self.client = client
        self.db = db
        self.name = name
        self.token = new_player(db, name, bot=bot)
        self.auth = {"Authorization": f"Bearer {self.token}"}
        self.id = ""

    @property
    def path(self):
        """The path of the latest challenge."""
        return f"/v1/challenges/{self.id}"

    @property
    def player_id(self):
        """The id of the player."""
        return player_id(self.db, self.token)

    def post(self, headers=None, **body):
        """Ask for a challenge; give the reply."""
        asked = {"title": "Weekend", **body}
        return self.client.post(
            "/v1/challenges", json=asked, headers={**self.auth, **(headers or {})}
        )

    def create(self, **body):
        """Set a challenge up and keep its id; give the reply's JSON."""
        reply = self.post(**body)
        assert reply.status_code == 201, reply.text
        self.id = reply.json["id"]
        return reply.json

    def get(self, **headers):
        """Read the latest challenge; give the reply."""
        return self.client.get(self.path, headers={**self.auth, **headers})

    def patch(self, seen="*", **body):
        """Change the latest challenge, with this ``If-Match`` (None: without); give the reply."""
        headers = {**self.auth, **({} if seen is None else {"If-Match": seen})}
        return self.client.patch(self.path, json=body, headers=headers)

    def cancel(self):
        """Cancel the latest challenge; give the reply."""
        return self.client.post(f"{self.path}/cancel", headers=self.auth)

    def enter(self, host, now=NOON, **columns):
        """Enter the latest challenge of a host, straight in the tables."""
        enter(self.db, host.id, self.player_id, now, **columns)


def stored(db, challenge_id):
    """Give the columns of a challenge."""
    with db.connect() as connection:
        asked = select(challenges).where(challenges.c.id == challenge_id)
        return dict(connection.execute(asked).mappings().one())


def enter(db, challenge_id, player_id, now=NOON, **columns):
    """Insert an entry, and count it; give its id."""
    row = {"id": new_id(now), "challenge_id": challenge_id, "player_id": player_id}
    challenge = stored(db, challenge_id)
    entered, dealt = challenge["entered"] + 1, columns.get("dealt", 0)
    counts = {"entered": entered, "dealt": challenge["dealt"] + dealt}
    counts["finishes_at"] = finishes_at({**challenge, **counts}, now)
    with db.connect() as connection:
        connection.execute(insert(entries), {"entered_at": now, "dealt": 0, **row, **columns})
        record_event(connection, challenge, "entered", player_id, now, **counts)
    return row["id"]


def change_row(db, challenge_id, **columns):
    """Set columns of a challenge as no use case would."""
    with db.connect() as connection:
        changed = update(challenges).where(challenges.c.id == challenge_id)
        connection.execute(changed.values(columns))


def commitment(seed, terms):
    """Compute a commitment by what the contract says of it."""
    return hashlib.sha256(b"commit/1\n" + seed.encode() + b"\n" + terms.encode()).hexdigest()


def check_published(challenge):
    """Check that the terms as a text are those of the fields, in the form of the contract."""
    terms = json.loads(challenge["terms"])
    assert list(terms) == [
        "v",
        "variant",
        "options",
        "deal_algorithm",
        "clock",
        "starts_at",
        "ends_at",
        "time_limit_ms",
        "attempts",
        "order",
        "seed_public",
        "require_winnable",
    ]
    assert terms.pop("v") == 1
    assert terms == {name: challenge[name] for name in terms}
    assert re.search(r"[\s]", challenge["terms"]) is None
    assert re.fullmatch("[0-9a-f]{64}", challenge["commitment"])
