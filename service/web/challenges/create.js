// Setting a challenge up.

import { ask, newKey } from "../api.js";
import { el } from "../dom.js";
import { sayProblem, t } from "../i18n.js";
import { asMe, needPlayer } from "../me.js";
import { allVariants } from "../variants.js";
import { TermsForm } from "./terms_form.js";

/** Fill the page of the form; its address may name a challenge to be `like`, or a `variant`. */
export async function showCreate(main, go) {
  document.title = t("list.host");
  main.append(
    el("section", { class: "head" }, el("h1", {}, document.title), el("p", {}, t("create.lead"))),
  );
  let variants;
  let values;
  try {
    [variants, values] = await Promise.all([allVariants(), template()]);
  } catch (problem) {
    main.append(el("p", { class: "paper" }, sayProblem(problem)));
    return null;
  }
  const known = variants.some(({ variant }) => variant === values.variant);
  const form = new TermsForm(variants, known ? values : {}, { unfold: "options" in values });
  main.append(drawForm(form, go));
  return () => form.close();
}

async function template() {
  const query = new URLSearchParams(location.search);
  if (!query.has("like")) return { variant: query.get("variant") };
  const model = await ask(`v1/challenges/${encodeURIComponent(query.get("like"))}`, asMe());
  const { starts_at: start, ends_at: end, ...values } = model;
  return { ...values, length: Date.parse(end) - Date.parse(start) };
}

function drawForm(terms, go) {
  const button = el("button", { class: "main large" }, t("create.do"));
  const wrong = el("p", { class: "wrong", role: "alert" });
  const send = sender(terms, go);
  const submit = async (event) => {
    event.preventDefault();
    // A second click means the same.
    if (button.disabled) return;
    button.disabled = true;
    button.textContent = t("create.doing");
    wrong.textContent = "";
    wrong.textContent = (await send()) ?? "";
    button.textContent = t("create.do");
    button.disabled = false;
  };
  return el(
    "form",
    { class: "create", on: { submit } },
    el("div", { class: "sheet" }, terms.node),
    el(
      "section",
      { class: "sheet sum" },
      el("h2", {}, t("create.sum")),
      terms.words,
      button,
      wrong,
    ),
  );
}

/** Make what sends the form, once for whatever it says; it gives what is wrong, or nothing. */
function sender(terms, go) {
  let request = null;
  terms.node.addEventListener("input", () => {
    request = null;
  });
  return async () => {
    // Nobody is asked for a name for what cannot be.
    if (terms.faulty()) return t("fields.look");
    if (!(await needPlayer())) return null;
    // Whether a reply that is lost had made it nobody knows: the same is sent again, and makes one.
    request ??= { body: terms.body(), headers: { "Idempotency-Key": newKey() } };
    try {
      const { id } = await ask("v1/challenges", { method: "POST", ...request, ...asMe() });
      go(`challenges/${id}`);
      return null;
    } catch (problem) {
      // What is refused has made nothing, and may be right a moment later.
      if (problem.status < 500) request = null;
      return problem.code === "validation_failed" && terms.refused(problem) ? t("fields.look") : sayProblem(problem);
    }
  };
}
