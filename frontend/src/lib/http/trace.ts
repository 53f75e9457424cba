import type { ClientSpan, ClientSpanName } from '@beltway/contracts/ops/client-spans';

/** Of the traces that begin here the share that is recorded; 0 until the server's settings are known. */
let ratio = 0;
export const traceShare = (share: number): void => void (ratio = share);

/** Lower-case hex; never all zeros, which would be no id. */
const randomHex = (bytes: number): string => {
  const hex = [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return /^0+$/.test(hex) ? randomHex(bytes) : hex;
};

/**
 * Runs a request that follows from a click, in a trace of its own where the server records traces: `work` sends the headers it gets.
 * What it measures is told to the server afterwards; nobody waits for that.
 */
export async function traced<T>(
  name: ClientSpanName,
  work: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  if (ratio === 0) return work({});
  const isSampled = Math.random() < ratio;
  const traceparent = `00-${randomHex(16)}-${randomHex(8)}-0${isSampled ? 1 : 0}`;
  const started = performance.now();
  let hasFailed = true;
  try {
    const result = await work({ traceparent });
    hasFailed = false;
    return result;
  } finally {
    if (isSampled)
      report({ name, traceparent, durationMs: Math.min(Math.round(performance.now() - started), 600_000), hasFailed });
  }
}

/** Without cookies, also while the page is being left. */
function report(span: ClientSpan): void {
  fetch('/api/client-spans', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(span),
    credentials: 'omit',
    keepalive: true,
  }).catch(() => undefined);
}
