// Steps about what was promised before anybody played: terms, commitment, seed, deal.

import { ask, dealPath } from "../api.js";
import { count, t } from "../i18n.js";
import { commitmentsOf } from "../store.js";
import { algorithmOf, dealSeed, hashOf } from "./deal.js";
import { expectSame, expectThat } from "./faults.js";

const TERMS = [
  "v", "variant", "options", "deal_algorithm", "clock", "starts_at", "ends_at", "time_limit_ms",
  "attempts", "order", "seed_public", "require_winnable",
];
const KINDS = { clock: ["own", "shared"], order: ["actions", "time"] };
const CHOICES = {
  deal: ["by_pile", "by_round"],
  build: ["suit_down", "alternate_up"],
  redeal: ["packets", "fans", "packets_from_top"],
  redeal_when: ["anytime", "if_changes", "when_stuck"],
};
const BASES = /^A[CDHS],2[CDHS],3[CDHS],4[CDHS]$/;
const DRAWN = /^[0-9a-f]{64}$/;

/** Step: record and page speak of the same challenge, in terms that this page can play. */
export function stepTerms(found) {
  const { challenge, record } = found;
  const where = t("proof.where.challenge");
  for (const name of ["id", "terms", "commitment", "seed", "revealed_at"]) expectSame(where, name, challenge[name], record[name]);
  const terms = parsed(record.terms);
  for (const name of TERMS.slice(1)) expectSame(where, name, challenge[name], terms[name]);
  holdTerms(terms, record.terms);
  found.terms = terms;
  return { detail: t("proof.ok.terms"), facts: [["terms", record.terms]] };
}

/** Step: the commitment is that of seed and terms. */
export async function stepCommitment({ record }) {
  const { seed, terms, commitment } = record;
  const digest = await committed(seed, terms);
  expectSame(t("proof.where.record"), "commitment", commitment, digest);
  return { detail: t("proof.ok.commitment"), facts: [["commit/1⏎seed⏎terms", `commit/1\n${seed}\n${terms}`], ["SHA-256", digest]] };
}

/** Step: what this browser has seen before the end, if it has seen anything, is told in the record. */
export function stepKept({ challenge, record }) {
  const kept = commitmentsOf(challenge.id);
  if (!kept.length) return { state: "skipped", detail: t("proof.ok.kept.none") };
  const told = [record, ...record.former_terms].map(({ commitment }) => commitment);
  for (const commitment of kept) expectThat(told.includes(commitment), t("proof.where.record"), "commitment", told[0], commitment);
  return { detail: count("proof.ok.kept", kept.length), facts: kept.map((commitment) => ["commitment", commitment]) };
}

/** Step: so are those of the terms that were replaced. */
export async function stepFormer({ challenge, record }) {
  const former = record.former_terms;
  const page = t("proof.where.challenge");
  expectSame(page, "former_terms", challenge.former_terms.map(revisionOf), former.map(revisionOf));
  former.forEach(({ revision, ...told }, at) => {
    for (const name of ["terms", "commitment"]) {
      expectSame(t("proof.where.former", { n: revision }), name, challenge.former_terms[at][name], told[name]);
    }
  });
  if (!former.length) return { state: "skipped", detail: t("proof.ok.former.none") };
  for (const { revision, seed, terms, commitment } of former) {
    expectSame(t("proof.where.former", { n: revision }), "commitment", commitment, await committed(seed, terms));
  }
  return { detail: count("proof.ok.former", former.length), facts: former.map(({ revision, terms }) => [String(revision), terms]) };
}

/** Step: the seed is one that nobody could choose, or says that somebody has. */
export function stepSeed({ record: { seed }, terms }) {
  const where = t("proof.where.record");
  const algorithm = algorithmOf(seed);
  expectThat(terms.seed_public || DRAWN.test(seed), where, "seed", seed, "[0-9a-f]{64}");
  expectSame(where, "deal_algorithm", terms.deal_algorithm, algorithm);
  return { detail: t(terms.seed_public ? "proof.ok.seed.named" : "proof.ok.seed.drawn", { algorithm }), facts: [["seed", seed]] };
}

/** Step: deal the seed here. The opening is left in `found.opening`, and held to what the service deals. */
export async function stepDeal(found) {
  const { variant, options } = found.terms;
  const opening = await dealSeed(found.record.seed, options);
  const shown = await ask(`v1/${dealPath({ variant, options, seed: found.record.seed })}`);
  for (const name of ["foundations", options.bases ? "stock" : "piles"]) {
    expectSame(t("proof.where.deal"), name, shown[name], opening[name]);
  }
  found.opening = opening;
  const lines = opening.piles?.map((pile, at) => [String(at + 1), pile.join(" ")]) ?? [["stock", opening.stock.join(" ")]];
  return { detail: t("proof.ok.deal"), facts: lines };
}

const revisionOf = ({ revision }) => revision;
const committed = (seed, terms) => hashOf(`commit/1\n${seed}\n${terms}`);

function parsed(terms) {
  try {
    return Object(JSON.parse(terms));
  } catch {
    return {};
  }
}

function holdTerms(terms, text) {
  const where = t("proof.where.terms");
  expectSame(where, "v", terms.v, 1);
  // Written in one way only, so nobody can read it in two.
  expectSame(where, "terms", text, JSON.stringify(terms));
  expectSame(where, "names", Object.keys(terms), TERMS);
  for (const [name, values] of Object.entries(KINDS)) {
    expectThat(values.includes(terms[name]), where, name, terms[name], values.join(" | "));
  }
  const { attempts, time_limit_ms } = terms;
  expectThat(attempts >= 1, where, "attempts", attempts, "≥ 1");
  expectThat(time_limit_ms === null || time_limit_ms >= 1, where, "time_limit_ms", time_limit_ms, "null | ≥ 1");
  holdOptions(Object(terms.options), where);
}

function holdOptions(given, where) {
  if ("bases" in given) {
    expectThat(BASES.test(String(given.bases)), where, "bases", given.bases, "A, 2, 3, 4");
    return;
  }
  for (const [name, values] of Object.entries(CHOICES)) {
    expectThat(values.includes(given[name]), where, name, given[name], values.join(" | "));
  }
  const limit = given.redeal_limit;
  expectThat(limit === null || (Number.isInteger(limit) && limit >= 0 && limit <= 99), where, "redeal_limit", limit, "null | 0 … 99");
}
