import { expect, test } from 'vitest';
import { eventually } from '@beltway/kit/testing';
import { proxyTo } from './proxy.ts';
import { commandId, database, instance } from './support.ts';

const take = (who: string, count = 1) => ({ type: 'Take', who, count }) as const;
const fill = (size: number) => ({ type: 'Fill', size }) as const;
const id = () => ({ commandId: commandId() });

test('an instance does not refuse by a stale cached state what another writer has made possible since', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await two.boxes.handle(1, fill(1), id()); // as a hold that is given back
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});

test('a repeat is answered as accepted by an instance that did not decide it, also when it would refuse', async () => {
  const { url } = await database();
  const [one, two] = [instance(url), instance(url)];
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await two.boxes.handle(1, fill(1), id());
  const context = id();
  const accepted = await two.boxes.handle(1, take('bob'), context);
  await expect(one.boxes.handle(1, take('bob'), context)).resolves.toEqual({ ...accepted, repeated: true });
});

test('an instance knows when it is the sole writer, and that it is not from the moment another one connects', async () => {
  const { url } = await database();
  const one = instance(url);
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  const before = one.store.soleWriter.epoch();
  const two = instance(url);
  await eventually(() => one.store.soleWriter.epoch() === undefined);
  expect(two.store.soleWriter.epoch()).toBeUndefined();
  await two.boxes.handle(1, fill(1), id());
  await two.close();
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  expect(one.store.soleWriter.epoch()).not.toBe(before);
});

test('after the other writer has gone, its last events are read once, and then the cached state is used again', async () => {
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

test('the connections that append announce themselves: one that took itself for the sole writer hears it, and does not refuse by its cached state', async () => {
  const { url } = await database();
  const one = instance(url);
  await one.boxes.handle(1, fill(1), id());
  await one.boxes.handle(1, take('ann'), id());
  await eventually(() => one.store.soleWriter.epoch() !== undefined);
  // The connection by which the other announces itself hangs; those by which it appends work.
  let release = (_how: 'cut') => undefined as void;
  const held = new Promise<'cut'>((resolve) => (release = resolve));
  const hanging = await proxyTo(url, ({ connection }) => (connection === 1 ? held : Promise.resolve('pass')));
  const other = instance(hanging);
  await other.boxes.handle(1, fill(1), id());
  // The notice is sent before the append, and takes its moment to arrive: less than to the next look at the list of sessions.
  await eventually(() => one.store.soleWriter.epoch() === undefined, { timeoutMs: 3_000 });
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
  release('cut');
});

test('a state that was read while another writer could append is read again before a refusal, though that writer has gone since', async () => {
  const { url } = await database();
  const [one, other] = [instance(url), instance(url)];
  await other.boxes.handle(1, fill(1), id());
  await other.boxes.handle(1, take('ann'), id());
  // The answer to what `one` reads first is on its way while the other appends once more, and goes.
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
  // Refused on what was there when it asked; the next one asks after all of it.
  await expect(one.boxes.handle(1, take('bob'), id())).rejects.toMatchObject({ code: 'empty' });
  await expect(one.boxes.handle(1, take('bob'), id())).resolves.toMatchObject({ version: 4 });
});
