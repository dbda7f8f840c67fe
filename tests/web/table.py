"""Somebody who plays on the page in a real browser, by mouse, by keys or by touch."""

import re

from tests.servers import ask

# Where the top cards of piles, or their empty places, are on the screen. "F" is where the top card
# of the pile before it goes up.
_SPOTS = """ids => {
  const cards = [...document.querySelectorAll(".board .card.top")];
  const topOf = (id) => cards.find((card) => card.zone === id);
  const up = () => `F${"CDHS".indexOf(topOf(ids[0]).dataset.card[1]) + 1}`;
  const found = ids.map((each) => {
    const id = each === "F" ? up() : each;
    return topOf(id) ?? document.querySelector(`.zone[data-zone="${id}"] .place`);
  });
  const boxes = () => found.map((node) => node.getBoundingClientRect());
  // Below the edge, or under the buttons: whoever plays scrolls there.
  const away = boxes().findIndex((box) => box.top < 0 || box.bottom > innerHeight - 70);
  if (away >= 0) found[away].scrollIntoView({block: "center"});
  return boxes().map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
}"""
# What a player sees: the cards of each pile from the bottom up, by where they lie.
_SEEN = """() => {
  const piles = {};
  for (const zone of document.querySelectorAll(".zone")) piles[zone.dataset.zone] = [];
  const cards = [...document.querySelectorAll(".board .card")];
  cards.sort((one, other) => one.style.zIndex - other.style.zIndex);
  for (const card of cards) piles[card.zone].push(card.dataset.card);
  return piles;
}"""
_KEPT = "() => JSON.parse(localStorage.getItem('semilla.games'))"


def piles_of(move):
    """Give the piles that a move text names, as the page calls them; "F" is where it goes up."""
    start, _, end = move.partition(">")
    if start[0] in "SW":
        return start, end
    return f"P{start}", end if end == "F" else f"P{end}"


class Table:
    """A page with a board."""

    def __init__(self, page, url):
        self.page = page
        self.url = url

    @property
    def assets(self):
        """Where the page's own modules are."""
        (built,) = re.findall(r'src="(page/\w+/)app.js"', ask(f"{self.url}/").text)
        return f"{self.url}/{built}"

    # ---- coming and going ----

    def open(self, path=""):
        self.page.goto(f"{self.url}/{path}")
        self.page.locator("main > :not([hidden])").first.wait_for()

    def go(self, path):
        """Go on to another page as by a link, which loads nothing anew; to the same one anew."""
        if self.page.url == f"{self.url}/{path}":
            self.open(path)
            return
        self.page.evaluate(
            """path => {
              history.pushState(null, "", path);
              dispatchEvent(new PopStateEvent("popstate"));
            }""",
            f"{self.url}/{path}",
        )
        self.page.locator("main > *").first.wait_for()

    def become(self, person):
        """Keep somebody's name and token, as if they had registered here; None forgets."""
        if self.page.url == "about:blank":
            self.open()
        known = person and {"name": person.name, "token": person.token}
        keep = "known => localStorage.setItem('semilla.player', JSON.stringify(known))"
        self.page.evaluate(keep, known)

    def deal(self, variant, seed=""):
        """Deal from the first page, as anybody would."""
        self.open()
        self.page.check(f"[name=variant][value={variant}]")
        self.page.fill("[name=seed]", seed)
        self.page.get_by_role("button", name="Deal", exact=True).click()
        self.wait_for_board()

    def deal_by_link(self, variant, seed="32"):
        """Deal what a link names, in whatever language."""
        self.open(f"deals/{variant}/{seed}")
        self.page.locator(".toolbar .main").click()
        self.page.wait_for_url("**/games/*")
        self.wait_for_board()

    def wait_for_board(self):
        self.page.locator(".board .card").first.wait_for()

    @property
    def game_id(self):
        return self.page.url.partition("/games/")[2]

    @property
    def kept(self):
        """What the browser keeps of the game that is shown."""
        return next(game for game in self.page.evaluate(_KEPT) if game["id"] == self.game_id)

    def state(self):
        """Ask the service for the game that is shown."""
        return ask(f"{self.url}/v1/games/{self.game_id}", token=self.kept["token"]).json

    def seen(self):
        """Give the cards of every pile as they lie on the screen, bottom first."""
        return self.page.evaluate(_SEEN)

    def wait_until_recorded(self):
        self.page.wait_for_function(
            f"id => ({_KEPT})().find((game) => game.id === id).queue.length === 0",
            arg=self.game_id,
        )

    # ---- playing ----

    def zone(self, name):
        return self.page.locator(f'.zone[data-zone="{name}"]')

    def spots(self, *names):
        """Give where on the screen the top cards of piles are, or the places of empty ones."""
        return [tuple(spot) for spot in self.page.evaluate(_SPOTS, names)]

    def drag(self, move):
        self.drag_between(*piles_of(move))

    def drag_between(self, start, end):
        mouse = self.page.mouse
        here, there = self.spots(start, end)
        mouse.move(*here)
        mouse.down()
        mouse.move(*there, steps=2)
        mouse.up()

    def tap(self, move):
        for spot in self.spots(*piles_of(move)):
            self.page.touchscreen.tap(*spot)

    def press(self, move):
        """Play a move by keys alone: walk there, take, walk there, put down."""
        keys = self.page.keyboard
        for name in piles_of(move):
            self.walk(name)
            keys.press("Enter")

    def walk(self, name):
        """Walk with the arrows until a pile has the focus."""
        for _ in range(20):
            here, there = self.page.evaluate(
                """name => {
                  const place = (zone) => {
                    const box = zone.getBoundingClientRect();
                    return [Math.round(box.x + box.width / 2), Math.round(box.y)];
                  };
                  const goal = document.querySelector(`.zone[data-zone="${name}"]`);
                  return [document.activeElement, goal].map(place);
                }""",
                name,
            )
            if here == there:
                return
            rows = there[1] - here[1]
            columns = there[0] - here[0]
            if abs(rows) > 1:
                self.page.keyboard.press("ArrowDown" if rows > 0 else "ArrowUp")
            else:
                self.page.keyboard.press("ArrowRight" if columns > 0 else "ArrowLeft")
        message = f"no arrows lead to {name}"
        raise AssertionError(message)

    def redeal(self):
        """Redeal by the buttons: look at it, then commit."""
        self.wait_until_recorded()
        self.page.get_by_role("button", name="Redeal", exact=True).click()
        self.page.get_by_role("button", name="Redeal now").click()

    def ended(self, status):
        self.page.locator(f".end.{status}").wait_for()
