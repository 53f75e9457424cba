import type { ClientSpan, ClientSpanName } from '@beltway/contracts/ops/client-spans';

/** The fraction of the traces started here that are recorded; 0 until the server's settings are known. */
let ratio = 0;
export const traceShare = (share: number): void => void (ratio = share);

/** Lower-case hex; never all zeros, which is an invalid id. */
const randomHex = (bytes: number): string => {
  const hex = [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return /^0+$/.test(hex) ? randomHex(bytes) : hex;
};

/**
 * Runs a click's request in a new trace if the server records traces. `work` must send the headers it receives. Reports
 * the duration after the request, without waiting for the report.
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

/** Sent without cookies, even while the page unloads. */
function report(span: ClientSpan): void {
  fetch('/api/client-spans', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(span),
    credentials: 'omit',
    keepalive: true,
  }).catch(() => undefined);
}
