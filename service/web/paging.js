// Lists of the API that come in pages, read to their end.

import { ask } from "./api.js";

const LARGEST = 200;
const MOST_PAGES = 10_000;

/** Read all pages of a list; `tell` hears how many there are so far. Throws what `ask` throws. */
export async function readPages(path, { token, tell = () => {} } = {}) {
  const pages = [];
  do {
    const next = pages.at(-1)?.next;
    const asked = new URLSearchParams({ limit: LARGEST, ...(next ? { cursor: next } : {}) });
    pages.push(await ask(`${path}?${asked}`, { token }));
    tell(pages.length);
  } while (pages.at(-1).next && pages.length < MOST_PAGES);
  return pages;
}
