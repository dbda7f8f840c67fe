// When a challenge starts and ends, as fields: a quick choice, or an instant in local time.

import { serverNow } from "../clock.js";
import { el } from "../dom.js";
import { answersOf, drawChoices, drawGroup } from "../fields.js";
import { span, UNITS } from "../format.js";
import { language, t } from "../i18n.js";

const SECOND = 1_000;
const [DAY, HOUR, MINUTE] = UNITS.map(([, ms]) => ms);
const LEADS = [2 * MINUTE, 5 * MINUTE, 15 * MINUTE];
const LENGTHS = [HOUR, DAY, 7 * DAY, 30 * DAY];
const EVENING_HOUR = 20;
const USUAL_LENGTH = DAY;
// What the service takes: a start that has passed by so much is now, to it.
const LATE = MINUTE;
const FARTHEST = 365 * DAY;
const LONGEST = 90 * DAY;

// What is chosen where nobody has: a race needs time to gather, and is over soon.
const USUAL = {
  own: { starts: "now", ends: String(USUAL_LENGTH) },
  shared: { starts: String(5 * MINUTE), ends: String(HOUR) },
};

/** Draw when it starts; `at` is an instant that stands already. */
export function drawStart(clock, at) {
  const evening = new Date(nextEvening());
  const today = evening.getDate() === new Date(serverNow()).getDate();
  const pairs = [
    clock === "own" && ["now", t("times.now")],
    ...LEADS.map((lead) => [String(lead), t("times.in", { span: span(lead) })]),
    [
      "evening",
      t(today ? "times.tonight" : "times.tomorrow", {
        time: new Intl.DateTimeFormat(language(), { timeStyle: "short" }).format(evening),
      }),
    ],
    ["at", t("times.at")],
  ].filter(Boolean);
  return drawTime("starts", t("times.start"), pairs, at ? "at" : USUAL[clock].starts, at);
}

/** Draw when it ends: so many ms after its start, or at an instant. */
export function drawEnd(clock, length, at) {
  const chosen = length ?? Number(USUAL[clock].ends);
  const lengths = [...new Set([...LENGTHS, chosen])].sort((one, other) => one - other);
  const pairs = [...lengths.map((each) => [String(each), t("times.after", { span: span(each) })]), ["at", t("times.at")]];
  return drawTime("ends", t("times.end"), pairs, at ? "at" : String(chosen), at);
}

function drawTime(name, label, pairs, chosen, at) {
  const input = el("input", {
    type: "datetime-local",
    name: `${name}_at`,
    step: 1,
    value: at && localText(Date.parse(at)),
    data: { exact: at ?? "" },
    "aria-label": t(`times.${name}`),
  });
  const node = drawGroup(`/${name}_at`, label, [drawChoices(name, pairs, chosen), input]);
  showInstant(node);
  return node;
}

/** Show the field of an instant where one is to be said. */
export function showInstant(node) {
  const input = node.querySelector("[type=datetime-local]");
  const said = node.querySelector("[value=at]").checked;
  if (said && !input.value) input.value = localText(serverNow() + HOUR);
  input.hidden = input.disabled = !said;
  input.required = said;
}

/** Give the start that is chosen, as a text; null: as soon as it is set up. */
export function startIn(node) {
  const { starts } = answersOf(node);
  if (starts === "now") return null;
  if (starts === "at") return saidIn(node);
  return instantText(starts === "evening" ? nextEvening() : serverNow() + Number(starts));
}

/** Give the end that is chosen, as a text, for a start of `startIn`. */
export function endIn(node, start) {
  const { ends } = answersOf(node);
  return ends === "at" ? saidIn(node) : instantText((start ? Date.parse(start) : serverNow()) + Number(ends));
}

/** Give the pointers of the times that the service would refuse, of the fields of start and end. */
export function faultsIn(starts, ends) {
  const start = startIn(starts);
  const lead = Date.parse(start) - serverNow();
  const length = Date.parse(endIn(ends, start)) - (start ? Date.parse(start) : serverNow());
  return [
    // What stood before and was not touched is no fault of whoever changes something else.
    !untouched(starts) && (lead < -LATE || lead > FARTHEST) && "/starts_at",
    (length < SECOND || length > LONGEST) && "/ends_at",
  ].filter(Boolean);
}

/** Tell whether the end that is chosen is what the service takes where none is said. */
export const endsAsUsual = (node) => answersOf(node).ends === String(USUAL_LENGTH);

/** Give the instant of a field; one that was not touched is the one that it was made with. */
function saidIn(node) {
  const { value, dataset } = node.querySelector("[type=datetime-local]");
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) return null;
  return untouched(node) ? dataset.exact : new Date(ms).toISOString();
}

/** Tell whether the instant that is said is the one that the field was made with. */
function untouched(node) {
  const { value, disabled, dataset } = node.querySelector("[type=datetime-local]");
  return !disabled && dataset.exact !== "" && localText(Date.parse(value)) === localText(Date.parse(dataset.exact));
}

/** Write an instant in whole seconds, none of which have begun. */
const instantText = (ms) => new Date(Math.ceil(ms / SECOND) * SECOND).toISOString();

/** Write an instant as a field of local time has it. */
function localText(ms) {
  return new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE).toISOString().slice(0, 19);
}

/** Give the next evening that is not too near, in ms. */
function nextEvening() {
  const evening = new Date(serverNow());
  evening.setHours(EVENING_HOUR, 0, 0, 0);
  if (evening - serverNow() < LEADS.at(-1)) evening.setDate(evening.getDate() + 1);
  return evening.getTime();
}
