/** For this process it is so many milliseconds later, as if the clock of its machine were wrong; timers and the database's clock are not touched. */
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
