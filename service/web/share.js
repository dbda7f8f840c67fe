// Handing somebody the address of a page.

import { ROOT } from "./api.js";
import { note } from "./dialogs.js";
import { fingers } from "./dom.js";
import { t } from "./i18n.js";

/** Share an address by the system's own dialog, or else copy it. */
export async function shareLink(title, url = location.href) {
  try {
    if (navigator.share && fingers()) {
      await navigator.share({ title, url });
    } else {
      await navigator.clipboard.writeText(url);
      note(t("share.copied"));
    }
  } catch (error) {
    // Closing the system's dialog is no failure.
    if (error.name !== "AbortError") note(url);
  }
}

/** Share the page of a challenge, by the title that the document has. */
export const shareChallenge = (id) => shareLink(document.title, new URL(`challenges/${id}`, ROOT).href);
