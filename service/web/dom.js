// Elements made in one call. Text is always text: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element. `on` holds listeners, `data` the dataset; true and false set and leave attributes. */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** Make an element of SVG. */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, { on = {}, data = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  Object.assign(node.dataset, data);
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

/** Draw an icon of `cards.js`. */
export function icon(name, size = 24) {
  return svg(
    "svg",
    { class: `icon icon-${name}`, viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
    svg("use", { href: `#${name}` }),
  );
}

/** Tell whether somebody points with fingers. */
export const fingers = () => matchMedia("(pointer: coarse)").matches;

/** Tell whether somebody has asked for little movement. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
