import { expect, test } from 'vitest';
import {
  CommandReused,
  Overloaded,
  Rejected,
  fingerprintOf,
  openStore,
  outgoing,
  streams,
  streamsWithSharedCommits,
  type Projection,
} from '@beltway/event-store';
import { isTransient } from '../src/pg/faults.ts';
import { eventually } from '@beltway/kit/testing';
import { box, projectTakings, projectTotals, type BoxEvent } from './box.ts';
import { commandId, database, instance, later } from './support.ts';

const take = (who: string, count = 1) => ({ type: 'Take', who, count }) as const;
const fill = (size: number) => ({ type: 'Fill', size }) as const;
const id = () => ({ commandId: commandId() });

test('events, rows and command id are appended together or not at all', async () => {
  const { url, rows } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, fill(10), id());
  const forbidden = { commandId: commandId() };
  await expect(boxes.handle(1, take('forbidden'), forbidden)).rejects.toThrow(/takings_who_check/);
  expect(await rows('select type from events order by version')).toEqual([{ type: 'Filled' }]);
  expect(await rows('select * from takings')).toEqual([]);
  expect(await rows('select taken from totals')).toEqual([{ taken: 0 }]);
  // The failed command was not recorded, so its id can be used again.
  await expect(boxes.handle(1, take('ann'), forbidden)).resolves.toMatchObject({ version: 2, repeated: false });
});

test('a command that breaks the append fails alone; the other commands of its group succeed', async () => {
  const { url, rows } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, fill(100), id());
  const outcomes = await Promise.allSettled(
    [...'abcd']
      .flatMap((who) => [boxes.handle(1, take(who), id()), boxes.handle(1, take(`${who}2`), id())])
      .concat(boxes.handle(1, take('forbidden'), id())),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await rows('select taken from totals')).toEqual([{ taken: 8 }]);
});

