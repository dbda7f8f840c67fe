"""A whole list against what it must be: every page forwards and backwards, and around people."""

import csv
import io

from tests.api.problems import assert_problem


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Walker:
    """Who reads one leaderboard; ``query`` goes with each request."""

    def __init__(self, client, path, **query):
        self.client, self.path, self.query = client, path, query

    def get(self, token=None, **query):
        headers = {} if token is None else bearer(token)
        return self.client.get(self.path, query_string={**self.query, **query}, headers=headers)

    def page(self, token=None, **query):
        reply = self.get(token, **query)
        assert reply.status_code == 200, reply.text
        return reply.json

    def walk(self, wanted, limit):
        """Go through all pages, and back from the last one."""
        pages, cursor = [], {}
        for first in range(0, max(len(wanted), 1), limit):
            page = self.page(limit=limit, **cursor)
            assert page["items"] == wanted[first : first + limit]
            assert (page["prev"] is None) == (first == 0)
            pages.append(page)
            cursor = {"cursor": page["next"]}
        assert page["next"] is None
        for before, after in zip(pages[-2::-1], pages[:0:-1], strict=True):
            assert self.page(limit=limit, cursor=after["prev"]) == before

    def around(self, wanted, place, token, limit, *, full=True):
        """Get the page around somebody in a place, and those beside it; None: who is in none.

        ``full``: whether the page at the end is as long as any other.
        """
        page = self.page(token, around="me", limit=limit)
        first = 0
        if place is not None:
            first = place - (limit - 1) // 2
            first = max(min(first, len(wanted) - limit) if full else first, 0)
        after = first + limit
        assert page["items"] == wanted[first:after]
        if first:
            before = self.page(limit=limit, cursor=page["prev"])
            assert before["items"] == wanted[max(first - limit, 0) : first]
        if after < len(wanted):
            following = self.page(limit=limit, cursor=page["next"])
            assert following["items"] == wanted[after : after + limit]
        assert (page["prev"] is None) == (first == 0)
        assert (page["next"] is None) == (after >= len(wanted))

    def nobody(self, token, code):
        """Ask for the page around who cannot have one."""
        assert_problem(self.get(token, around="me"), code)

    def table(self, wanted):
        """Get the table for spreadsheets."""
        reply = self.client.get(f"{self.path}.csv")
        assert reply.status_code == 200
        rows = [*csv.DictReader(io.StringIO(reply.text, newline=""))]
        assert rows == [_cells(item) for item in wanted]


def _cells(item):
    flat = {"player": item["player"]["name"], "bot": item["player"]["bot"]}
    flat |= {name: item[name] for name in item if name != "player"}
    return {name: _cell(value) for name, value in flat.items()}


def _cell(value):
    if isinstance(value, bool):
        return str(value).lower()
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith("-") else text
