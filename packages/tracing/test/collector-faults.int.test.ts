import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { openTracer } from '../src/opentelemetry.ts';
import { testCollector } from '../src/testing.ts';

const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Outcome {
  lost: number;
  warnings: number;
  /** Growth of the heap since the first round, in bytes after garbage collection. */
  grown: number;
  stoppedMs: number;
}

/** Runs a process that records 100,000 spans in 25 rounds after a warm-up round, and then stops tracing. */
async function record(endpoint: string, timeoutMs = 200): Promise<Outcome> {
  const child = fork(new URL('./recording-process.ts', import.meta.url).pathname, [endpoint, String(timeoutMs)], {
    execArgv: ['--expose-gc'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  closing.push(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  const [outcome] = (await Promise.race([once(child, 'message'), ended])) as [Outcome];
  return outcome;
}

const forEver = (res: ServerResponse): void => {
  const timer = setInterval(() => res.write(' '), 20);
  res.once('close', () => clearInterval(timer));
};

test.each<[string, ((res: ServerResponse) => void) | undefined]>([
  ['refuses the connection', undefined],
  ['never answers', () => undefined],
  ['answers without an end', forEver],
  ['answers 503', (res) => void res.writeHead(503).end()],
  ['answers 400 with a page', (res) => void res.writeHead(400).end('<html>'.repeat(10_000))],
  ['cuts the connection', (res) => void res.destroy()],
])('a collector that %s delays nothing, fills no memory and causes one warning', async (_what, answer) => {
  const collector = await testCollector(answer);
  closing.push(collector.close);
  if (!answer) await collector.close();
  const { lost, warnings, grown, stoppedMs } = await record(collector.url);
  expect(lost).toBeGreaterThan(0);
  expect(warnings).toBe(1);
  // All spans together would take over 100 MB. The memory of the queue and the requests in flight varies.
  expect(grown).toBeLessThan(40_000_000);
  // A shutdown takes at most the time of one request and its retries (400 ms here).
  expect(stoppedMs).toBeLessThan(5_000);
});

test('answers that never end free their connection, and later spans are sent', async () => {
  let answers = 0;
  const collector = await testCollector((res) => (++answers <= 5 ? forEver(res) : void res.end('{}')));
  closing.push(collector.close);
  const { tracer, stop } = openTracer({
    ...{ service: 'test', endpoint: collector.url, ratio: 1, delayMs: 10, timeoutMs: 50, warn: () => undefined },
  });
  closing.push(stop);
  for (let n = 1; n <= 6; n++) {
    tracer.start(`span ${n}`, {})!.end();
    await expect.poll(() => collector.bodies.length, { timeout: 20_000 }).toBe(n);
  }
  await expect.poll(() => collector.open(), { timeout: 20_000 }).toBe(0);
});

test('an answer that never ends does not delay the end of an idle process', async () => {
  const collector = await testCollector(forEver);
  closing.push(collector.close);
  const { tracer, stop } = openTracer({
    ...{ service: 'test', endpoint: collector.url, ratio: 1, delayMs: 10, timeoutMs: 50, warn: () => undefined },
  });
  tracer.start('span', {})!.end();
  await expect.poll(() => collector.open(), { timeout: 20_000 }).toBe(1);
  await stop();
  // The collector's side of the connection closes a moment later.
  await expect.poll(() => collector.open(), { timeout: 20_000 }).toBe(0);
});

test('an unreadable answer with status 200 counts as accepted', async () => {
  const collector = await testCollector((res) => void res.end('\u0000{"partialSuccess": [[['));
  closing.push(collector.close);
  // A busy machine may need more than 200 ms.
  expect(await record(collector.url, 10_000)).toMatchObject({ lost: 0, warnings: 0 });
  expect(collector.spans.length).toBeGreaterThan(512);
});
