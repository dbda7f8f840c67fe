"""All writes of a challenge once more, when it is over."""

from tests.api.problems import assert_problem


def echo(league, course):
    """Send all that players wrote once more, now that the challenge is over: nothing changes.

    What is recorded is answered as ever; what is not, as to everybody who comes too late.
    """
    before = league.look(course)
    for who, verb, path, body in course.writes:
        if verb == "PATCH":
            continue  # what the host has decided since would be undone
        reply = league.send(who, verb, path, body)
        wanted = _echoed(league, course, who, verb, path)
        if isinstance(wanted, str):
            assert_problem(reply, wanted)
            continue
        assert reply.status_code == wanted, (who, verb, path, body, reply.text)
        if verb == "POST":
            assert reply.json["recorded"] == len(body.get("moves", "Q"))
    assert league.look(course) == before


def _echoed(league, course, who, verb, path):
    """Give the status or the code of the problem that a write comes to after the end."""
    if league.people[who].name is None:
        return "unauthenticated"
    if not path.endswith("/entries/me"):
        return 200
    entry = course.entries.get(who)
    if verb == "PUT":
        return "entries_closed" if entry is None or entry.forfeited else 200
    if entry is None:
        return 204
    return 200 if entry.forfeited else "not_running"
