import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { proxyTo } from './proxy.ts';
import { commandId, database, instance } from './support.ts';

const take = (who: string, count = 1) => ({ type: 'Take', who, count }) as const;
const fill = (size: number) => ({ type: 'Fill', size }) as const;
const id = () => ({ commandId: commandId() });
const LOCKS = `select from pg_locks join pg_database d on d.oid = database
  where locktype = 'advisory' and datname = current_database()`;
/** A sole writer that detects another process only by its announcement. */
const CHECKS_RARELY = { soleWriterTimes: { soleMs: 600_000 } };
/** Sessions of a process that check whether the sole writer has released its lock. */
const WAITING = `select from pg_stat_activity where application_name = $1 and query like '%pg_locks%'`;

test('an instance does not refuse a command that an event of another writer has made possible', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await two.boxes.handle(1, fill(1), id()); // like a hold that a buyer releases
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});

test('another instance answers a repeat as accepted, even if a new command would be refused', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await two.boxes.handle(1, fill(1), id());
  const context = id();
  const accepted = await two.boxes.handle(1, take('bob'), context);
  await expect(one.boxes.handle(1, take('bob'), context)).resolves.toEqual({ ...accepted, repeated: true });
});

test('an instance knows whether it is the sole writer as soon as another instance connects', async () => {
  const { url, rows } = await database();
  const one = instance(url);
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  const before = one.store.soleWriter.epoch();
  const two = instance(url);
  await eventually(() => one.store.soleWriter.epoch() === undefined);
  // Otherwise each new connection of the other would wait for a second.
  await eventually(async () => (await rows(LOCKS)).length === 0);
  expect(two.store.soleWriter.epoch()).toBeUndefined();
  await two.boxes.handle(1, fill(1), id());
  await two.close();
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  expect(one.store.soleWriter.epoch()).not.toBe(before);
});

test('after another writer has disconnected, its last events are read once, then the cache is used again', async () => {
  const { url } = await database();
  const one = instance(url);
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  const two = instance(url);
  await two.boxes.handle(1, fill(1), id());
  await two.close();
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});

test('a repeated command does not make an old state count as current', async () => {
  const { url } = await database();
  const one = instance(url);
  await one.boxes.handle(1, fill(1), id());
  const ann = id();
  await one.boxes.handle(1, take('ann'), ann);
  const other = instance(url);
  await other.boxes.handle(1, fill(1), id());
  await other.close();
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  await expect(one.boxes.handle(1, take('ann'), ann)).resolves.toMatchObject({ repeated: true });
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});

test('appending connections announce themselves, so a sole writer stops refusing on its cached state', async () => {
  const { url } = await database();
  const one = instance(url, CHECKS_RARELY);
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  // The other instance's announcing connection hangs; its appending connections work.
  let release = (_how: 'cut') => undefined as void;
  const held = new Promise<'cut'>((resolve) => (release = resolve));
  const hanging = await proxyTo(url, ({ connection }) => (connection === 1 ? held : Promise.resolve('pass')));
  const other = instance(hanging);
  await other.boxes.handle(1, fill(1), id());
  // The announcement precedes the append.
  await eventually(() => one.store.soleWriter.epoch() === undefined);
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
  release('cut');
});

/** A sole writer with one taken place in box 1. It receives nothing on its announcing connection until `deliver`. */
async function cutOffSoleWriter(url: string) {
  const delivery = Promise.withResolvers<'pass'>();
  let isCutOff = false;
  const through = await proxyTo(url, ({ connection, direction }) =>
    connection === 1 && direction === 'to client' && isCutOff ? delivery.promise : Promise.resolve('pass'),
  );
  const one = instance(through, CHECKS_RARELY);
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  isCutOff = true;
  return { one, deliver: () => delivery.resolve('pass') };
}

test('another writer appends only after the sole writer has received its announcement, however late it arrives', async () => {
  const { url, rows } = await database();
  const { one, deliver } = await cutOffSoleWriter(url);
  const other = instance(url, { soleWriterTimes: { releaseMs: 60_000 } });
  let epoch: number | undefined;
  let isFilled = false;
  const filling = other.boxes.handle(1, fill(1), id()).then(() => {
    isFilled = true;
    epoch = one.store.soleWriter.epoch();
  });
  await eventually(async () => (await rows(WAITING, [other.store.soleWriter.applicationName])).length > 0);
  expect(one.store.soleWriter.epoch()).toBeDefined();
  expect(isFilled).toBe(false);
  deliver();
  await filling;
  expect(epoch).toBeUndefined();
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});

test('a sole writer that hangs delays another writer for a second, and first receives the end of its session', async () => {
  const { url, rows } = await database();
  const { one, deliver } = await cutOffSoleWriter(url);
  const other = instance(url);
  await expect(other.boxes.handle(1, fill(1), id())).resolves.toMatchObject({ version: 3 });
  // The append did not wait until the sole writer's own query had timed out.
  await eventually(async () => (await rows(LOCKS)).length === 0); // the session ends a moment later
  expect(one.store.soleWriter.epoch()).toBeDefined();
  deliver();
  await eventually(() => one.store.soleWriter.epoch() === undefined);
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});

test('two processes that start together both detect that they are not the sole writer', async () => {
  const { url } = await database();
  const both = [instance(url), instance(url)];
  await Promise.all(both.map(({ boxes }, n) => boxes.handle(n, fill(1), id())));
  await pause(300);
  expect(both.map(({ store }) => store.soleWriter.epoch())).toEqual([undefined, undefined]);
});

test('a state that was read while another instance could write is reloaded before a later refusal', async () => {
  const { url } = await database();
  const [one, other] = [instance(url), instance(url)];
  await other.boxes.handle(1, fill(1), id());
  await other.boxes.handle(1, take('ann'), id());
  // While the response to the first read of `one` is in transit, the other instance appends once more and closes.
  const query = one.store.pool.query.bind(one.store.pool) as (...args: unknown[]) => Promise<unknown>;
  let reads = 0;
  one.store.pool.query = (async (...args: unknown[]) => {
    const answer = await query(...args);
    if (++reads > 1) return answer;
    await other.boxes.handle(1, fill(1), id());
    await other.close();
    await eventually(() => one.store.soleWriter.epoch() !== undefined);
    return answer;
  }) as unknown as typeof one.store.pool.query;
  // The command is rejected on the state at the time of the request. The next request reads all events.
  await expect(one.boxes.handle(1, take('bob'), id())).rejects.toMatchObject({ code: 'empty' });
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});
