/** A consumer in a separate process, which the test kills. For each message it slowly writes the message's seat, and it hangs at the seat `last`. */
import { envelope } from '@beltway/contracts/common/basics';
import { z } from 'zod';
import { silent } from '../src/bus/bus.ts';
import { consume, on } from '../src/bus/consume.ts';
import { openBus } from '../src/bus/open.ts';
import { openPool } from '../src/postgres/pool.ts';

const [group, topic, url, last] = process.argv.slice(2);
const SeatSold = z.object({ ...envelope, data: z.object({ seat: z.string() }) });
await consume({
  bus: await openBus(process.env),
  pool: openPool(url!),
  log: silent,
  group: group!,
  topics: [topic!],
  handlers: {
    'test.seat-sold': on(SeatSold, async ({ data }, tx) => {
      if (data.seat === last) await new Promise(() => undefined);
      await tx.query('insert into effects (group_name, seat) values ($1, $2)', [group, data.seat]);
      await tx.query('select pg_sleep(0.05)');
    }),
  },
});