test('if a bug in the rules crashes a command, only that command fails', async () => {
  const { url } = await database();
  const { boxes } = instance(url);
  const [filled, crashed, taken] = await Promise.allSettled([
    boxes.handle(1, fill(3), id()),
    boxes.handle(1, { type: 'Crash' }, id()),
    boxes.handle(1, take('ann'), id()),
  ]);
  expect([filled.status, crashed.status, taken.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('two instances on one stream never append on a stale state', async () => {
  const { url, rows } = await database();
  const [one, two] = [instance(url), instance(url)];
  await one.boxes.handle(1, fill(200), id());
  await two.boxes.handle(1, take('first'), id());
  await one.boxes.handle(1, take('second'), id()).catch(() => undefined);
  const outcomes: PromiseSettledResult<unknown>[] = [];
  // In each of many small rounds, both instances make decisions from a state that they believe to be current.
  for (let round = 0; round < 30; round++)
    outcomes.push(
      ...(await Promise.allSettled(
        [one, two, one, two, one, two, one, two].map(({ boxes }, n) => boxes.handle(1, take(`r${round}w${n}`), id())),
      )),
    );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(198);
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Rejected);
  expect(
    await rows(`select count(*)::int as events, max(version)::int as last from events where stream = 'box-1'`),
  ).toEqual([{ events: 201, last: 201 }]);
  expect(await rows('select taken from totals')).toEqual([{ taken: 200 }]);
});

test('a command sent concurrently, repeatedly, to another instance and after a restart is decided once', async () => {
  const { url, rows } = await database();
  const [one, two] = [instance(url), instance(url)];
  await one.boxes.handle(1, fill(5), id());
  const context = { commandId: commandId(), fingerprint: fingerprintOf({ who: 'ann' }) };
  const answers = await Promise.all(
    [one, one, two, two, one].map(({ boxes }) => boxes.handle(1, { type: 'TakeEach', whos: ['ann', 'bob'] }, context)),
  );
  answers.push(await instance(url).boxes.handle(1, { type: 'TakeEach', whos: ['ann', 'bob'] }, context));
  expect(new Set(answers.map(({ version, events }) => JSON.stringify({ version, events }))).size).toBe(1);
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect(await rows('select who from takings order by who')).toEqual([{ who: 'ann' }, { who: 'bob' }]);
});

test('a repeat of an accepted command is answered as accepted, even if a new command would be refused', async () => {
  const { url } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, fill(1), id());
  const context = id();
  const first = await boxes.handle(1, take('ann'), context);
  await expect(boxes.handle(1, take('bob'), id())).rejects.toMatchObject({ code: 'empty' });
  for (const { boxes: any } of [{ boxes }, instance(url)])
    await expect(any.handle(1, take('ann'), context)).resolves.toEqual({ ...first, repeated: true });
});

test('the same command id with another body is refused, on the same stream and on another stream', async () => {
  const { url } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, fill(5), id());
  await boxes.handle(2, fill(5), id());
  const context = { commandId: commandId(), fingerprint: fingerprintOf({ count: 1 }) };
  await boxes.handle(1, take('ann'), context);
  await expect(
    boxes.handle(1, take('ann', 2), { ...context, fingerprint: fingerprintOf({ count: 2 }) }),
  ).rejects.toBeInstanceOf(CommandReused);
  await expect(boxes.handle(2, take('ann'), context)).rejects.toBeInstanceOf(CommandReused);
});

test('once everything is sold out, refusals need no query of the database', async () => {
  const { url, rows } = await database();
  const { boxes, store } = instance(url);
  await eventually(() => store.soleWriter.epoch() !== undefined);
  await boxes.handle(1, fill(1), id());
  await boxes.handle(1, take('ann'), id());
  let asked = 0;
  for (const pool of [store.pool, store.writers]) {
    const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
    pool.connect = ((...args: unknown[]) => (asked++, connect(...args))) as typeof pool.connect;
  }
  await eventually(
    async () =>
      (
        await rows(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
        )
      )[0]?.['n'] === 0,
  );
  asked = 0;
  const refusals = await Promise.allSettled(
    Array.from({ length: 1_000 }, (_, n) => boxes.handle(1, take(`w${n}`), id())),
  );
  expect(refusals.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof Rejected)).toBe(true);
  expect(asked).toBe(0);
});

test('a thousand concurrent commands of one stream are appended in few transactions', async () => {
  const { url, rows } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, fill(1_000), id());
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => boxes.handle(1, take(`w${n}`), id())));
  const [row] = await rows('select count(distinct tx::text)::int as transactions, count(*)::int as events from events');
  expect(row?.['events']).toBe(1_001);
  expect(row?.['transactions']).toBeLessThanOrEqual(8);
});

test('a failed group leaves no trace in the cached state', async () => {
  const { url, rows } = await database();
  let broken = false;
  const breaking: Projection<BoxEvent> = (sql) => broken && sql.query('select 1 / 0');
  const { boxes } = instance(url, { projections: [projectTotals, projectTakings, breaking] });
  await boxes.handle(1, fill(2), id());
  broken = true;
  await expect(boxes.handle(1, take('ann', 2), id())).rejects.toThrow(/division by zero/);
  broken = false;
  await expect(boxes.handle(1, take('bob', 2), id())).resolves.toMatchObject({ version: 2 });
  expect(await rows('select who from takings')).toEqual([{ who: 'bob' }]);
});

test('commands beyond the queue limit are refused immediately, and the accepted commands finish', async () => {
  const { url } = await database();
  const { boxes } = instance(url, { maxWaiting: 50 });
  await boxes.handle(1, fill(500), id());
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, (_, n) => boxes.handle(1, take(`w${n}`), id())));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Overloaded);
  await expect(boxes.handle(1, take('later'), id())).resolves.toBeDefined();
});

