import { expect, test } from 'vitest';
import { follow, rebuild, relay, type Fact, type Logged, type OutgoingMessage } from '@beltway/event-store';
import { plainMessage } from '@beltway/event-store/testing';
import { projectTakings, projectTotals, type BoxEvent } from './box.ts';
import { commandId, database, instance, later } from './support.ts';

/** Converts the old shape, in which things had no count. */
const asToday = ({ type, data }: Fact): BoxEvent =>
  type === 'ThingTaken'
    ? { type: 'Taken', data: { who: (data as { name: string }).name, count: 1 } }
    : ({ type, data } as BoxEvent);

const today = [
  { type: 'Filled', data: { size: 5 } },
  { type: 'Taken', data: { who: 'old', count: 1 } },
  { type: 'Taken', data: { who: 'new', count: 3 } },
];

const OLD_COMMAND = '00000000-0000-4000-8000-000000000001';

/**
 * The log of one box: filled, one thing taken in the old shape, three in the current shape. The log also contains an
 * event of another category.
 */
async function mixedLog() {
  const { url, rows } = await database();
  await rows(
    `insert into events (stream, version, type, data, command_id, command_size, correlation_id, causation_id, occurred_at) values
      ('box-1', 1, 'Filled', '{"size": 5}', null, null, 'c', 'c', now()),
      ('box-1', 2, 'ThingTaken', '{"name": "old"}', $1, 1, 'c', 'c', now()),
      ('shelf-1', 1, 'ThingTaken', '{"name": "of a shelf"}', null, null, 'c', 'c', now())`,
    [OLD_COMMAND],
  );
  const opened = instance(url, { upcasts: { box: asToday } });
  await opened.boxes.handle(1, { type: 'Take', who: 'new', count: 3 }, { commandId: commandId() });
  return { rows, ...opened };
}

const said = ({ type, data }: Fact) => ({ type, data });
const ofBox = (events: Logged[]) => events.filter(({ stream }) => stream === 'box-1').map(said);

test('a decider sees upcast log events, and the stored events stay unchanged', async () => {
  const { boxes, rows } = await mixedLog();
  const take = (count: number) => boxes.handle(1, { type: 'Take', who: 'more', count }, { commandId: commandId() });
  await expect(take(2)).rejects.toMatchObject({ code: 'empty' });
  await expect(boxes.read(1, ({ taken }) => taken)).resolves.toBe(4);
  await take(1);
  expect((await rows(`select type from events where stream = 'box-1' order by version`)).map((r) => r['type'])).toEqual(
    ['Filled', 'ThingTaken', 'Taken', 'Taken'],
  );
});

test('a repeat of a command that was decided before an upcast is answered with upcast events', async () => {
  const { rows, boxes } = await mixedLog();
  const context = { commandId: 'a command of long ago' };
  const decided = await boxes.handle(1, { type: 'Take', who: 'x', count: 1 }, context);
  await rows(`update events set type = 'ThingTaken', data = '{"name": "x"}' where version = $1`, [decided.version]);
  await expect(boxes.handle(1, { type: 'Take', who: 'x', count: 1 }, context)).resolves.toEqual({
    ...decided,
    repeated: true,
  });
});

test('a follower gets upcast log events, and log events of other categories unchanged', async () => {
  const { store } = await mixedLog();
  const events: Logged[] = [];
  const follower = follow(store, { name: 'all', handle: async (run) => void events.push(...run) });
  later(() => follower.stop());
  await follower.caughtUp();
  expect(ofBox(events)).toEqual(today);
  expect(events.filter(({ stream }) => stream === 'shelf-1').map(said)).toEqual([
    { type: 'ThingTaken', data: { name: 'of a shelf' } },
  ]);
  expect(events.find(({ version }) => version === 2)).toMatchObject({ stream: 'box-1', id: '1', correlationId: 'c' });
});

test('a relay publishes upcast log events: all events, events of chosen types, and a single event', async () => {
  const { store } = await mixedLog();
  const sent: OutgoingMessage[] = [];
  const open = (types?: string[]) =>
    relay(store, {
      topic: 'box.events',
      ...(types && { types }),
      publish: (events) =>
        events
          .filter(({ stream, type }) => stream === 'box-1' && type === 'Taken')
          .map((of) => plainMessage(of, `box.${of.type}`)),
      send: async (messages) => void sent.push(...messages),
    });
  const takings = today.slice(1).map(({ type, data }) => ({ type: `box.${type}`, data }));

  const all = open();
  await all.caughtUp();
  expect(sent.map(said)).toEqual(takings);
  await all.republish('box-1', 2);
  expect(said(sent.at(-1)!)).toEqual(takings[0]);
  await all.stop();

  sent.splice(0);
  await store.pool.query('delete from checkpoints');
  const chosen = open(['Taken', 'ThingTaken']);
  later(() => chosen.stop());
  await chosen.caughtUp();
  expect(sent.map(said)).toEqual(takings);
});

test('a rebuild passes upcast events to the projections', async () => {
  const { store, boxes, rows } = await mixedLog();
  const models = [{ category: boxes.category, projections: boxes.projections as never, tables: ['totals', 'takings'] }];
  await rebuild(store.pool, models, store.upcasts);
  expect(boxes.projections).toEqual([projectTotals, projectTakings]);
  expect(await rows('select who, count from takings order by version')).toEqual(today.slice(1).map(({ data }) => data));
  expect(await rows('select taken from totals')).toEqual([{ taken: 4 }]);
});
