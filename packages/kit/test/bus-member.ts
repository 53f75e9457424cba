/** A group member in a separate process, which the test kills. It commits one batch, then hangs in the next. */
import type { Message } from '@beltway/contracts/common/basics';
import { openBus } from '../src/bus/open.ts';

const [group, topic] = process.argv.slice(2);
const bus = await openBus(process.env);
let batches = 0;
await bus.subscribe({
  group: group!,
  topics: [topic!],
  batchSize: 3,
  handle: async (batch) => {
    const ids = batch.map(({ message }) => (message as Message).id).join(' ');
    if (++batches === 1) return void console.log(`handled ${ids}`);
    console.log(`stuck ${ids}`);
    await new Promise(() => {});
  },
});