test('if connections are cut during commands, no acknowledged command is lost and none is applied twice', async () => {
  const { url, rows, admin } = await database();
  const { boxes } = instance(url);
  await boxes.handle(1, fill(2_000), id());
  let cutting = true;
  const cut = (async () => {
    while (cutting) {
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  })();
  const acknowledged: string[] = [];
  /** The caller repeats a command with the same id while the database is down. */
  async function acknowledge(who: string): Promise<void> {
    try {
      await boxes.handle(1, take(who), { commandId: `cut-${who}` });
      acknowledged.push(who);
    } catch (error) {
      if (!isTransient(error)) throw error;
      await acknowledge(who);
    }
  }
  try {
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 40 }, (_, n) => acknowledge(`r${round}w${n}`)));
  } finally {
    cutting = false;
    await cut;
  }
  expect(acknowledged).toHaveLength(400);
  expect(await rows('select count(*)::int as n, count(distinct who)::int as buyers from takings')).toEqual([
    { n: 400, buyers: 400 },
  ]);
  expect(await rows('select taken from totals')).toEqual([{ taken: 400 }]);
});

test('loading starts from a snapshot and knows the commands before the snapshot', async () => {
  const { url, rows } = await database();
  const one = instance(url, { snapshotEvery: 10 });
  await one.boxes.handle(1, fill(10_000), id());
  const early = id();
  await one.boxes.handle(1, take('early'), early);
  // Expensive snapshots are taken less often, so the test waits for a snapshot.
  const [snapshot] = await eventually(async () => {
    for (let n = 0; n < 10; n++) await one.boxes.handle(1, take(`w${n}`), id());
    const found = await rows('select version::int from snapshots');
    return found[0] && Number(found[0]['version']) >= 30 ? found : undefined;
  });
  // Events before the snapshot are not read again, so invalid events there have no effect.
  await rows(`update events set data = '{"size": 0, "count": 1000}' where version between 3 and $1`, [
    Number(snapshot?.['version']) - 1,
  ]);
  const two = instance(url, { snapshotEvery: 10 });
  await expect(two.boxes.handle(1, take('late'), id())).resolves.toMatchObject({ repeated: false });
  await expect(two.boxes.handle(1, take('early'), early)).resolves.toMatchObject({ repeated: true });
});

test('a state that keeps and mutates its events changes neither the log nor what callers received', async () => {
  const { url, rows } = await database();
  const { store } = instance(url);
  type Event = { type: 'Opened' | 'Changed'; data: { terms: { size: number } } };
  const shelves = streams(store, {
    category: 'shelf',
    decider: {
      initial: (): { terms?: { size: number } } => ({}),
      decide: ({ size }: { size: number }, { terms }): Event[] => [
        { type: terms ? 'Changed' : 'Opened', data: { terms: { size } } },
      ],
      evolve: (state, { type, data }: Event) => {
        if (type === 'Opened') state.terms = data.terms;
        else Object.assign(state.terms!, data.terms);
        return state;
      },
    },
  });
  // The commands form one group: the second and third are decided and applied before the first is written.
  const command = { size: 1 };
  const decisions = await Promise.all([
    shelves.handle(1, { size: 0 }, id()),
    ...[command, { size: 2 }, { size: 3 }].map((each) => shelves.handle(1, each, id())),
  ]);
  const log = `select data->'terms'->'size' as size from events where stream = 'shelf-1' order by version`;
  expect((await rows(log)).map(({ size }) => size)).toEqual([0, 1, 2, 3]);
  expect(decisions.map(({ events }) => events[0]?.data.terms.size)).toEqual([0, 1, 2, 3]);
  // A caller that mutates its answer does not change the state.
  decisions.at(-1)!.events[0]!.data.terms.size = 99;
  expect(await shelves.read(1, ({ terms }) => terms?.size)).toBe(3);
});

