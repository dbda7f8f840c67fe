// The server's clock, as near as replies tell it: all that is timed on the page goes by it.

const TICK_MS = 250;

// How far this device's clock is behind the server's, and how far off that may be.
let ahead = 0;
let doubt = Infinity;

/**
 * Learn from a reply's `now` (a text), which is cut to whole `grain` ms.
 *
 * The reply was asked for at `asked`, in ms of this device.
 */
export function heard(now, asked, grain = 1) {
  const off = (Date.now() - asked + grain) / 2;
  const seen = Date.parse(now) + off - Date.now();
  // A proxy may have made it something that is no instant.
  if (Number.isNaN(seen)) return;
  // The quickest reply knows best, unless this device's clock has been set since.
  if (off > doubt && Math.abs(seen - ahead) < off + doubt) return;
  ahead = seen;
  doubt = off;
}

/** Give the server's time, in ms since 1970. */
export const serverNow = () => Date.now() + ahead;

/** Call `tick(ms left)` until `instant` (a text) has come, several times a second; give what stops it. */
export function countdown(instant, tick) {
  const end = Date.parse(instant);
  let timer;
  const look = () => {
    const left = Math.max(0, end - serverNow());
    if (!left) clearInterval(timer);
    tick(left);
  };
  timer = setInterval(look, TICK_MS);
  look();
  return () => clearInterval(timer);
}
