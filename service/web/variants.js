// The games on offer, as the service tells them in the language of whoever looks.

import { ask } from "./api.js";
import { openDialog } from "./dialogs.js";
import { language, t } from "./i18n.js";
import { readMarkdown } from "./markdown.js";

const known = new Map();

/** Give all variants, the usual one first. */
export async function allVariants() {
  const spoken = language();
  if (!known.has(spoken)) known.set(spoken, (await ask("v1/variants")).items);
  return known.get(spoken);
}

/** Give one variant, by its name. */
export async function variantOf(name) {
  return (await allVariants()).find(({ variant }) => variant === name);
}

/** Show the rules of a variant. */
export function openRules({ title, rules }) {
  return openDialog({
    title,
    body: readMarkdown(rules),
    buttons: [{ value: "", text: t("done"), kind: "main" }],
    wide: true,
  });
}
