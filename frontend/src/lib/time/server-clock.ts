/** Milliseconds that the server's clock is ahead of this device's; zero until an answer had a `Date`. */
let ahead = 0;

/** Smaller differences are ignored: a `Date` header has whole seconds, and the answer took time to arrive. */
const NOISE_MS = 2_000;

/** Reads the server's time from an answer, unless a cache may have stored it. */
export function noteServerTime({ headers }: Response, method: string, now = Date.now()): void {
  if (method === 'GET' && !headers.get('cache-control')?.includes('no-store')) return;
  const said = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(said)) return;
  const difference = said + 500 - now;
  const before = ahead;
  ahead = Math.abs(difference) < NOISE_MS ? 0 : difference;
  if (Math.abs(ahead - before) >= NOISE_MS) listeners.forEach((hear) => hear());
}

/** Where the time is known and no answer comes: the first screen that the server renders. */
export const setServerTime = (now: number): void => void (ahead = now - Date.now());

const listeners = new Set<() => void>();
/** Calls back when the difference to the server's clock changed noticeably. */
export const onServerClockSet = (hear: () => void): void => void listeners.add(hear);

/** The time by the server's clock, which decides how long a hold lasts; the device's may be minutes off. */
export const serverNow = (): number => Date.now() + ahead;
