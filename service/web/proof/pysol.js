// The numbered deals of PySolFC, whose seeds are `pysol-N` and `pysol-msN`: docs/deals.md has them step by step.

const RANKS = [..."A23456789TJQK"];
const FORM = /^pysol-(ms)?([1-9][0-9]*)$/;
const MOST = { plain: 10n ** 20n, ms: 2n ** 33n - 1n };
// Smaller numbers are dealt by the generator of Microsoft, these by the Mersenne Twister.
const FIRST_OF_TWISTER = 32_000n;
const STATE = 624;
const MIDDLE = 397;

/** Tell whether a seed names one of these deals. */
export function isNumbered(seed) {
  const [, ms, number] = FORM.exec(seed) ?? [];
  return number !== undefined && BigInt(number) <= (ms ? MOST.ms : MOST.plain);
}

/** Give the order in which the deck of such a seed is dealt, bases included. */
export function numberedDeck(seed) {
  const [, ms, number] = FORM.exec(seed);
  const n = BigInt(number);
  if (ms || n < FIRST_OF_TWISTER) {
    const stream = microsoft(Number(n));
    const cards = RANKS.flatMap((rank) => [..."CDHS"].map((suit) => rank + suit));
    return shuffled(cards, (below) => stream.next().value % below).reverse();
  }
  const stream = fractions(n);
  const cards = [..."CSHD"].flatMap((suit) => RANKS.map((rank) => rank + suit));
  return shuffled(cards, (below) => Math.floor(stream.next().value * below)).reverse();
}

function shuffled(cards, draw) {
  for (let at = cards.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    [cards[at], cards[other]] = [cards[other], cards[at]];
  }
  return cards;
}

function* microsoft(n) {
  let x = n % 2 ** 32;
  for (;;) {
    // Below 2^53, so exact.
    x = (x * 214_013 + 2_531_011) % 2 ** 33;
    const high = Math.floor(x / 2 ** 16);
    if (n < 2 ** 31) yield high & 0x7fff;
    else if (n < 2 ** 32) yield (high & 0x7fff) | 0x8000;
    else yield (high & 0xffff) + 1;
  }
}

function* fractions(n) {
  const outputs = twister(n);
  for (;;) {
    const high = outputs.next().value >>> 5;
    const low = outputs.next().value >>> 6;
    yield (high * 2 ** 26 + low) / 2 ** 53;
  }
}

/** MT19937, seeded by its `init_by_array` with the 32-bit words of `n`, the lowest first. */
function* twister(n) {
  const mt = seeded(n);
  for (;;) {
    for (let at = 0; at < STATE; at += 1) {
      const y = (mt[at] & 0x80000000) | (mt[(at + 1) % STATE] & 0x7fffffff);
      mt[at] = mt[(at + MIDDLE) % STATE] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    for (let y of mt) {
      y ^= y >>> 11;
      y ^= (y << 7) & 0x9d2c5680;
      y ^= (y << 15) & 0xefc60000;
      yield (y ^ (y >>> 18)) >>> 0;
    }
  }
}

function seeded(n) {
  const key = [];
  for (let rest = n; rest > 0n; rest >>= 32n) key.push(Number(rest & 0xffffffffn));
  const mt = new Uint32Array(STATE);
  const mixed = (at, by) => Math.imul(mt[at - 1] ^ (mt[at - 1] >>> 30), by);
  mt[0] = 19_650_218;
  for (let at = 1; at < STATE; at += 1) mt[at] = mixed(at, 1_812_433_253) + at;
  let at = 1;
  const step = () => {
    at += 1;
    if (at < STATE) return;
    mt[0] = mt[STATE - 1];
    at = 1;
  };
  for (let turn = 0; turn < STATE; turn += 1, step()) {
    const word = turn % key.length;
    mt[at] = (mt[at] ^ mixed(at, 1_664_525)) + key[word] + word;
  }
  for (let turn = 1; turn < STATE; turn += 1, step()) mt[at] = (mt[at] ^ mixed(at, 1_566_083_941)) - at;
  mt[0] = 0x80000000;
  return mt;
}
