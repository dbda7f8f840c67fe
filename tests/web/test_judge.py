"""The deals of the page and how it judges games, held to the golden data."""

from service.rules import VARIANTS
from tests.naive.golden import load

DEAL = """async ([root, asked]) => {
  const {algorithmOf, dealSeed} = await import(`${root}proof/deal.js`);
  const deal = async ([seed, options]) => [
    algorithmOf(seed),
    options && await dealSeed(seed, options),
  ];
  return Promise.all(asked.map(deal));
}"""
REPLAY = """async ([root, games]) => {
  const {after, isMove, openGame, refusalOf} = await import(`${root}proof/judge.js`);
  return games.map(({opening, options, undo, moves}) => {
    let state = openGame(opening, options, undo);
    const seen = moves.map((move) => {
      const refused = isMove(state, move) ? refusalOf(state, move) : "no move";
      if (!refused) state = after(state, move);
      const {status, foundations, piles, wastes, card = null} = state;
      return [refused, status, foundations, piles ?? wastes, card];
    });
    return [seen, state.score];
  });
}"""
ANSWER = """async ([root, cases]) => {
  const {after, isMove, openGame, refusalOf} = await import(`${root}proof/judge.js`);
  return cases.map(({opening, options, undo, moves, asked}) => {
    const state = moves.reduce(after, openGame(opening, options, undo));
    const answer = (move) => (isMove(state, move) ? refusalOf(state, move) : "no move");
    return [state.status, asked.map(answer)];
  });
}"""


def cards(text):
    return text.split()


def opening_of(start, options):
    if "piles" in start:
        foundations = ["AC", "AD", "AH", "AS"]
        return {"piles": [cards(pile) for pile in start["piles"]], "foundations": foundations}
    wastes = [[], [], [], []]
    return {"stock": cards(start["stock"]), "wastes": wastes, "foundations": options["bases"]}


def options_of(case):
    bases = case["options"].get("bases")
    return {"bases": cards(bases)} if isinstance(bases, str) else case["options"]


def test_the_page_deals_every_seed_as_the_golden_data_have_it(sit):
    golden = load("deals.json")
    asked, expected = [], []
    for case in golden["cases"]:
        for deal in ("by_pile", "by_round"):
            asked.append((case["seed"], {"deal": deal}))
            piles = [cards(pile) for pile in case["cruel"][deal]]
            expected.append((case["algorithm"], "piles", piles))
        for given in case["calculation"]:
            asked.append((case["seed"], {"bases": cards(given["bases"])}))
            expected.append((case["algorithm"], "stock", cards(given["stock"])))
    table = sit()
    table.open()
    answers = table.page.evaluate(DEAL, [table.assets, asked])
    for (seed, options), (algorithm, dealt), (named, key, value) in zip(
        asked, answers, expected, strict=True
    ):
        assert (algorithm, dealt[key]) == (named, value), (seed, options)
        assert dealt["foundations"] == options.get("bases", ["AC", "AD", "AH", "AS"])
    refused = [(seed, None) for seed in golden["refused"]]
    found = table.page.evaluate(DEAL, [table.assets, refused])
    assert {algorithm for algorithm, _ in found} == {None}


def test_the_page_replays_games_of_every_variant_as_the_second_engine_does(sit):
    games = load("playthroughs.json")["games"]
    assert {game["variant"] for game in games} == set(VARIANTS)
    asked = [
        {
            "opening": opening_of(game["start"], options_of(game)),
            "options": options_of(game),
            "undo": game["undo"],
            "moves": game["moves"].split(),
        }
        for game in games
    ]
    table = sit()
    table.open()
    replayed = table.page.evaluate(REPLAY, [table.assets, asked])
    for game, (seen, score) in zip(games, replayed, strict=True):
        assert score == game["score"]
        for ply, (step, found) in enumerate(zip(game["steps"], seen, strict=True)):
            piles = [cards(pile) for pile in step.get("piles", step.get("wastes"))]
            foundations, card = cards(step["foundations"]), step.get("card") or None
            told = [None, step["status"], foundations, piles, card]
            assert found == told, (game["variant"], ply)


def test_the_page_refuses_what_the_rules_refuse_and_for_the_same_reason(sit):
    asked, expected = [], []
    for case in load("status.json")["cases"]:
        # The others begin at positions that no seed deals.
        if "seed" not in case:
            continue
        answers = dict(case.get("answers_to", {}))
        for reason, moves in case.get("answers", {}).items():
            answers |= dict.fromkeys(moves.split(), None if reason == "accepted" else reason)
        options = options_of(case)
        start = {"opening": opening_of(case["start"], options), "options": options}
        moves = case["moves"].split()
        asked.append({**start, "undo": case["undo"], "moves": moves, "asked": [*answers]})
        expected.append((case["name"], case["expected"]["status"], [*answers.values()]))
    table = sit()
    table.open()
    found = table.page.evaluate(ANSWER, [table.assets, asked])
    for (name, *told), answer in zip(expected, found, strict=True):
        assert answer == told, name
    assert len(found) > 20
