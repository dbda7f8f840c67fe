// Check a challenge from its public record: node verify.mjs PAGE.json … (all pages, in their order)
// Deals by deal/1 only; whether a game that is said to be lost really was, and when the seed was revealed, is not checked.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const pages = process.argv.slice(2).flatMap((file) => JSON.parse(readFileSync(file, "utf-8")));
const [head, items] = [pages[0], pages.flatMap((page) => page.items)];
assert(head.prev === null && pages.at(-1).next === null && items.length === head.dealt, "pages are missing");
// 1. The commitment binds the seed to the terms.
const commit = (seed, terms) => createHash("sha256").update(`commit/1\n${seed}\n${terms}`).digest("hex");
for (const each of [head, ...head.former_terms]) assert.equal(commit(each.seed, each.terms), each.commitment);
// 2. The seed gives the deal: 99 blocks are more words than any seed has ever needed.
const terms = JSON.parse(head.terms), o = terms.options, bases = o.bases ?? ["AC", "AD", "AH", "AS"];
const ranks = "A23456789TJQK", rank = (c) => ranks.indexOf(c[0]) + 1, red = (c) => "DH".includes(c[1]);
assert.deepEqual([head.record, head.rules_version, terms.deal_algorithm], ["semilla-challenge/1", 1, "deal/1"]);
const block = (n) => createHmac("sha256", head.seed).update("deal/1/").update(Buffer.from([0, 0, 0, n])).digest();
const words = [...Array(99 * 8).keys()].map((n) => block(n >> 3).readUInt32BE(4 * (n & 7)));
const deck = [..."CDHS"].flatMap((s) => [...ranks].map((r) => r + s)).filter((c) => !bases.includes(c));
for (let i = deck.length - 1, word; i > 0; i--) {
  do word = words.shift(); while (word >= 2 ** 32 - (2 ** 32 % (i + 1)));
  [deck[i], deck[word % (i + 1)]] = [deck[word % (i + 1)], deck[i]];
}
// 3. Every move, by the rules of the Cruel family or, where there are bases, of Calculation.
const follows = (c, top, step) => rank(top) < 13 && rank(c) % 13 === (rank(top) + step) % 13;
const goesUp = (c, top, f) => o.bases ? follows(c, top, f + 1) : c[1] === top[1] && follows(c, top, 1);
const lies = (c, t) => o.build === "suit_down" ? c[1] === t[1] && follows(t, c, 1) : red(c) !== red(t) && follows(c, t, 1);
const flip = (pile) => o.redeal === "packets_from_top" ? [...pile].reverse() : pile;
const redealt = (piles, all = piles.flatMap(flip), k = Math.ceil(all.length / 4)) =>
  piles.map((_, p) => flip(all.filter((_, n) => (o.redeal === "fans" ? n % k : n >> 2) === p)));
function play(moves, place = (n) => o.deal === "by_pile" ? n >> 2 : n % 12) {
  let redeals = 0, tops = [...bases], stock = [...deck].reverse(), actions = moves.length;
  let piles = [...Array(o.bases ? 4 : 12)].map((_, p) => o.bases ? [] : deck.filter((_, n) => place(n) === p));
  for (const move of moves) {
    if (move === "R") {
      const ends = piles.flatMap((pile) => pile.slice(-1)), after = redealt(piles);
      const free = ends.some((c) => tops.some((top) => goesUp(c, top)) || ends.some((on) => lies(c, on)));
      assert(!o.bases && ++redeals <= (o.redeal_limit ?? 99999) && !(free && o.redeal_when === "when_stuck"), "R");
      assert(o.redeal_when === "anytime" || JSON.stringify(piles) !== JSON.stringify(after), "R changes nothing");
      piles = after; continue;
    }
    const [, from, kind, to] = move.match(o.bases ? /^(S|W[1-4])>([FW])([1-4])$/ : /^(\d+)>(?:(F)|(\d+))$/) ?? [];
    const card = (from === "S" ? stock : piles[from.replace("W", "") - 1]).pop(), pile = piles[to - 1];
    const f = o.bases ? to - 1 : tops.findIndex((top) => top[1] === card[1]);
    if (kind === "F") assert(goesUp(card, tops[f], f), move), tops[f] = card;
    else assert(o.bases ? from === "S" : from !== to && lies(card, pile.at(-1)), move), pile.push(card);
  }
  return { cards_up: 4 + moves.filter((move) => /F/.test(move)).length, moves: actions - redeals, redeals, actions };
}
// 4. The ranking: by each entry's best attempt.
const best = new Map(), dealt = {}, compare = (a, b) => a.reduce((found, figure, n) => found || b[n] - figure, 0);
for (const item of items) {
  const times = item.times_ms, quit = item.moves.at(-1) === "Q", count = item.moves.length - quit;
  assert(item.attempt === (dealt[item.entry] = 1 + (dealt[item.entry] ?? 0)) && item.attempt <= terms.attempts, "its number");
  assert.deepEqual(item.score, { ...play(item.moves.slice(0, count)), elapsed_ms: times[count - 1] ?? 0 }, "its score");
  const { cards_up: up, actions, redeals, elapsed_ms } = item.score, known = best.get(item.entry);
  assert((up === 52 ? ["won"] : quit ? ["resigned"] : ["lost", "timed_out"]).includes(item.status), "its status");
  const [start, due, first, end] = [item.started_at, item.deadline, terms.starts_at, terms.ends_at].map(Date.parse);
  assert(start === first || (terms.clock === "own" && start > first && start < end), "its start");
  assert.equal(due, Math.min(start + (terms.time_limit_ms ?? Infinity), end), "its deadline");
  assert(times.every((t, n) => t >= (times[n - 1] ?? 0) && start + t < due) && times.length === count + quit, "its times");
  const key = [+(up === 52), up, terms.order === "time" ? -elapsed_ms : 0, -actions, -redeals, -elapsed_ms];
  if (!item.disqualified && !(known && compare(known.key, key) <= 0)) best.set(item.entry, { ...item, key });
}
const all = [...best.values()].sort((a, b) => compare(a.key, b.key));
for (const { key, key: [won, up, , ...less], player, attempt } of all)
  console.log(1 + all.findIndex((a) => !compare(a.key, key)), player.name ?? "(deleted)", attempt, won, up, ...less.map(Math.abs));
