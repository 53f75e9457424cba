/** Moves this process's clock ahead by that many milliseconds, as if its machine's were wrong; timers and the database's clock are not affected. */
export function runAhead(byMs: () => number): void {
  const now = Date.now;
  const later = () => now() + byMs();
  globalThis.Date = class extends Date {
    constructor(...given: []) {
      if (given.length === 0) super(later());
      else super(...given);
    }
    static override now = later;
  } as DateConstructor;
}
