/**
 * A member in a process of its own that is slow: it begins nothing before it reads `go`. One line for each batch, with the
 * size of each message; after `held?` one with the bytes that the process holds more than before it joined.
 */
import { createInterface } from 'node:readline';
import { openBus } from '../src/bus/open.ts';

const [group, topic] = process.argv.slice(2);
const bus = await openBus(process.env);
const gate = Promise.withResolvers<void>();
const say = (report: { held: number; sizes: number[] }): void => console.log(JSON.stringify(report));

function held(): number {
  // Twice: buffers go with the objects that the first run found dead.
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
