/**
 * Loaded into every process of a story by `NODE_OPTIONS`: the second instance of ticketing believes that it is an hour later. For the
 * process it is as if the clock of its machine were wrong; timers and the database's clock are not touched.
 */
const { SERVICE_PORT, TICKETING_URL = '' } = process.env;
const isSecond =
  process.argv[1]?.endsWith('services/ticketing/src/main.ts') &&
  TICKETING_URL.split(',')[1]?.endsWith(`:${SERVICE_PORT}`);

if (isSecond) {
  const now = Date.now;
  const later = () => now() + 3_600_000;
  globalThis.Date = class extends Date {
    constructor(...given: []) {
      if (given.length === 0) super(later());
      else super(...given);
    }
    static override now = later;
  } as DateConstructor;
}
