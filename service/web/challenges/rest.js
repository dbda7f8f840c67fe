// Doing something again as things change, but not all the time.

/** Something that is done as soon as it is wanted, and then not again for so many ms; to be closed. */
export class Resting {
  #timer = null;
  #wanted = false;

  constructor(ms, does) {
    Object.assign(this, { ms, does });
  }

  /** Have it done: at once, or when it has rested. */
  want() {
    this.#wanted = true;
    if (!this.#timer) this.#do();
  }

  close() {
    this.#wanted = false;
    clearTimeout(this.#timer);
  }

  #do() {
    this.#timer = null;
    if (!this.#wanted) return;
    this.#wanted = false;
    this.#timer = setTimeout(() => this.#do(), this.ms);
    this.does();
  }
}
