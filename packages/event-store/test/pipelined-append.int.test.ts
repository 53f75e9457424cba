import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { commandId, database, instance } from './support.ts';

const take = (who: string, count = 1) => ({ type: 'Take', who, count }) as const;
const id = () => ({ commandId: commandId() });

/**
 * Each caller sends its next command when the previous command is answered, so one group is always in flight while
 * another group waits.
 */
async function rush(people: number, times: number, command: (who: string) => Promise<unknown>) {
  const taken: string[] = [];
  const refused: string[] = [];
  await Promise.all(
    Array.from({ length: people }, async (_, person) => {
      for (let n = 0; n < times; n++) {
        const who = `p${person}-${n}`;
        await command(who).then(
          () => taken.push(who),
          (error: { code?: string }) => {
            if (error.code !== 'empty') throw error;
            refused.push(who);
          },
        );
      }
    }),
  );
  return { taken, refused };
}

/**
 * Makes the transaction of an event fail at its commit with a transient error, so that the append's outcome is unknown.
 */
const falter = (admin: Pick<Pool, 'query'>, when: string) =>
  admin.query(`
    create sequence falters;
    create function falter() returns trigger language plpgsql as $$
    begin
      if ${when} then raise exception 'falters' using errcode = '40001'; end if;
      return null;
    end $$;
    create constraint trigger falter after insert on events deferrable initially deferred for each row execute function falter()`);

const versions = `select count(*)::int as events, max(version)::int as last from events where stream = 'box-1'`;

test('a group is decided while the previous group is written, and answered only once it is in the log', async () => {
  const { url, rows } = await database();
  const { boxes, store } = instance(url);
  await boxes.handle(1, { type: 'Fill', size: 500 }, id());
  const unseen: string[] = [];
  const { taken, refused } = await rush(80, 8, async (who) => {
    const { version } = await boxes.handle(1, take(who), id());
    const { rows: found } = await store.pool.query('select 1 from events where stream = $1 and version = $2', [
      'box-1',
      version,
    ]);
    if (found.length === 0) unseen.push(who);
  });
  expect(unseen).toEqual([]);
  expect([taken.length, refused.length]).toEqual([500, 140]);
  expect(await rows(versions)).toEqual([{ events: 501, last: 501 }]);
  expect((await rows('select who from takings order by who')).map(({ who }) => who)).toEqual(taken.sort());
});

test('when a write fails, the group based on it is decided again: no gap and no oversold stock', async () => {
  const { url, rows, admin } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, { type: 'Fill', size: 400 }, id());
  await falter(admin, `nextval('falters') % 101 = 0`);
  const { taken, refused } = await rush(60, 10, (who) => boxes.handle(1, take(who), id()));
  await admin.query('drop trigger falter on events');
  expect([taken.length, refused.length]).toEqual([400, 200]);
  expect(await rows(versions)).toEqual([{ events: 401, last: 401 }]);
  expect(await rows('select sum(count)::int as n from takings')).toEqual([{ n: 400 }]);
});

test('refusals based on a failed group are decided again and answered', async () => {
  const { url, rows, admin } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, { type: 'Fill', size: 1 }, id());
  await falter(admin, `nextval('falters') = 1`);
  // The first command is sent alone. All other commands find the box empty while the first command is in flight.
  const { taken, refused } = await rush(40, 1, (who) => boxes.handle(1, take(who), id()));
  expect([taken.length, refused.length]).toEqual([1, 39]);
  expect(await rows(versions)).toEqual([{ events: 2, last: 2 }]);
});

test('a repeat of a command in flight gets the same answer once the command is durable', async () => {
  const { url, rows } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, { type: 'Fill', size: 300 }, id());
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => `command-${commandId()}-${n}`).flatMap((command, n) => [
      boxes.handle(1, take(`w${n}`), { commandId: command }),
      new Promise((resolve) => setTimeout(resolve, n % 7)).then(() =>
        boxes.handle(1, take(`w${n}`), { commandId: command }),
      ),
    ]),
  );
  for (let n = 0; n < answers.length; n += 2) expect(answers[n]?.version).toBe(answers[n + 1]?.version);
  expect(await rows(versions)).toEqual([{ events: 301, last: 301 }]);
});

test('snapshots of a busy stream contain only committed events', async () => {
  const { url, rows } = await database();
  const { boxes, store } = instance(url, { snapshotEvery: 50 });
  await boxes.handle(1, { type: 'Fill', size: 2_000 }, id());
  const wrong: unknown[] = [];
  const taken: number[] = [];
  const query = store.pool.query.bind(store.pool) as (...args: unknown[]) => Promise<{ rows: Array<{ last: string }> }>;
  store.pool.query = (async (...args: unknown[]) => {
    if (String(args[0]).includes('insert into snapshots')) {
      const [stream, version, , state] = args[1] as [string, number, number, string];
      const { rows: log } = await query('select max(version) as last from events where stream = $1', [stream]);
      const box = JSON.parse(state) as { taken: number };
      if (Number(log[0]?.last) < version || box.taken !== version - 1) wrong.push({ version, box, log: log[0] });
      taken.push(version);
    }
    return query(...args);
  }) as unknown as typeof store.pool.query;
  await rush(100, 10, (who) => boxes.handle(1, take(who), id()));
  expect(wrong).toEqual([]);
  // Some snapshots are taken during the load, not only after it. Their number depends on the duration of the first
  // snapshot.
  expect(taken.filter((version) => version < 900)).not.toEqual([]);
  await eventually(async () => (await rows('select * from snapshots')).length === 1);
});

test('with more busy streams than connections, each stream makes progress', async () => {
  const { url, rows } = await database();
  const { boxes } = instance(url);
  const streams = [1, 2, 3, 4, 5, 6, 7, 8];
  for (const stream of streams) await boxes.handle(stream, { type: 'Fill', size: 10_000 }, id());
  const done = new Map<number, number>();
  let open = true;
  const busy = Promise.all(
    streams.flatMap((stream) =>
      Array.from({ length: 20 }, async () => {
        for (let n = 0; open && n < 2_000; n++) {
          await boxes.handle(stream, take(commandId()), id());
          done.set(stream, (done.get(stream) ?? 0) + 1);
        }
      }),
    ),
  );
  await eventually(() => streams.every((stream) => (done.get(stream) ?? 0) > 40), { timeoutMs: 30_000 });
  open = false;
  await busy;
  const total = [...done.values()].reduce((sum, n) => sum + n, 0);
  expect(await rows(`select count(*)::int as n from events where type = 'Taken'`)).toEqual([{ n: total }]);
});

test('pipelined groups grant nothing if another instance wrote as many events as the first group', async () => {
  const { url, rows } = await database();
  const [one, other] = [instance(url), instance(url)];
  await one.boxes.handle(1, { type: 'Fill', size: 100 }, id());
  await other.boxes.handle(1, take('everything', 100), id()); // `one` still has the full box cached
  const answers = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => one.boxes.handle(1, take(`late-${n}`), id())),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  expect(await rows('select sum(count)::int as taken from takings')).toEqual([{ taken: 100 }]);
  expect(await rows(versions)).toEqual([{ events: 2, last: 2 }]);
});
