/** Milliseconds that the server's clock is ahead of this device's. Zero until an answer said what time it is. */
let ahead = 0;

/** A `Date` header names whole seconds, and the answer took its way: smaller differences say nothing. */
const NOISE_MS = 2_000;

/** Takes the time from an answer that no cache can have kept. */
export function noteServerTime({ headers }: Response, method: string, now = Date.now()): void {
  if (method === 'GET' && !headers.get('cache-control')?.includes('no-store')) return;
  const said = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(said)) return;
  const difference = said + 500 - now;
  ahead = Math.abs(difference) < NOISE_MS ? 0 : difference;
}

/** The time by the server's clock, which decides how long a hold lasts; the device's may be minutes off. */
export const serverNow = (): number => Date.now() + ahead;
