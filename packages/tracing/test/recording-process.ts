/**
 * Records 104,000 spans, faster than any collector accepts them, and reports the outcome: `node --expose-gc
 * recording-process.ts <endpoint> <milliseconds for one request>`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openTracer } from '../src/opentelemetry.ts';

let lost = 0;
let warnings = 0;
const { tracer, stop } = openTracer({
  ...{ service: 'test', endpoint: process.argv[2]!, ratio: 1, delayMs: 10, timeoutMs: Number(process.argv[3]) },
  warn: (fields) => {
    warnings++;
    lost += (fields as { lost: number }).lost;
  },
});
const heap = () => (globalThis.gc!(), process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);

async function recordRound(round: number): Promise<void> {
  for (let n = 0; n < 4_000; n++)
    tracer.start(`span ${round}`, { attributes: { round, n, text: 'x'.repeat(100) } })!.end();
  await pause(50);
}

tracer.start('first', {})!.end();
await pause(100);
// The warm-up round allocates compiled code and the queue itself, so that they do not count as a leak.
await recordRound(0);
const before = heap();
for (let round = 1; round <= 25; round++) await recordRound(round);
const grown = heap() - before;
const stopping = performance.now();
await stop().catch(() => undefined);
process.send!({ lost, warnings, grown, stoppedMs: performance.now() - stopping }, () => process.exit(0));
