// Changing a challenge: all of it while nobody is bound by its terms, else its title and who sees it.

import { ask } from "../api.js";
import { openDialog } from "../dialogs.js";
import { el } from "../dom.js";
import { answersOf, clearFaults, showFaults } from "../fields.js";
import { t } from "../i18n.js";
import { asMe } from "../me.js";
import { allVariants } from "../variants.js";
import { whyTermsStand } from "./states.js";
import { drawAbout } from "./terms_fields.js";
import { TermsForm } from "./terms_form.js";

/** Let its host change a challenge; `changed` is called when it is another. */
export async function openEdit(challenge, changed) {
  const variants = await allVariants();
  const shown = el("div", { class: "edit" });
  let known = challenge;
  let form;
  const show = (values) => {
    form?.close();
    const stand = whyTermsStand(known);
    form = stand ? new AboutForm(values) : new TermsForm(variants, values, { unfold: true });
    shown.replaceChildren(
      el("p", { class: "faint" }, stand ? t(`edit.stand.${stand}`) : t("edit.redraw")),
      form.node,
      ...(form.words ? [form.words] : []),
    );
  };
  const save = async () => {
    const changes = form.changes(known);
    if (!Object.keys(changes).length) return null;
    if (form.faulty()) return t("fields.look");
    try {
      await change(known, changes);
      changed();
      return null;
    } catch (problem) {
      if (problem.code === "validation_failed" && form.refused(problem)) return t("fields.look");
      if (problem.code !== "stale_revision") throw problem;
      known = await ask(`v1/challenges/${known.id}`, asMe());
      // What was to be changed is still there, upon whatever else is true now.
      show({ ...known, ...changes, options: optionsWith(changes) });
      return t("edit.stale");
    }
  };
  const optionsWith = ({ variant, options }) => ({ ...(variant ? {} : known.options), ...options });
  show(known);
  await openDialog({
    title: t("edit.title"),
    body: [shown],
    buttons: [
      { value: "", text: t("not") },
      { value: "save", text: t("save"), kind: "main" },
    ],
    wide: true,
    submit: save,
    focus: shown.querySelector("input"),
  });
  form.close();
}

function change({ id, revision }, body) {
  const headers = { "If-Match": `"${revision}"` };
  return ask(`v1/challenges/${id}`, { method: "PATCH", body, headers, ...asMe() });
}

/** What may always change, as a form like that of all the terms. */
class AboutForm {
  constructor(values) {
    this.node = el("div", { class: "terms-form" }, drawAbout(values));
  }

  changes(challenge) {
    return Object.fromEntries(
      Object.entries(answersOf(this.node)).filter(([name, value]) => value !== challenge[name]),
    );
  }

  faulty() {
    return false;
  }

  refused(problem) {
    clearFaults(this.node);
    return showFaults(this.node, problem.body.errors);
  }

  close() {}
}
