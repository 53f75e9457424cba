/**
 * Moves this process's clock ahead by `byMs`, as if the machine's clock were wrong. Timers and the database are
 * unaffected.
 */
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
