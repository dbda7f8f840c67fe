// The rules' texts as elements: headings, paragraphs, lists and code, which is all that they use.

import { el } from "./dom.js";

/** Turn a text into elements; its first heading is left out, since who shows it has said it. */
export function readMarkdown(text) {
  return text
    .split(/\n\n+/)
    .slice(1)
    .map((block) => {
      if (block.startsWith("## ")) return el("h3", {}, block.slice(3));
      if (block.startsWith("- ")) {
        const items = block.slice(2).split(/\n- /);
        return el("ul", {}, items.map((item) => el("li", {}, inline(item))));
      }
      return el("p", {}, inline(block));
    });
}

function inline(text) {
  return text
    .trim()
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) => {
      if (part.startsWith("`")) return el("code", {}, part.slice(1, -1));
      return part.startsWith("**") ? el("strong", {}, part.slice(2, -2)) : part;
    });
}