test('an event that is not valid JSON makes only its own command fail and does not reach the state', async () => {
  const { url, rows } = await database();
  const { store } = instance(url);
  const counts = streams(store, {
    category: 'count',
    decider: {
      initial: () => ({ sum: 0 }),
      decide: (numbers: unknown[], { sum }) => numbers.map((n) => ({ type: 'Counted', data: n, sum })),
      evolve: (state, { data }: { type: string; data: unknown }) => ({ sum: state.sum + Number(data) }),
    },
  });
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const outcomes = await Promise.allSettled(
    [[1], [2, undefined], [3, 10n], [4, circle], [5]].map((numbers) => counts.handle(1, numbers, id())),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled']);
  expect(
    (await rows(`select data from events where stream = 'count-1' order by version`)).map((r) => r['data']),
  ).toEqual([1, 5]);
});

test.each([false, true])(
  'a failing snapshot makes no command fail and does not block draining (shared commits: %s)',
  async (sharedCommits) => {
    const { url, rows } = await database();
    const warned: string[] = [];
    const store = openStore({
      url,
      toMessages: () => [],
      warn: (_error, message) => void warned.push(message),
    });
    later(() => store.close());
    let fails: 'write' | 'json' | 'read' | undefined;
    const open = () =>
      (sharedCommits ? streamsWithSharedCommits : streams)(store, {
        category: 'box',
        decider: box,
        projections: [projectTotals],
        snapshot: {
          shape: 1,
          every: 1,
          pauseMs: 0,
          write: (state) => {
            if (fails === 'write') throw new Error('no snapshot can be made');
            return fails === 'json' ? { ...state, size: 1n } : state;
          },
          read: (json) => {
            if (fails === 'read') throw new Error('no snapshot can be read');
            return json as { size: number; taken: number };
          },
        },
      });
    const boxes = open();
    await boxes.handle(1, fill(1_000), id());
    let taken = 0;
    for (fails of ['write', 'json'] as const) {
      const decisions = await Promise.all(Array.from({ length: 30 }, (_, n) => boxes.handle(1, take(`${n}`), id())));
      expect(decisions.every(({ repeated }) => !repeated)).toBe(true);
      taken += decisions.length;
      // The pause between snapshots depends on their cost. The loop repeats until a snapshot is due and fails.
      const before = warned.length;
      await eventually(async () => {
        expect(await boxes.handle(1, take(`${taken++}`), id())).toMatchObject({ repeated: false });
        await boxes.drain();
        return warned.length > before;
      });
    }
    fails = undefined;
    await rows('delete from snapshots');
    await eventually(async () => {
      await boxes.handle(1, take(`${taken++}`), id());
      return (await rows('select from snapshots')).length === 1;
    });
    fails = 'read';
    // Another process finds the snapshot unreadable and reads the whole log instead.
    expect(await open().handle(1, take('bob'), id())).toMatchObject({ version: taken + 2, repeated: false });
    expect(await rows('select taken from totals')).toEqual([{ taken: taken + 1 }]);
    expect(warned.at(-1)).toContain('cannot be read');
  },
);

test.each([false, true])(
  'an event whose message does not fit its schema is not appended and makes only its command fail (shared commits: %s)',
  async (sharedCommits) => {
    const { url, rows } = await database();
    const size = {
      parse: (data: unknown) => {
        const { count } = data as { count?: number };
        if (count === 13) throw new Error('13 is no count');
        return data;
      },
    };
    const { boxes } = instance(url, {
      sharedCommits,
      toMessages: (event) => [
        outgoing(event, { shape: { type: { value: event.type }, version: { value: 1 }, data: size } }, event.data),
      ],
    });
    const takeSome = (count: number) => ({ type: 'Take', who: 'ann', count }) as const;
    await boxes.handle(1, fill(100), id());
    const outcomes = await Promise.allSettled([1, 13, 2].map((count) => boxes.handle(1, takeSome(count), id())));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { name: 'Unpublishable', message: expect.stringContaining('box-1') } });
    const stored = await rows(`select data from events where stream = 'box-1' order by version`);
    expect(stored.map(({ data }) => data)).toEqual([{ size: 100 }, { who: 'ann', count: 1 }, { who: 'ann', count: 2 }]);
    expect(await boxes.read(1, (state) => state.taken)).toBe(3);
  },
);
