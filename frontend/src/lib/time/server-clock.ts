/** Milliseconds by which the server's clock is ahead of this device's; zero until a response had a `Date` header. */
let ahead = 0;

/** Smaller differences are ignored: a `Date` header has whole seconds, and the response took time to arrive. */
const NOISE_MS = 2_000;

/** Reads the server's time from a response, unless a cache may have stored it. */
export function noteServerTime({ headers }: Response, method: string, now = Date.now()): void {
  if (method === 'GET' && !headers.get('cache-control')?.includes('no-store')) return;
  const said = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(said)) return;
  const difference = said + 500 - now;
  const before = ahead;
  ahead = Math.abs(difference) < NOISE_MS ? 0 : difference;
  if (Math.abs(ahead - before) >= NOISE_MS) listeners.forEach((hear) => hear());
}

/** Sets the time without a response, for first screens rendered on the server. */
export const setServerTime = (now: number): void => void (ahead = now - Date.now());

const listeners = new Set<() => void>();
/** Calls `listener` when the offset to the server's clock has changed noticeably. */
export const onServerClockSet = (listener: () => void): void => void listeners.add(listener);

/** The server's time, which decides when a hold lapses; the device's clock may be minutes off. */
export const serverNow = (): number => Date.now() + ahead;
