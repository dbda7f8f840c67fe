// How things on a board get to where they lie.

/** How long a card takes for a move. */
export const MOVE_MS = 230;
const EASE = "cubic-bezier(.2,.7,.2,1)";
const RAISED = 100;

/** Put an element to where it lies. */
export function place(node, where) {
  node.style.transform = at(where);
}

/** Let a card fly to where it lies, above all others until it has landed; at once where `ms` is 0. */
export function fly(node, from, to, ms, delay = 0) {
  node.at = { x: to.x, y: to.y };
  node.flight?.cancel();
  node.flight = null;
  node.style.zIndex = ms ? RAISED + to.z : to.z;
  place(node, to);
  if (!ms) return;
  const frames = [{ transform: at(from) }, { transform: at(to) }];
  const flight = node.animate(frames, { duration: ms, delay, easing: EASE, fill: "backwards" });
  node.flight = flight;
  const land = () => {
    node.flight = null;
    if (node.style.zIndex > RAISED) node.style.zIndex = to.z;
  };
  flight.finished.then(land, () => {});
}

/** Tell whether a card is on its way. */
export const isFlying = (node) => Boolean(node.flight);

/** Let an element shake its head. */
export function shake(node) {
  const still = node.style.transform;
  const frames = [0, -5, 5, -3, 3, 0].map((x) => ({ transform: `${still} translateX(${x}px)` }));
  node.animate(frames, { duration: 260 });
}

const at = ({ x, y }) => `translate(${x}px, ${y}px)`;
