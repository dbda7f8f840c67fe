// Fields of a form whose answers the service judges: each knows which place of the body is its own.

import { el } from "./dom.js";
import { has, t } from "./i18n.js";

let drawn = 0;

/** Draw a field: its label above an input, help and what is wrong below; `at` is its JSON pointer. */
export function drawField(at, label, input, help) {
  const id = newId();
  input.id = id;
  return wrap("div", at, id, el("label", { for: id }, label), input, help);
}

/** Draw a field of several inputs under one legend. */
export function drawGroup(at, label, inputs, help) {
  return wrap("fieldset", at, newId(), el("legend", {}, label), inputs, help);
}

const newId = () => `field-${(drawn += 1)}`;

function wrap(tag, at, id, label, inputs, help) {
  const node = el(
    tag,
    { class: "field", data: { at } },
    label,
    inputs,
    el("small", { id: `${id}-help` }, help),
    el("p", { id: `${id}-wrong`, class: "wrong" }),
  );
  const described = tag === "div" ? node.querySelector("input, select") : node;
  described.setAttribute("aria-describedby", `${id}-help ${id}-wrong`);
  return node;
}

/** Draw a choice of one among few: pairs of a value and its words. */
export function drawChoices(field, pairs, chosen) {
  return el(
    "div",
    { class: "choice" },
    pairs.map(([value, words]) =>
      el(
        "label",
        {},
        el("input", { type: "radio", name: field, value, checked: value === chosen }),
        el("span", {}, words),
      ),
    ),
  );
}

/** Draw a list to choose from: pairs of a value and its words. */
export function drawSelect(field, pairs, chosen) {
  return el(
    "select",
    { name: field },
    pairs.map(([value, words]) => el("option", { value, selected: value === chosen }, words)),
  );
}

/** Say below a field what there is to know of it, or why it is closed. */
export function explain(node, text) {
  node.querySelector("small").textContent = text;
}

/** Give what the open inputs below a node say, by name: texts, and for boxes whether they are ticked. */
export function answersOf(node) {
  const inputs = [...node.querySelectorAll("input, select")].filter(
    (input) => !input.disabled && (input.type !== "radio" || input.checked),
  );
  return Object.fromEntries(
    inputs.map((input) => [input.name, input.type === "checkbox" ? input.checked : input.value.trim()]),
  );
}

/** Take back what was said to be wrong. */
export function clearFaults(node) {
  for (const wrong of node.querySelectorAll(".wrong")) wrong.textContent = "";
  for (const input of node.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
}

/**
 * Say at each field what the service has found wrong there, and go to the first of them.
 *
 * `errors` are those of a problem. Tells whether each had its field.
 */
export function showFaults(node, errors) {
  const fields = errors.map(({ pointer = "" }) => fieldAt(node, pointer));
  for (const field of fields.filter(Boolean)) {
    const name = field.dataset.at.split("/").at(-1);
    field.querySelector(".wrong").textContent = has(`wrong.${name}`) ? t(`wrong.${name}`) : t("fields.wrong");
    inputIn(field).setAttribute("aria-invalid", "true");
    field.closest("details")?.setAttribute("open", "");
  }
  const first = fields.find(Boolean);
  if (first) inputIn(first).focus();
  return fields.every(Boolean);
}

/** Give the input of a field that its answer is in: what is typed before what is chosen. */
function inputIn(field) {
  const inputs = [...field.querySelectorAll("input, select")].filter(({ disabled }) => !disabled);
  return inputs.find(({ type }) => type !== "radio") ?? inputs.find(({ checked }) => checked) ?? field.querySelector("input, select");
}

/** Find the innermost field that a JSON pointer leads to. */
function fieldAt(node, pointer) {
  return [...node.querySelectorAll("[data-at]")]
    .filter(({ dataset }) => `${pointer}/`.startsWith(`${dataset.at}/`))
    .sort((one, other) => other.dataset.at.length - one.dataset.at.length)[0];
}
