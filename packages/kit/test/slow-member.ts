/**
 * A slow group member in a separate process; it waits until it reads `go`. It prints one line per batch with the size
 * of each message. After it reads `held?`, it prints a line with the growth of its memory in bytes since before it
 * joined.
 */
import { createInterface } from 'node:readline';
import { openBus } from '../src/bus/open.ts';

const [group, topic] = process.argv.slice(2);
const bus = await openBus(process.env);
const gate = Promise.withResolvers<void>();
const say = (report: { held: number; sizes: number[] }): void => console.log(JSON.stringify(report));

function held(): number {
  // Called twice, because the second run frees the buffers of objects that the first run collected.
  gc!();
  gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const before = held();
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'go') gate.resolve();
  else say({ held: held() - before, sizes: [] });
});

let begun = false;
await bus.subscribe({
  group: group!,
  topics: [topic!],
  handle: async (batch) => {
    if (!begun) say({ held: 0, sizes: [] });
    begun = true;
    await gate.promise;
    say({ held: 0, sizes: batch.map(({ message }) => JSON.stringify(message).length) });
  },
});
